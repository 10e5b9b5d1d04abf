# SPDX-License-Identifier: MIT
# What every test in tests/cli starts with: . "$srcdir/tests/cli/lib.sh"
#
# The test then stands in a new empty directory $T/work, with HOME, the index
# and all settings of its own.
#
#	run STATUS ARG...     twindex ARG... exits with STATUS; keeps $T/out and $T/err
#	out <<'END'           its stdout was exactly this
#	out_has TEXT          its stdout contains TEXT;  out_lacks TEXT: does not
#	err_has TEXT          its stderr contains TEXT;  err_lacks TEXT: does not
#	fail MESSAGE...       the test fails
#	skip REASON...        the test cannot run here
#	scan ARG...           run 0 scan --racy-window 0s ARG...: what was just written is not read twice
#	says FILE LINE        whether FILE has that one line, and nothing else
#	out_line REGEXP       a line of its stdout is REGEXP (a basic one) from end to end
#	rows QUERY            run 0 sql --no-header QUERY
#	answer STATUS ANSWERS ARG...   twindex decide ARG... exits with STATUS; printf ANSWERS are its lines of input
#	need TOOL...          the test cannot run without these
#	python_with MODULES...   $python is one that has these, or one of these lists; bootstrap installs them for MORE_PYTHON
#	python_forks PYTHON [-OPTION]... MODULE...   from here on forked runs programs of this Python, which has imported these
#	forked OUT ERR PROGRAM ARG...   PROGRAM of Python runs with its stdout and stderr in files, and $got is its status
#	terminal COLUMNS ARG...   twindex ARG... (words for sh) on a terminal of that width: all it shows is in $T/out, without
#	                      colours; $got is its status (needs script)
#	need_linux WHAT...    from here on it cannot go on with a build with --disable-linux-paths, for POSIX has no WHAT
#	in_turn               whether the next of many like cases is tried: every third, with EVERY_KIND=1, as .ci/run has it, all
#	each_hostile FUNCTION FUNCTION NAME for each of some forty names that are hard to quote or to show; $n counts them
#	injected CALLS HOW ARG...   twindex ARG... under strace, where each word of HOW makes calls fail, or kills it by one,
#	                      as in "fsync:error=EIO:when=2"; CALLS are all that HOW names.  $got is its status.  Returns
#	                      whether it came to that.  With only_path=PATH calls that name it count.
#	ordinary              what follows runs as an ordinary user
#	hold CALL N ARG...    twindex ARG..., until one of its threads is about to make its Nth such call of the kernel;
#	                      with hold_path=PATH only those that name it count
#	resume STATUS         it goes on, and exits with STATUS
#	rot_tree              makes d, whose copies of two sizes and a file alone rot_some lets rot
#	rot FILE N            byte N of FILE is another one, unnoticed, as if the disk had done it (needs $SQLITE3)
#
# Run one by hand:  make check TESTS=tests/cli/NAME.sh  (its output is in
# tests/cli/NAME.log);  KEEP=1 leaves its directory behind.

LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset CDPATH COLUMNS LANG LANGUAGE LS_COLORS NO_COLOR CLICOLOR CLICOLOR_FORCE PAGER MANPAGER
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR
umask 022
set -u
# By its name, as people call it: hints have the path of a program that was called by one.
PATH=${TWINDEX%/*}:$PATH
by_name=${TWINDEX##*/}

T=$(mktemp -d "${TMPDIR:-/tmp}/twindex-test.XXXXXX") || exit 99
# Resolved, for that is how twindex prints it.
cd -P "$T" && T=$PWD || exit 99

# The program that hold has started, and the Python of forked.
held= forks=
# Whether a scan has ended since SQLite looked at the index.
scanned=no
newline='
'

