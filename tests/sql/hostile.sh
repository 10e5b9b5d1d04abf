# SPDX-License-Identifier: MIT
# An index whose numbers and names are not what a scan writes is either said to
# be damaged or answers something: no command comes to harm by it.  In a build
# with sanitizers this finds every number that overflows.

[ -n "$SQLITE3" ] || { echo "no sqlite3"; exit 77; }

T=$(mktemp -d) || exit 99
T=$(cd "$T" && pwd -P) || exit 99
trap 'rm -rf "$T"' EXIT
failed=0

mkdir -p "$T/tree/sub/deep" "$T/other"
printf same >"$T/tree/a"
printf same >"$T/tree/sub/b"
printf same >"$T/other/c"
printf twice >"$T/tree/t1"
printf twice >"$T/tree/sub/deep/t2"
ln "$T/tree/a" "$T/tree/sub/link"
printf alone >"$T/tree/alone1"
head -c 100000 /dev/zero >"$T/tree/big"
: >"$T/tree/empty"
printf same >"$T/stranger"
"$TWINDEX" --db "$T/good.db" scan -q --exclude '*.o' "$T/tree" || exit 1
"$TWINDEX" --db "$T/good.db" scan -q "$T/other" || exit 1

# It has a history.
mv "$T/other" "$T/tree/moved"
printf 'not the same' >"$T/tree/sub/b"
rm -r "$T/tree/sub/deep"
"$TWINDEX" --db "$T/good.db" scan -q "$T/tree" || exit 1
mkdir "$T/tree/sub/deep"
printf twice >"$T/tree/sub/deep/t2"
mkdir "$T/other"
printf same >"$T/other/c"
"$TWINDEX" --db "$T/good.db" scan -q || exit 1

# ask ARG...: it ends by itself; what it says is added to that of others.
ask()
{
	status=0
	echo "twindex $*" >>"$T/err"
	"$TWINDEX" --db "$T/i.db" "$@" >"$T/out" 2>>"$T/err" </dev/null || status=$?
	[ $status -le 6 ] || { echo "this exits with $status: Sanitizer or signal" >>"$T/err" && died=yes; }
}

# After the questions: none was ended by a signal, and none has a word from a sanitizer.
answered()
{
	if [ -n "$every$died" ] && grep -qE 'runtime error|Sanitizer' "$T/err"; then
		echo "after $sql"
		cat "$T/err"
		failed=1
	fi
}

# made SQL: an index after it, or the test has failed.
made()
{
	sql=$1
	died=
	: >"$T/err"
	cp "$T/good.db" "$T/i.db"
	"$SQLITE3" -batch -bail "$T/i.db" "PRAGMA ignore_check_constraints = 1; $sql" >/dev/null && return
	echo "sqlite3: $sql"
	failed=1
	return 1
}

# All commands, in one shell, which takes half the time of as many programs.
ask_all()
{
	ask shell -k -c "info; ls -v --format json '$T/tree'; uniques -x '$T/tree' '$T/tree'; report --format json
		report --no-check --sort time; file --format csv '$T/tree/a' '$T/stranger' '$T/tree/sub/deep/t2'
		check; refresh -q; scan -q; forget -q '$T/tree/sub'"
	answered
}

# hostile SQL: all commands on an index after it.
hostile()
{
	made "$1" && ask_all
}

# hostile_history SQL: those that read what files were before.
hostile_history()
{
	made "$1" || return
	ask shell -k -c 'check; diff --json 0; scan -q'
	answered
}

# is_damaged SQL: after it, a command says so, and none comes to harm, which is asked for a third without EVERY_KIND=1.
damages=0
is_damaged()
{
	made "$1" || return
	ask ls "$T/tree"
	[ $status -eq 5 ] || { echo "after $1 twindex ls exits with $status instead of 5"; failed=1; }
	damages=$((damages + 1))
	[ -z "$every${EVERY_KIND:-}" ] && [ $((damages % 3)) -ne 1 ] || ask_all
}

