# SPDX-License-Identifier: MIT
# report --undecided shows the sets in which something is still to be decided, and counts only these.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/a d/b d/c
for f in 1 2 3; do
	printf 'content %s' $f >d/a/$f
	cp d/a/$f d/b/$f
done
cp d/a/3 d/c/3
ln d/a/2 d/a/link
scan d
totals() { run 0 report --undecided; out_has "$1"; }

totals '3 sets, 8 files, 36 B redundant'
run 0 mark drop d/b/1
totals '2 sets, 6 files, 27 B redundant'
out_lacks /b/1
# A kept copy decides nothing about the others.
run 0 mark keep d/a/3
totals '2 sets, '
run 0 mark drop d/b/3
totals '2 sets, '
run 0 mark keep d/c/3
totals '1 set, '
# Of an inode all names must go; all that is left is kept.
run 0 mark drop d/a/2
totals '1 set, '
run 0 mark drop d/a/link
run 0 report --undecided
out <<'EOF'
No set passes these options; without them: 3 sets of duplicates.
EOF
run 0 report
out_has '3 sets'
run 0 mark undo
run 0 mark keep d/a/link d/b/2
run 0 report --undecided --no-check
out_has 'No set passes these options; without them: 3 sets of duplicates.'
# decide asks about the same.
run 0 mark clear d/b
printf 'q\n' | "$TWINDEX" decide >"$T/out" 2>"$T/err" || fail "status $?"
err_has '3 sets, '
totals '3 sets, '
