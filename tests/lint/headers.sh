# SPDX-License-Identifier: MIT
# Every header compiles after config.h alone, without a warning, and twice in a row.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

for header in $(cd "$srcdir/src" && find . -name '*.h' | sed 's|^\./||' | sort); do
	printf '#include <config.h>\n#include "%s"\n#include "%s"\nextern int not_empty;\n' \
		"$header" "$header" >"$work/alone.c"
	# shellcheck disable=SC2086 # these are lists of words
	$CC $CC_FLAGS -Werror -fsyntax-only "$work/alone.c" || {
		echo "src/$header does not compile alone"
		failed=1
	}
done
exit $failed
