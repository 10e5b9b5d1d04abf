# SPDX-License-Identifier: MIT
# What is no index is refused by every command and left byte for byte as it was, with nothing beside it.  Each third command
# is tried, for another file other ones; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"

need timeout
mkdir z
printf 'x' >z/x
printf 'My thesis.\nIt is long.\n' >text
printf 'SQLite format 3' >short
[ -z "$SQLITE3" ] || "$SQLITE3" foreign 'CREATE TABLE t (x); INSERT INTO t VALUES (1)'
[ -z "$SQLITE3" ] || "$SQLITE3" foreign2 'PRAGMA application_id = 4711; CREATE TABLE t (x)'
mkdir dir
mkfifo fifo
run 0 --db "$T/real.db" scan z
ln -s "$T/real.db" link
ln -s nowhere dangling
sums() { find . -type f -exec cksum {} +; cksum "$T/real.db"; find . | sort; readlink link dangling; }
before=$(sums)
for target in text short foreign foreign2 dir fifo link dangling; do
	[ -e $target ] || [ -h $target ] || continue
	for command in 'scan z' report ls 'file z/x' info check 'sql select' refresh 'forget z' 'mark keep z' marks; do
		in_turn || continue
		# shellcheck disable=SC2086
		timeout 10 "$TWINDEX" --db $target $command >"$T/out" 2>"$T/err"
		got=$?
		ran="twindex --db $target $command"
		[ $got -eq 5 ] || {
			show_run
			fail "exit status $got"
		}
		{ read -r _ && ! read -r _; } <"$T/err" || {
			show_run
			fail 'not one line'
		}
	done
done
after=$(sums)
[ "$before" = "$after" ] || {
	echo "$after" >"$T/after"
	echo "$before" | diff - "$T/after"
	fail 'something has changed'
}