# A sanitizer sees also what overflows once it is doubled, and each number in each column.  Without one the numbers take
# turns: every other column has the largest, and those between them the smallest; of these a third, with EVERY_KIND=1 all.
case ${CC_FLAGS:-} in
*-fsanitize*) doubled=4611686018427387904 every=yes ;;
*) doubled= every= ;;
esac
first=0 tries=0
# in_turn COMMAND ARG...: where it is the number's turn.
in_turn()
{
	turn=$((1 - turn))
	[ -n "$every" ] || [ $turn != $first ] || return 0
	tries=$((tries + 1))
	[ -z "$every${EVERY_KIND:-}" ] && [ $((tries % 3)) != 1 ] || "$@"
}
for n in 9223372036854775807 -9223372036854775808 $doubled; do
	turn=0
	for column in size own_blocks volume inode nlink own_mtime own_mtime_nsec ctime ctime_nsec head racy verified error dir; do
		in_turn hostile "UPDATE OR REPLACE file SET $column = $n"
	done
	in_turn hostile "UPDATE file SET size = $n, own_blocks = $n, hash = zeroblob(16), nlink = 1, inode = rowid FROM
		(SELECT row_number() OVER () AS rowid, dir AS d, name AS n FROM file) WHERE dir = d AND name = n"
	in_turn hostile "UPDATE OR REPLACE dir SET id = $n WHERE name = 'deep'"
	for column in parent volume inode error; do
		in_turn hostile "UPDATE OR REPLACE dir SET $column = $n"
	done
	in_turn hostile "UPDATE OR REPLACE volume SET id = $n"
	for column in hidden one_fs trust_mtime min_size max_size scan dir; do
		in_turn hostile "UPDATE OR REPLACE root SET $column = $n"
	done
	in_turn hostile "UPDATE scan SET id = $n WHERE id = 1"
	in_turn hostile "UPDATE scan SET started = $n, finished = 1, files = $n, dirs = $n, bytes = $n, files_read = $n,
		errors = $n, sets = $n, redundant = $n, pid = $n"
	in_turn hostile "INSERT OR REPLACE INTO meta VALUES ('pending', $n)"
	first=$((1 - first))
done

# What files were before.
for n in 9223372036854775807 -9223372036854775808; do
	turn=0
	for column in run dir size volume inode mtime mtime_nsec head left_out; do
		in_turn hostile_history "UPDATE OR REPLACE file_before SET $column = $n"
	done
	for column in run dir parent; do
		in_turn hostile_history "UPDATE OR REPLACE dir_before SET $column = $n"
	done
	in_turn hostile_history "UPDATE dir_before SET dir = $n WHERE parent IS NULL"
	in_turn hostile_history "INSERT OR REPLACE INTO meta VALUES ('history_from', $n), ('history', $n)"
	first=$((1 - first))
done
hostile_history "UPDATE OR REPLACE file_before SET name = 'a/b', name_raw = x'2e2e00', hash = 'sixteen letters.', size = 'many', inode = 1e300"
hostile_history "UPDATE dir_before SET parent = dir WHERE parent IS NOT NULL"
hostile_history "UPDATE dir_before SET name = '..'"

hostile "UPDATE scan SET started = -9223372036854775808, finished = 9223372036854775807"

# Names: a directory's, of a top and of another one; a file's.
for name in "''" "'.'" "'..'" "'a/b'" "'/'" "CAST(x'610062' AS TEXT)"; do
	is_damaged "UPDATE dir SET name = $name WHERE name = 'sub'"
	is_damaged "UPDATE file SET name = $name WHERE name = 'alone1'"
done
for raw in "x'2f'" "x'2e2e'" "x'6100'" "x''"; do
	is_damaged "UPDATE dir SET name = '', name_raw = $raw WHERE name = 'sub'"
	is_damaged "UPDATE file SET name = '', name_raw = $raw WHERE name = 'alone1'"
done
for name in "''" "'relative'" "'..'" "CAST(x'2f610062' AS TEXT)"; do
	is_damaged "UPDATE dir SET name = $name WHERE parent = 0 AND name LIKE '%/tree'"
done
is_damaged "UPDATE dir SET id = 0 WHERE name = 'sub'; UPDATE file SET dir = 0 WHERE name = 'b'"
is_damaged "UPDATE dir SET id = -7 WHERE name = 'sub'"
hostile "UPDATE dir SET parent = id"
hostile "UPDATE dir SET id = 0 WHERE parent = 0 AND name LIKE '%/tree'"

# Hashes and secrets of another length, other types.
is_damaged "UPDATE file SET hash = x'00' WHERE name = 'a'"
hostile "UPDATE file SET hash = x'' WHERE hash IS NOT NULL"
hostile "UPDATE file SET hash = 'sixteen letters.', name = x'61', size = 'many', inode = 1e300 WHERE name = 't1'"
hostile "UPDATE volume SET key = x'00ff'"
is_damaged "UPDATE meta SET value = x'00' WHERE key = 'secret'"
is_damaged "DELETE FROM meta WHERE key = 'secret'"

# Hashes by an algorithm of which nothing is known here.
is_damaged "UPDATE meta SET value = 'sha3-256' WHERE key = 'algorithm'"
grep -q "sha3-256.*newer twindex" "$T/err" || { echo "the algorithm is not named"; cat "$T/err"; failed=1; }
is_damaged "DELETE FROM meta WHERE key = 'algorithm'"
exit $failed
