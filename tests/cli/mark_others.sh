# SPDX-License-Identifier: MIT
# mark keep --others keeps files and drops their copies elsewhere as one batch; drop leaves alone what is kept, but for --force.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/a d/b d/c
for f in 1 2; do
	printf 'content %s' $f >d/a/$f.jpg
	cp d/a/$f.jpg d/b/$f.jpg
	cp d/a/$f.jpg d/c/$f.png
done
ln d/a/1.jpg d/b/link.jpg
printf 'alone' >d/a/alone
scan d
D=$T/work/d
marks()
{
	cat >"$T/want"
	run 0 marks -c "$D/"
	sed '$d' "$T/out" | sed 's/^ *//; s/ *[0-9]* B  / /' >"$T/got"
	diff -u "$T/want" "$T/got" || fail "not these marks"
}

# A file: its copies go, its link does not.
run 0 mark keep d/a/1.jpg --others
out_has "marked keep: $D/a/1.jpg"
out_has "marked drop: $D/b/1.jpg"
marks <<'EOF'
keep a/1.jpg
drop b/1.jpg
drop c/1.png
EOF
run 0 mark undo
run 0 marks
out_has 'No marks'
# A directory: everything in it stays, its copies elsewhere go; what has none is kept as well.
run 0 mark keep --others d/a
marks <<'EOF'
keep a/1.jpg
keep a/2.jpg
keep a/alone
drop b/1.jpg
drop b/2.jpg
drop c/1.png
drop c/2.png
EOF
run 0 mark clear d
# A copy of two files that are kept is one file to be dropped.
cp d/a/2.jpg d/a/3.jpg
scan
run 0 mark keep --others d/a/2.jpg d/a/3.jpg
out_has '4 files marked'
[ "$(grep -c 'marked drop' "$T/out")" -eq 2 ] || fail "$(cat "$T/out")"
run 0 mark clear d
rm d/a/3.jpg
scan

# drop does not override keep, unless told; keep overrides drop.
run 0 mark keep d/a/2.jpg
run 1 mark drop d/a/2.jpg
err_has "'$D/a/2.jpg' is not marked: it is marked keep: --force drops it"
run 3 mark drop d/a d/c
err_has 'refused'
marks <<'EOF'
drop a/1.jpg
keep a/2.jpg
drop c/1.png
drop c/2.png
EOF
run 0 mark drop --force d/a/2.jpg
marks <<'EOF'
drop a/1.jpg
drop a/2.jpg
drop c/1.png
drop c/2.png
EOF
run 0 mark keep d/c/2.png
run 0 mark clear d
# What others have been marked to keep is not dropped either.
run 0 mark keep d/b/2.jpg
run 3 mark keep --others d/a/2.jpg
marks <<'EOF'
keep a/2.jpg
keep b/2.jpg
drop c/2.png
EOF
run 0 mark clear d
run 2 mark drop --others d
err_has "option '--others' is not for mark drop"
run 2 mark keep --force d
run 2 mark undo --files0-from -

# Paths from a file, each ended by NUL; together with operands.
printf '%s\0' d/b/1.jpg "$D/c/2.png" >"$T/list"
run 0 mark drop --files0-from "$T/list" d/c/1.png
marks <<'EOF'
drop b/1.jpg
drop c/1.png
drop c/2.png
EOF
run 0 mark undo
"$TWINDEX" dups -0 d/b | "$TWINDEX" mark drop --files0-from - >"$T/out" 2>"$T/err" || [ $? -eq 3 ] || fail 'from a pipe'
marks <<'EOF'
drop b/1.jpg
drop b/2.jpg
drop b/link.jpg
EOF
run 0 mark clear d
run 2 mark drop --files0-from "$T/none"

# A pattern is for the names of files below this directory; a file of that very name comes first.
cd d || exit 99
run 0 mark drop '*.png'
marks <<'EOF'
drop c/1.png
drop c/2.png
EOF
run 0 mark clear '*.png'
run 0 mark keep 'b/[12].jpg'
marks <<'EOF'
keep b/1.jpg
keep b/2.jpg
EOF
run 2 mark drop '*.gif'
err_has "'*.gif' does not exist, and matches no file of the index below '$D'"
run 0 mark clear .
printf 'star' >'*.png'
scan .
run 0 mark keep '*.png'
marks <<'EOF'
keep *.png
EOF
