# SPDX-License-Identifier: MIT
# What the tests of twindex-fleet that spoil exports begin with, after lib.sh: . "$srcdir/tests/cli/fleet.sh"
#
#	hosts HOST...         whole/ has the exports of these hosts, as NDJSON
#	model WORD...         fleet.py does so, and what it prints is in $T/model
#	group_of N            $group is the hash_id of the Nth group
#	fleet STATUS ARG...   twindex-fleet ARG..., by SQLite, exits with STATUS: no answer but with 0 and 3
#	fresh                 fleet/ is whole again
#	edit FILE FROM TO     where a line of FILE has FROM it has TO instead

[ -n "$PYTHON" ] || skip 'no python3'
model=$srcdir/tests/cli/fleet.py
# Its modules are compiled once a test.
cp -R "$srcdir/sql/fleet" "$T/program" && chmod u+w "$T/program" && "$PYTHON" -S -m compileall -q "$T/program" || fail 'not compiled'
python_forks "$PYTHON" -S argparse csv json random shlex sqlite3 tempfile

hosts()
{
	model make 4 whole ndjson "$@"
}

model()
{
	forked "$T/model" "$T/model-err" "$model" "$@"
	[ "$got" -eq 0 ] || fail "fleet.py $*: $(cat "$T/model" "$T/model-err")"
}

group_of()
{
	model group "$1"
	read -r group <"$T/model"
}

fleet()
{
	want=$1
	shift
	ran="twindex-fleet $*"
	forked "$T/out" "$T/err" "$T/program/twindex-fleet" "$@" --engine sqlite
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