cleanup()
{
	[ -z "$held" ] || kill -9 "$held"
	[ -z "$forks" ] || { kill "$forks" && wait "$forks"; } 2>/dev/null
	[ $scanned = no ] || (intact)
	cd / || return
	failed=no
	[ ! -e "$T/failed" ] || failed=yes
	if [ -n "${KEEP:-}" ]; then
		echo "kept: $T"
	else
		rm -rf "$T" 2>/dev/null || { chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"; }
	fi
	# Without it the status is what it was before the trap, whatever a test's own trap does first.
	[ $failed = no ] || exit 1
}
trap cleanup EXIT
trap 'exit 99' HUP INT TERM

HOME=$T/home
XDG_STATE_HOME=$T/state
TWINDEX_DB=$T/index.db
export T HOME XDG_STATE_HOME TWINDEX_DB
mkdir "$HOME" "$XDG_STATE_HOME" "$T/work" && cd "$T/work" || exit 99
: >"$T/out" >"$T/err"
ran='nothing yet'
as=

# What the last run printed, for the reader of a failed test.
show_run()
{
	echo "ran: $ran"
	echo "--- stdout"
	cat "$T/out"
	echo "--- stderr"
	cat "$T/err"
	echo "---"
}

# In a subshell (... | out) exit leaves only that: cleanup sees what is noted.
fail()
{
	echo "FAIL: $*"
	: >"$T/failed"
	exit 1
}

skip()
{
	echo "SKIP: $*"
	exit 77
}

# What scans left is a whole database for SQLite itself, where that is there: at the end of a test, and with EVERY_KIND=1,
# as .ci/run has it, after each scan.  A test that damages its index sets scanned=no.
intact()
{
	index=${TWINDEX_DB:-}
	scanned=no
	[ -n "${SQLITE3:-}" ] && [ -r "$index" ] && [ ! -s "$index-wal" ] && [ ! -s "$index-journal" ] || return 0
	# By the system's own library, whichever one the program is tried with.
	found=$(unset LD_LIBRARY_PATH; exec "$SQLITE3" "file:$index?immutable=1" 'PRAGMA quick_check' 2>&1)
	[ "$found" = ok ] || fail "quick_check after '$ran': $found"
}

run()
{
	want=$1
	shift
	ran="twindex $*"
	got=0
	$as "$by_name" "$@" >"$T/out" 2>"$T/err" || got=$?
	[ "$got" -eq "$want" ] || {
		show_run
		fail "exit status $got instead of $want"
	}
	case "$got $*" in
	[03]' scan '* | [03]*' scan')
		scanned=yes
		[ -z "${EVERY_KIND:-}" ] || intact
		;;
	esac
}

in_turn()
{
	turns=$((turns + 1))
	[ -n "${EVERY_KIND:-}" ] || [ $((turns % 3)) -eq 1 ]
}
turns=0

# Whether the program is not one of --disable-linux-paths.
is_linux()
{
	[ -n "${linux:-}" ] || linux=$(grep -c '^#define LINUX_PATHS' "$builddir/config.h")
	[ "$linux" -gt 0 ]
}

terminal()
{
	columns=$1
	shift
	ran="twindex $* (on a terminal)"
	got=0
	proper=${TWINDEX_PROPER:-$TWINDEX}
	PATH=${proper%/*}:$PATH NO_COLOR=1 TERM=xterm script -qec "stty columns $columns; ${proper##*/} $*" "$T/typescript" \
		>/dev/null 2>&1 </dev/null || got=$?
	tr -d '\r' <"$T/typescript" | grep -v '^Script ' >"$T/out"
	: >"$T/err"
}

# made TEXT: the calls in it as this program makes them.
made()
{
	# POSIX has no other calls that rename and open.
	if is_linux; then echo "$1"; else echo "$1" | sed 's/\(renameat\|openat\)2/\1/g'; fi
}

