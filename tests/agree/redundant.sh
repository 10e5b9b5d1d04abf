# SPDX-License-Identifier: MIT
# Random trees: the directories that redundant says can go are those of an independent
# computation, and when all of them are removed every content is still there; and at-risk
# names the files that have no other copy.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 12 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

. "$srcdir/tests/agree/ordinary.sh"

# A sanitized program is slower by an order of magnitude.
case $CC_FLAGS in
*-fsanitize*) few=6 ;;
*) few=12 ;;
esac

if [ -n "${SEED:-}" ]; then
	exec "$PYTHON" -SB "$srcdir/tests/agree/redundant.py" "$TWINDEX" seed "$SEED"
fi
exec "$PYTHON" -SB "$srcdir/tests/agree/redundant.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
