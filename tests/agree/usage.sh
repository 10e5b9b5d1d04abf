# SPDX-License-Identifier: MIT
# Random trees: the sums that du, waste and tree show of every directory, and
# the names that where finds, are those of an independent computation.
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
	exec "$PYTHON" -SB "$srcdir/tests/agree/usage.py" "$TWINDEX" seed "$SEED"
fi
exec "$PYTHON" -SB "$srcdir/tests/agree/usage.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
