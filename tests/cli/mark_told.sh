# SPDX-License-Identifier: MIT
# mark names the files that were given by themselves, and what stays; undo and redo name what they change.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for f in a b c; do printf 'same' >d/$f; done
ln d/c d/link
printf 'alone' >d/alone
scan d
D=$T/work/d

run 0 mark drop d/a
out <<END
marked drop: $D/a
       stay: $D/b and 1 other copy
END
run 0 mark drop d/a
out <<END
marked drop: $D/a (already)
       stay: $D/b and 1 other copy
END
run 3 mark drop d/a d/b d/alone
out <<END
marked drop: $D/a (already)
      stays: $D/c
marked drop: $D/b
      stays: $D/c
1 file marked drop, 1 already
END
# A refusal that was told is not told again, and of several -v has no more to tell.
says "$T/err" "twindex: '$D/alone' is not marked: unique" || fail "told twice: $(cat "$T/err")"
printf 'other' >d/other
scan d
run 3 mark drop 'd/*o*'
err_has '2 files refused'
err_lacks 'lists them'
rm d/other
scan d
# The names of one inode are one copy, which is what stays.
run 3 mark drop d/c d/link -q
run 0 mark keep d/c
out <<END
marked keep: $D/c
END
# A directory is a number; -v names its files.
run 0 mark keep d
out <<'END'
4 files marked keep, 1 already
END
run 0 mark keep -v d
out_has "marked keep: $D/alone (already)"
run 0 mark -q keep d/a
out </dev/null
run 0 mark clear d/b
out <<END
unmarked: $D/b (was keep)
END
run 0 mark clear d/b
out <<END
not marked: $D/b
0 files cleared
END

# undo and redo.
run 0 mark undo
out <<END
marked keep: $D/b
END
run 0 mark undo
out <<END
marked drop: $D/a (was keep)
unmarked: $D/alone (was keep)
marked drop: $D/b (was keep)
unmarked: $D/link (was keep)
4 files as before
END
run 0 mark redo
out <<END
marked keep: $D/a (was drop)
marked keep: $D/alone
marked keep: $D/b (was drop)
marked keep: $D/link
4 files as before the undo
END
run 0 mark redo
out <<END
unmarked: $D/b (was keep)
END
run 1 mark redo
err_has 'there is nothing to redo'
# Back and forth, all of it; and the contents that the marks were made for come back with them.
rows 'SELECT path, decision, size, hash FROM mark_view ORDER BY path'
cp "$T/out" "$T/all"
undone=0
while "$TWINDEX" mark -q undo 2>/dev/null; do undone=$((undone + 1)); done
[ $undone -eq 5 ] || fail "$undone commands were undone"
run 0 marks
out_has 'No marks.'
while "$TWINDEX" mark -q redo 2>/dev/null; do undone=$((undone - 1)); done
[ $undone -eq 0 ] || fail "$undone commands were not done again"
rows 'SELECT path, decision, size, hash FROM mark_view ORDER BY path'
out <"$T/all"
# A new command ends redo; undo takes no path; a long one is cut.
run 0 mark undo
run 0 mark drop -f d/b
run 1 mark redo
run 2 mark redo d
err_has 'mark redo takes no path'
mkdir many
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf 'm' >many/$i; done
scan many
run 0 mark keep many
run 0 mark undo
[ "$(grep -c '^unmarked: ' "$T/out")" -eq 10 ] || fail 'a long undo is not cut'
out_has '12 files as before: -v lists them'
run 0 mark -v redo
[ "$(grep -c '^marked keep: ' "$T/out")" -eq 12 ] || fail '-v does not name all'
