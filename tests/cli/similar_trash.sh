# SPDX-License-Identifier: MIT
# similar compares no trash that is not named; a file in one of a directory that it shows, whose content is nowhere else, is
# told, and the exit status 3.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/.local/share/Trash/files b
printf '%100s' one | tee a/1 >b/1
printf '%100s' two | tee a/2 >b/2
printf 'a copy of it is there' | tee a/.local/share/Trash/files/3 a/3 >b/3
scan a b
run 0 similar a b
out_has twins
err_has '1 trash left out: name it to compare it'
err_lacks 'nowhere else'

printf 'the only one' >a/.local/share/Trash/files/only
printf '%100s' six >a/.local/share/Trash/files/never-read
cp a/.local/share/Trash/files/only a/.local/share/Trash/files/again
scan a b
run 3 similar a b
out_has twins
err_has '3 files in a trash of a directory shown, with content that is nowhere else: not compared'
run 3 similar -v a b
err_has "'$T/work/a/.local/share/Trash/files/only' lies in a trash, and nowhere else: not compared"
err_lacks 'files/3'
run 3 similar -q a b
err_lacks trash
run 0 similar -x a/.local a b
err_lacks 'nowhere else'
# In a pair that is not about it.
mkdir c d
cp a/1 c
cp a/1 d
scan c d
run 0 similar c d
err_lacks 'nowhere else'
