# SPDX-License-Identifier: MIT
# Decisions, acts, edits, scans and kills at random: no content ever disappears, and what an act
# does is what it was told.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 6 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

# A sanitized program is slower by an order of magnitude.
case $CC_FLAGS in
*-fsanitize*) few=2 ;;
*) few=6 ;;
esac

if [ -n "${SEED:-}" ]; then
	exec "$PYTHON" -SB "$srcdir/tests/agree/acts.py" "$TWINDEX" seed "$SEED"
fi
exec "$PYTHON" -SB "$srcdir/tests/agree/acts.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
