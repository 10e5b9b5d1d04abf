# SPDX-License-Identifier: MIT
# Every header compiles after base.h alone, without a warning, and twice in a row.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# gcc reads base.h once for all, which halves the time; other compilers pass by what it made of that.
mkdir -p "$work/once/base" && cp "$srcdir/src/base/base.h" "$work/once/base" || exit 1
# shellcheck disable=SC2086 # these are lists of words
$CC $CC_FLAGS -Werror -x c-header "$srcdir/src/base/base.h" -o "$work/once/base/base.h.gch" || exit 1
# One run of the compiler for all; each file is compiled on its own, and named by the header.
for header in $(cd "$srcdir/src" && find . -name '*.h' | sed 's|^\./||' | sort); do
	mkdir -p "$work/${header%/*}"
	printf '#include "base/base.h"\n#include "%s"\n#include "%s"\nextern int not_empty;\n' \
		"$header" "$header" >"$work/${header%.h}.c"
done
# shellcheck disable=SC2046,SC2086 # these are lists of words
$CC -iquote "$work/once" $CC_FLAGS -Werror -fsyntax-only $(find "$work" -name '*.c' | sort)
