# SPDX-License-Identifier: MIT
# Each answer of decide can be taken back; what is decided stays so when it ends early, however it ends.
. "$srcdir/tests/cli/lib.sh"

marked() { run 0 marks; n=$(sed '$d' "$T/out" | wc -l); [ "$n" -eq "$1" ] || { show_run; fail "$ran: $n marks instead of $1"; }; }

mkdir -p a b c
for f in 1 2 3; do
	printf 'in a and b, %s' $f >a/$f
	cp a/$f b/$f
done
printf 'in a and c' >a/c
cp a/c c/c
scan .

# An answer about a group, and the question is asked again.
answer 0 '1\nu\n2\nq\n'
err_has '  taken back: 3 sets'
[ "$(grep -c '^group 1 of 2' "$T/err")" -eq 2 ] || fail 'the question did not come again'
err_has '3 of 4 sets decided'
err_has '3 files marked drop'
marked 6
run 0 mark clear .
# Answers about sets, one after another, across groups; then there is none left.
answer 0 's\n1\n1\nu\nu\nu\nq\n'
[ "$(grep -c '  taken back: 1 set$' "$T/err")" -eq 2 ] || fail 'not two answers were taken back'
err_has 'there is no answer to take back'
marked 0
answer 0 '1\ns\n1\n'
marked 8
run 0 mark clear .
answer 0 '1\nu\n'
err_has '0 of 4 sets decided'
marked 0
# The end of the input, and a new start.
answer 0 '1\n'
marked 6
answer 0 ''
err_has '1 set, 10 B, in 1 group; 3 decided before'
# One command of mark undoes one answer.
run 0 mark undo
marked 0
# The decide that has just been started gets an answer to its first question, and has taken it.
answer_first()
{
	pid=$!
	exec 3>answers
	echo 1 >&3
	until grep -q 'kept 3 in a/' "$T/err"; do
		kill -0 $pid || fail 'it has ended'
		sleep 0.01
	done
}
# What another process does between an answer and its undoing, each line a command of its own.
meanwhile()
{
	run 0 mark clear .
	"$TWINDEX" decide <answers >"$T/out" 2>"$T/err" &
	answer_first
	# The index is not locked while a question waits.
	while read -r line; do
		"$TWINDEX" $line >"$T/meanwhile" 2>&1 || fail "$line: $(cat "$T/meanwhile")"
	done
	printf 'u\nq\n' >&3
	exec 3>&-
	ran="decide beside $line"
	wait $pid || fail "status $?"
	err_lacks 'taken back: '
}
mkfifo answers
# Somebody else has marked: that is not taken back.
meanwhile <<'EOF'
mark keep c/c
EOF
err_has 'another command has marked since'
marked 7
# Somebody else has taken the answer back already.
meanwhile <<'EOF'
mark undo
mark undo
EOF
err_has 'too old to be taken back, or was taken back already'
# ... and has marked anew: as many commands have marked as before, and the last is not the answer.
meanwhile <<'EOF'
mark undo
mark drop c/c
EOF
err_has 'another command has marked since'
marked 1
# ... or has forgotten it with the files, and marked anew.
meanwhile <<'EOF'
forget .
scan --racy-window 0s .
mark drop c/c
EOF
err_has 'another command has marked since'
marked 1
# While another command writes an answer is not taken, and asked for again.
run 0 mark clear .
if command -v flock >/dev/null; then
	ran='decide while the index is locked'
	flock "$TWINDEX_DB-lock" sh -c 'printf "1\nq\n" | "$TWINDEX" decide' >"$T/out" 2>"$T/err" || fail "status $?"
	err_has 'the index is in use'
	[ "$(grep -c 'keep where' "$T/err")" -eq 2 ] || fail 'the question did not come again'
	marked 0
fi
# Ctrl-C ends it with what was marked.
run 0 mark clear .
(
	trap - INT
	exec "$TWINDEX" decide
) <answers >"$T/out" 2>"$T/err" &
answer_first
kill -TERM $pid
got=0
wait $pid || got=$?
exec 3>&-
[ $got -eq 143 ] || fail "status $got after SIGTERM"
marked 6

# Answers given about the directories below a group can be taken back after that level, too.
cd "$T/work" || exit 99
rm -rf a b c
mkdir -p vms/old vms/older docs
printf 'an image' >vms/a
cp vms/a vms/old/a
printf 'another image' >vms/b
cp vms/b vms/older/b
printf 'a text' >docs/t
cp docs/t t
rm -f "$TWINDEX_DB"*
scan .
answer 0 'd\n1\n1\nu\nq\n'
err_has '  taken back: 1 set'
[ "$(grep -c '^group 1 of 2' "$T/err")" -ge 2 ] || fail 'the group did not come again'
err_has '1 of 3 sets decided'
marked 2
run 0 mark clear -q .
answer 0 'd\n1\n1\nu\nu\nu\nq\n'
[ "$(grep -c '  taken back: 1 set$' "$T/err")" -eq 2 ] || fail 'not two answers were taken back'
err_has 'there is no answer to take back'
marked 0
# One by one, the bytes are those of all that was marked.
answer 0 'd\ns\n1\ns\n1\ns\n1\n'
err_has '3 files marked drop, 27 B of contents'
run 0 marks
out_has '3 to drop, 12.0 KiB to be freed on disk'
