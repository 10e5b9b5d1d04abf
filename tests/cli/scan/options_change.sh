# SPDX-License-Identifier: MIT
# A root that is given with other options has them from then on, although nothing in its directory has changed.
. "$srcdir/tests/cli/lib.sh"

mkdir -p sub/.h
printf 'x' >sub/.h/f
scan --no-hidden .
scan --hidden .
rows 'SELECT hidden FROM root_view'
out <<'END'
1
END
scan
run 0 ls -c "$T/work/"
out <<'END'
    unique  sub/.h/f
END
# What new options leave out is not gone, and is told apart from what is.
mkdir -p d/.x/y d/in
for f in d/.x/1 d/.x/y/2 d/.3 d/a.o d/in/b.o d/in/.4 d/large d/goes d/stays; do
	printf '%s' "$f" >$f
done
printf 'much too large' >d/large
run 0 --db "$T/o.db" scan -q d/in
run 0 --db "$T/o.db" scan --exclude x d/in
run 0 --db "$T/o.db" scan d
rm d/goes d/in/.4
run 0 --db "$T/o.db" scan --no-hidden --exclude '*.o' --max-size 10 d
out_line 'index       0 new, 0 changed, 2 gone, 2 unchanged, 5 left out by these options'
rm d/stays
run 0 --db "$T/o.db" scan
out_line 'index       0 new, 0 changed, 1 gone, 1 unchanged'
