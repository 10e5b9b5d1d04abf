# SPDX-License-Identifier: MIT
# What tests/agree/NAME.sh end with that play rounds of seeds: . "$srcdir/tests/agree/play.sh"
#
#	play NAME N FEW   N rounds of NAME.py, which tell at once of what breaks often: .ci/run plays SEEDS=20 of each, and
#	                  FEW with a sanitized program, which is slower by an order of magnitude; or those that SEEDS
#	                  and FIRST say, or the one of SEED

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }

play()
{
	case $CC_FLAGS in
	*-fsanitize*) set -- "$1" "$3" ;;
	esac
	[ -z "${SEED:-}" ] || exec "$PYTHON" -SB "$srcdir/tests/agree/$1.py" "$TWINDEX" seed "$SEED"
	exec "$PYTHON" -SB "$srcdir/tests/agree/$1.py" "$TWINDEX" "${SEEDS:-$2}" "${FIRST:-1}"
}