hold()
{
	call=$(made "$1") when=$2
	shift 2
	need strace
	rm -f "$T/trace"
	ran="twindex $*, held at call $when of $call"
	# LeakSanitizer cannot work under a tracer.  -I 1 lets a signal end the tracer, and so the delay.
	ASAN_OPTIONS=detect_leaks=0 strace -I 1 -D -f -o "$T/trace" -e trace="$call" ${hold_path:+-P "$hold_path"} \
		-e inject="$call:delay_enter=60000000:when=$when" "$TWINDEX" "$@" >"$T/out" 2>"$T/err" &
	held=$!
	until grep -sq "$call(" "$T/trace" && [ "$(grep -c "$call(" "$T/trace")" -ge "$when" ]; do
		kill -0 "$held" 2>/dev/null || skip 'no strace that can delay, or no such call'
		sleep 0.01
	done
	tracer=$(sed -n 's/^TracerPid:[^0-9]*//p' "/proc/$held/status")
	[ "${tracer:-0}" -gt 0 ] || skip 'no strace that can delay'
}

resume()
{
	kill "$tracer"
	got=0
	wait "$held" || got=$?
	held=
	[ "$got" -eq "$1" ] || {
		show_run
		fail "exit status $got instead of $1"
	}
}

answer()
{
	want=$1 lines=$2
	shift 2
	ran="printf '$lines' | twindex decide $*"
	got=0
	printf "$lines" | $as "$TWINDEX" decide "$@" >"$T/out" 2>"$T/err" || got=$?
	[ $got -eq "$want" ] || {
		show_run
		fail "exit status $got instead of $want"
	}
}

# The shell itself compares the first lines, which are all of most: to start diff takes longer.  It does not see a NUL, so
# with EVERY_KIND=1, as .ci/run has it, all is left to diff.
out()
{
	text_left=12 text_seen=
	[ -z "${EVERY_KIND:-}" ] || text_left=0
	while [ $text_left -gt 0 ]; do
		text_end= text_rest_end=
		! IFS= read -r text_line || text_end=$newline
		! IFS= read -r text_rest <&7 || text_rest_end=$newline
		text_seen=$text_seen$text_line$text_end
		[ "$text_line$text_end" = "$text_rest$text_rest_end" ] || break
		[ -n "$text_end" ] || return 0
		text_left=$((text_left - 1))
	done 7<"$T/out"
	{ printf '%s' "$text_seen" && cat; } | diff -u - "$T/out" >"$T/diff" || {
		show_run
		cat "$T/diff"
		fail "stdout is not what was expected"
	}
}

# has_text FILE TEXT: as grep -F, a line of it contains a line of TEXT.  The shell itself reads the first lines, which
# are all of most: to start grep takes twenty times as long.
has_text()
{
	case $2 in
	*"$newline"*) text_left=0 ;;
	*) text_left=20 ;;
	esac
	while [ $text_left -gt 0 ] && { IFS= read -r text_line || [ -n "$text_line" ]; }; do
		case $text_line in
		*"$2"*) return 0 ;;
		esac
		text_left=$((text_left - 1))
	done <"$1"
	[ $text_left -eq 0 ] && grep -qF -e "$2" "$1"
}

# As has_text it starts no process, where $(cat FILE) starts two.
says()
{
	{ IFS= read -r text_line; ! IFS= read -r text_rest && [ "$text_line$text_rest" = "$2" ]; } <"$1"
}

# expect_text FILE yes|no TEXT: whether FILE contains TEXT, as it is, is as expected.
expect_text()
{
	found=no
	! has_text "$T/$1" "$3" || found=yes
	[ $found = "$2" ] || {
		show_run
		fail "std$1: expected '$3': $2, found: $found"
	}
}

out_has() { expect_text out yes "$1"; }
out_lacks() { expect_text out no "$1"; }
err_has() { expect_text err yes "$1"; }
err_lacks() { expect_text err no "$1"; }

scan() { run 0 scan --racy-window 0s "$@"; }
rows() { run 0 sql --no-header "$@"; }

# What has no character that means something else, but a point, may be there as it is: the shell looks before grep does.
out_line()
{
	case $1 in
	*[][*^$\\]*) ;;
	*)
		text_left=20
		while [ $text_left -gt 0 ] && IFS= read -r text_line; do
			[ "$text_line" != "$1" ] || return 0
			text_left=$((text_left - 1))
		done <"$T/out"
		;;
	esac
	grep -qx -e "$1" "$T/out" || {
		show_run
		fail "stdout: no line '$1'"
	}
}

need()
{
	for tool in "$@"; do
		command -v "$tool" >/dev/null 2>&1 || skip "no $tool"
	done
}

python_with()
{
	for modules in "$@"; do
		for python in "$srcdir/.venv/bin/python3" python3; do
			# To import them takes up to a second; one that is there and broken is for the test to tell.
			! "$python" -B -c 'import sys, importlib.util as u; sys.exit(not all(map(u.find_spec, sys.argv[1].split(", "))))' \
				"$modules" 2>/dev/null || return 0
		done
	done
	skip "no packages for python3: $*"
}

# A start of Python takes ten times as long as a fork of one that runs, with large modules fifty times.
python_forks()
{
	mkfifo "$T/asked" "$T/ended" || skip 'no FIFOs here'
	forks_python=$1
	shift
	case ${1:-} in
	-*) forks_python_options=$1 && shift ;;
	*) forks_python_options= ;;
	esac
	# shellcheck disable=SC2086
	"$forks_python" $forks_python_options -B "$srcdir/tests/cli/forks.py" "$@" <"$T/asked" >"$T/ended" &
	forks=$!
	exec 8>"$T/asked" 9<"$T/ended"
}

