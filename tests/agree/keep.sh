# SPDX-License-Identifier: MIT
# Random trees and rules: which copies rm, report and mark drop choose is what the manual's order says,
# computed independently; and no content is ever gone.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 15 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

# A sanitized program is slower by an order of magnitude.
case $CC_FLAGS in
*-fsanitize*) few=8 ;;
*) few=15 ;;
esac

if [ -n "${SEED:-}" ]; then
	exec "$PYTHON" -SB "$srcdir/tests/agree/keep.py" "$TWINDEX" seed "$SEED"
fi
exec "$PYTHON" -SB "$srcdir/tests/agree/keep.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
