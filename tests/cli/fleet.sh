# SPDX-License-Identifier: MIT
# What the tests of twindex-fleet that spoil exports begin with, after lib.sh: . "$srcdir/tests/cli/fleet.sh"
#
#	hosts HOST...         whole/ has the exports of these hosts, as NDJSON
#	fleet STATUS ARG...   twindex-fleet ARG..., by SQLite, exits with STATUS: no answer but with 0 and 3
#	fresh                 fleet/ is whole again
#	edit FILE FROM TO     where a line of FILE has FROM it has TO instead

[ -n "$PYTHON" ] || skip 'no python3'
model=$srcdir/tests/cli/fleet.py
# Its modules are compiled once a test.
cp -R "$srcdir/sql/fleet" "$T/program" && chmod u+w "$T/program" && "$PYTHON" -S -m compileall -q "$T/program" || fail 'not compiled'

hosts()
{
	"$PYTHON" -SB "$model" make 4 whole ndjson "$@" || fail 'no fleet'
}

fleet()
{
	want=$1
	shift
	ran="twindex-fleet $*" got=0
	"$PYTHON" -SB "$T/program/twindex-fleet" "$@" --engine sqlite >"$T/out" 2>"$T/err" || got=$?
	[ "$got" -eq "$want" ] || {
		show_run
		fail "exit status $got instead of $want"
	}
	case $want in
	0 | 3) [ -s "$T/out" ] || fail "$ran: no answer" ;;
	*) [ ! -s "$T/out" ] || fail "$ran: an answer beside an error" ;;
	esac
}

fresh()
{
	rm -rf fleet
	cp -R whole fleet
}

edit()
{
	sed "s|$2|$3|" "$1" >"$T/edited" && ! cmp -s "$1" "$T/edited" || fail "no $2 in $1"
	cp "$T/edited" "$1"
}