forked()
{
	printf '%s\0' $(($# + 1)) "$PWD" "$@" >&8
	read -r got <&9 || fail "no Python that forks"
}

need_linux()
{
	is_linux || skip "POSIX has no $*"
}

# Root may read everything: give the tree to nobody and go on as that user.
ordinary()
{
	[ "$(id -u)" = 0 ] || return 0
	need setpriv
	as='setpriv --reuid=65534 --regid=65534 --clear-groups'
	chown -R 65534:65534 "$T" || skip 'cannot change owners here'
	$as "$TWINDEX" version >/dev/null 2>&1 || skip 'another user cannot run twindex here'
}

injected()
{
	calls=$(made "$1") inject=
	for one in $(made "$2"); do inject="$inject -e inject=$one"; done
	# With a filter in the kernel strace stops at these calls alone, which takes less than half of the time; but signals are
	# injected only where it stops at all calls.
	case $inject in
	*signal=*) filter= ;;
	*) filter=--seccomp-bpf ;;
	esac
	shift 2
	need strace
	ran="twindex $*, with$inject"
	got=0
	# LeakSanitizer cannot work under a tracer.
	# shellcheck disable=SC2086
	ASAN_OPTIONS=detect_leaks=0 strace -f $filter -o "$T/trace" ${only_path:+-P "$only_path"} -e trace="$calls" $inject \
		"$TWINDEX" "$@" >"$T/out" 2>"$T/err" || got=$?
	grep -q 'INJECTED\|+++ killed by SIGKILL' "$T/trace"
}

each_hostile()
{
	n=0
	for name in "$(printf 'nl\nrm -rf x')" "$(printf 'end\n.')" "$(printf 'bad\377\376')" '-rf' '--' '-' '$(touch P)' '`touch P`' \
		"sq';touch P; #" "'" "''" '"' '\' '\\' 'a\n' '\0101' '*' '?' '[a]' ' lead' 'trail ' ' ' "$(printf 'tab\there')" '%s' '%b' '!' '~' '#' \
		"$(printf '\033]0;PWNED\007')" "$(printf '\342\200\256bidi')" 'grün ☃' '=cmd|calc' '{a,b}' '$IFS' ';' '&' '|' '<' '>' \
		"$(printf '%0255d' 7)"; do
		n=$((n + 1))
		"$1" "$name"
	done
}

# schema FILE: that of an index, as text.
schema()
{
	"$SQLITE3" -batch -bail -readonly "$1" 'SELECT type, name, sql FROM sqlite_schema ORDER BY name;
		PRAGMA application_id; PRAGMA user_version; SELECT key, typeof(value) FROM meta ORDER BY key' ||
		fail "the schema of $1 cannot be read"
}

# schema_is_new WHY: the schema of the index is that of a new one, whether or not either has something left to read;
# after a scan, which makes the tables of names.
schema_is_new()
{
	mkdir new
	printf 'x' >new/x
	run 0 --db "$T/new.db" scan -q new
	# Other roots may not be there: status 3.
	"$TWINDEX" scan -q new >/dev/null 2>&1
	schema "$TWINDEX_DB" >"$T/schema-old"
	# What says that something is left to read.
	schema "$T/new.db" | sed '/^pending|/d; /^compared|/d' >"$T/schema"
	sed '/^pending|/d; /^compared|/d' "$T/schema-old" | diff -u - "$T/schema" || fail "$1"
}

# The index gets the times that writing made.
rot()
{
	printf 'X' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
	"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET own_mtime = $(stat -c %Y "$1"), own_mtime_nsec = 1$(stat -c %.9Y "$1" | sed 's/.*\.//') - 1000000000,
		ctime = $(stat -c %Z "$1"), ctime_nsec = 1$(stat -c %.9Z "$1" | sed 's/.*\.//') - 1000000000
		WHERE inode = $(stat -c %i "$1")" || fail 'no sqlite3'
}

rot_tree()
{
	mkdir d
	for size in 100 70000; do
		for name in a b c; do
			head -c $size /dev/zero >d/$name$size
		done
	done
	ln d/b100 d/link
	printf 'other' >d/fine
	cp d/fine d/fine2
	printf 'all alone' >d/lone
	printf 'ALL ALONE' >d/lone2
}

# Of the small copies one, of the large ones two, and what has no copy.
rot_some()
{
	rot d/b100 50
	rot d/a70000 3
	rot d/c70000 40000
	rot d/lone 1
}
