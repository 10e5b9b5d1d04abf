# SPDX-License-Identifier: MIT
# Every header compiles after base.h alone, without a warning, and twice in a row.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# One run of the compiler for all; each file is compiled on its own, and named by the header.
for header in $(cd "$srcdir/src" && find . -name '*.h' | sed 's|^\./||' | sort); do
	mkdir -p "$work/${header%/*}"
	printf '#include "base/base.h"\n#include "%s"\n#include "%s"\nextern int not_empty;\n' \
		"$header" "$header" >"$work/${header%.h}.c"
done
# shellcheck disable=SC2046,SC2086 # these are lists of words
$CC $CC_FLAGS -Werror -fsyntax-only $(find "$work" -name '*.c' | sort)
