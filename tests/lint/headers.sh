# SPDX-License-Identifier: MIT
# Every header compiles after base.h alone, and has a guard for its second time.  The build has shown it of those that
# their own source includes right after base.h; the others are compiled here, without a warning.  EVERY_KIND=1, as .ci/run
# has it: all of them, and twice in a row.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cd "$srcdir/src" || exit 1
find . -name '*.h' | sed 's|^\./||' | sort >"$work/headers"
# shellcheck disable=SC2046 # a list of words
"${AWK:-awk}" '
function guarded() { if (n > 0 && (second != "#define " substr(first, 9) || last !~ /^#endif/)) { print "src/" file ": no guard"; failed = 1 } }
FNR == 1 { guarded(); file = FILENAME; n = 0; second = "" }
/^#/ { n++; last = $0; if (n == 1) first = $0; else if (n == 2) second = $0 }
END { guarded(); exit failed }' $(cat "$work/headers") || exit 1

# built HEADER: its source was compiled, and what that includes first of all is base.h and the header.
built()
{
	source=$srcdir/src/${1%.h}.c
	[ -e "$builddir/src/${1%.h}.o" ] && [ -e "$source" ] || return 1
	met=
	while IFS= read -r line; do
		case $line in
		'#'*include*) met="$met$line" ;;
		esac
		case $met in
		"#include \"base/base.h\"#include \"$1\"") return 0 ;;
		'#include "base/base.h"' | '') ;;
		*) return 1 ;;
		esac
	done <"$source"
	return 1
}

# gcc reads base.h once for all, which halves the time; other compilers pass by what it made of that.
mkdir -p "$work/once/base" && cp base/base.h "$work/once/base" && cd "$builddir" || exit 1
# shellcheck disable=SC2086 # these are lists of words
$CC $CC_FLAGS -Werror -x c-header "$srcdir/src/base/base.h" -o "$work/once/base/base.h.gch" || exit 1
while read -r header; do
	[ -n "${EVERY_KIND:-}" ] || ! built "$header" || continue
	mkdir -p "$work/${header%/*}"
	printf '#include "base/base.h"\n#include "%s"\n#include "%s"\nextern int not_empty;\n' \
		"$header" "$header" >"$work/${header%.h}.c"
done <"$work/headers"
# One run of the compiler for all; each file is compiled on its own, and named by the header.
# shellcheck disable=SC2046,SC2086 # these are lists of words
$CC -iquote "$work/once" $CC_FLAGS -Werror -fsyntax-only $(find "$work" -name '*.c' | sort)
