# SPDX-License-Identifier: MIT
# Random trees: the pairs that similar tells, all their numbers and which are folded, follow from the rules.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 10 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

# A sanitized program is slower by an order of magnitude.
case $CC_FLAGS in
*-fsanitize*) few=6 ;;
*) few=10 ;;
esac

if [ -n "${SEED:-}" ]; then
	exec "$PYTHON" -SB "$srcdir/tests/agree/similar.py" "$TWINDEX" seed "$SEED"
fi
exec "$PYTHON" -SB "$srcdir/tests/agree/similar.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
