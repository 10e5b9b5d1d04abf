# SPDX-License-Identifier: MIT
# Random trees, random edits: the sets and states that twindex names are those
# of an independent computation, and its invariants hold.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 25 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

# A sanitized program is slower by an order of magnitude.
case $CC_FLAGS in
*-fsanitize*) few=10 ;;
*) few=25 ;;
esac

if [ -n "${SEED:-}" ]; then
	exec "$PYTHON" -SB "$srcdir/tests/agree/agree.py" "$TWINDEX" seed "$SEED"
fi
exec "$PYTHON" -SB "$srcdir/tests/agree/agree.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
