# SPDX-License-Identifier: MIT
# undo takes the commands back one by one; keep and drop replace each other; clear also clears what is gone.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for f in a b c; do printf 'same' >d/$f; done
printf 'alone' >d/alone
scan d
state() { rows "SELECT group_concat(name, ' ') FROM (SELECT replace(path, '$T/work/d/', '') || ':' || decision AS name FROM mark_view ORDER BY path)"; }
is() { state; printf '%s\n' "$1" | out || exit; }

run 1 mark undo
err_has 'there is nothing to undo'
run 0 mark keep d
out <<'END'
4 files marked keep
END
run 0 mark drop --force d/a d/b
# What changes nothing is no step.
run 0 mark drop d/a
run 0 mark keep d/a d/a
run 0 mark clear d/b d/c
out_has '2 files cleared'
run 0 mark clear d/b
out <<END
not marked: $T/work/d/b
0 files cleared
END
is 'a:keep alone:keep'
run 0 mark undo
out_has '2 files as before'
is 'a:keep alone:keep b:drop c:keep'
run 0 mark undo
is 'a:drop alone:keep b:drop c:keep'
# A new command after an undo is the next to be undone.
run 0 mark clear d
is ''
run 0 mark undo
is 'a:drop alone:keep b:drop c:keep'
run 0 mark undo
is 'a:keep alone:keep b:keep c:keep'
run 0 mark undo
out_has '4 files as before'
is ''
run 1 mark undo
run 0 marks
out <<'END'
No marks.
END

# clear works where there is nothing any more, and by component.
mkdir dd
printf 'same' >dd/x
scan dd
run 0 mark keep d dd
rm -r d/a dd
scan d
run 0 mark clear d
out <<'END'
4 files cleared
END
run 0 mark clear dd/x
out <<END
unmarked: $T/work/dd/x (was keep)
END
# forget drops marks for good.
run 0 mark keep d
run 0 mark drop --force d/b
run 0 forget d
run 0 mark undo
run 0 mark undo
run 0 marks
out <<'END'
No marks.
END
# The last 100 commands can be taken back; one that was taken back takes the place of none.
scan d
run 0 mark clear /
i=0
while [ $i -lt 55 ]; do
	i=$((i + 1))
	[ $((i % 5)) -gt 0 ] || printf 'mark keep d/alone\nmark undo\n'
	printf 'mark clear d/c\nmark keep d/c\n'
done >script
run 0 shell <script
i=0
while [ $i -le 100 ]; do
	i=$((i + 1))
	echo 'mark undo'
done >script
run 1 shell <script
err_has 'there is nothing to undo'
# Each of them was about one file, and says one line.
i=$(wc -l <"$T/out")
[ "$i" -eq 100 ] || fail "$i commands were taken back instead of 100"
