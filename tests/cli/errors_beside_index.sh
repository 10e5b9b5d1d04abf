# SPDX-License-Identifier: MIT
# What lies beside an index under a name of its own files, and is none, is refused and stays as it was;
# so is a database of another program, whatever state it is in, with nothing new beside it.
. "$srcdir/tests/cli/lib.sh"

need timeout
mkdir z
printf 'same' >z/a
printf 'same' >z/b
sums() { find . -print -name 'x*' -type f -exec cksum {} +; }

# unchanged WANT COMMAND...: it exits with WANT, without waiting, and leaves everything as it was.  $before is that, if
# nothing else has changed anything since the last time.
before=
unchanged()
{
	want=$1
	shift
	[ -n "$before" ] || before=$(sums)
	ran="twindex $*"
	got=0
	timeout 10 "$TWINDEX" "$@" >"$T/out" 2>"$T/err" || got=$?
	[ $got -eq "$want" ] || {
		show_run
		fail "exit status $got instead of $want"
	}
	after=$(sums)
	[ "$before" = "$after" ] || fail "$ran: something has changed: from $before to $after"
}

for suffix in lock wal journal shm; do
	for kind in text pipe; do
		in_turn || continue
		make()
		{
			if [ $kind = text ]; then
				printf 'My notes on %s: they are long enough to be anything.\n' $suffix >x.db-$suffix
			else
				mkfifo x.db-$suffix
			fi
		}
		# Beside an index that is not there.
		rm -f x.db*
		make
		before=
		unchanged 5 -d x.db scan z
		err_has "x.db-$suffix'"
		unchanged 5 -d x.db report
		# Beside one that is there.
		rm x.db*
		run 0 -d x.db -q scan z
		rm -f x.db-*
		make
		before=
		unchanged 5 -d x.db scan z
		err_has "x.db-$suffix'"
		# A query has no use for the lock.
		[ $suffix = lock ] && continue
		unchanged 5 -d x.db report
		err_has "x.db-$suffix'"
	done
done

# What a lock says is replaced only if it is a process that says it.
rm -f x.db*
printf '%0400d' 1 >x.db-lock
run 5 -d x.db -q scan z
err_has "x.db-lock'"
printf '4711 on somewhere\n' >x.db-lock
run 0 -d x.db -q scan z
[ ! -s x.db-lock ] || fail 'an old name stays in the lock'

# Shared memory grows page by page, and is met while it does.
for size in 0 3 4096 28672; do
	truncate -s 0 x.db-shm
	truncate -s $size x.db-shm
	run 0 -d x.db info
done
printf '%4097d' 0 >x.db-shm
before=
unchanged 5 -d x.db info
err_has 'x.db-shm'
rm x.db-shm
# What a power cut leaves of it may hold any bytes; of another size, mode or owner it is somebody else's.
garbage() { $AWK -v n=$1 'BEGIN { while (n-- > 0) printf "?" }'; }
garbage 32768 >x.db-shm
chmod 600 x.db x.db-shm
run 0 -d x.db info
garbage 32768 >x.db-shm
run 0 -d x.db -q scan z
for wrong in 4096 mode owner; do
	[ $wrong != owner ] || [ "$(id -u)" = 0 ] || continue
	garbage 65536 >x.db-shm
	chmod 600 x.db-shm
	case $wrong in
	mode) chmod 640 x.db-shm ;;
	owner) chown 1002 x.db-shm ;;
	*) garbage $wrong >x.db-shm ;;
	esac
	before=
	unchanged 5 -d x.db info
	err_has 'x.db-shm'
	rm x.db-shm
done

# A log or a journal of a database that is gone may be all that is left of it.
[ -n "$SQLITE3" ] && [ -n "$PYTHON" ] || skip 'the rest needs sqlite3 and python'
rm x.db*
"$PYTHON" -S - <<'END_PYTHON' || fail 'no databases'
import os, sqlite3
def database(name, *commands):
    if os.fork() == 0:
        db = sqlite3.connect(name, isolation_level=None)
        for command in commands:
            db.execute(command)
        os._exit(0)
    os.wait()
for name, mode in (("xw", "WAL"), ("xj", "DELETE")):
    database(name, "PRAGMA journal_mode = " + mode, "CREATE TABLE t (x)", "INSERT INTO t SELECT zeroblob(200000)",
             "PRAGMA cache_size = 2", "BEGIN", "UPDATE t SET x = zeroblob(100000)")
# All of it still lies in the log: its first page alone looks empty.
database("xl", "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE t (x)")
# Nothing in it but what its program calls its version; of a future twindex; in a log, too.
database("xv", "PRAGMA user_version = 7")
database("xa", "PRAGMA application_id = 4711")
database("xn", "PRAGMA application_id = 0x54776478", "PRAGMA user_version = 99", "CREATE TABLE t (x)")
database("xm", "PRAGMA journal_mode = WAL", "PRAGMA application_id = 0x54776478", "PRAGMA user_version = 99",
         "CREATE TABLE t (x)", "PRAGMA wal_checkpoint(TRUNCATE)")
END_PYTHON
[ -s xw-wal ] && [ -s xj-journal ] && [ -s xl-wal ] || fail 'no log or journal is left'
rm -f x?-shm
cp xw-wal x.db-wal
before=
unchanged 5 -d x.db scan z
err_has 'x.db-wal'
rm x.db-wal
cp xj-journal x.db-journal
: >x.db
before=
unchanged 5 -d x.db scan z
err_has 'x.db-journal'
before=
for name in xw xj xl xv xa xn xm; do
	for command in 'scan z' report info check 'sql select' refresh; do
		in_turn || continue
		# shellcheck disable=SC2086
		unchanged 5 -d $name $command
	done
	# The next one gets other commands.
	turns=$((turns + 1))
done
