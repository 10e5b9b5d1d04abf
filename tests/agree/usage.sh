# SPDX-License-Identifier: MIT
# Random trees: the sums that du, waste and tree show of every directory, and
# the names that where finds, are those of an independent computation.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 30 from 1)

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

# A sanitized program is slower by an order of magnitude.
case $CC_FLAGS in
*-fsanitize*) few=8 ;;
*) few=30 ;;
esac
exec "$PYTHON" -B "$srcdir/tests/agree/usage.py" "$TWINDEX" "${SEEDS:-$few}" "${FIRST:-1}"
