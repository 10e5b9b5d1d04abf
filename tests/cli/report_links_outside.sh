# SPDX-License-Identifier: MIT
# What other names outside of the index hold frees nothing: report, du, waste and tree say what can be freed.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/a t/b out
printf '%01000d' 1 >t/a/one
cp t/a/one t/b/one
scan t
run 0 report --bytes
out_has '2 copies of 1000 each, 1000 redundant'
# One of two is held from outside: the other may go, and the one stays.
ln t/a/one out/one
scan t
run 0 report --bytes
out_has '2 copies of 1000 each, 1000 redundant'
run 0 du t --format csv -c "$T/work/"
out_has '"dir",1,1,1000,1000,100.0,0,"t/a"'
out_has '"dir",1,1,1000,1000,100.0,1000,"t/b"'
# Both are: nothing can be freed, though they are copies.
ln t/b/one out/two
scan t
run 0 report --bytes
out_has '2 copies of 1000 each, 0 redundant'
out_has '1 set, 2 files, 0 redundant'
for command in du waste tree; do
	run 0 $command t --json
	out_has '"files":2,"bytes":2000,"duplicated":2000,"share":100.0,"redundant":0}'
done
run 0 mark -q drop t/a/one
run 0 marks
out_has '1 to drop, 0 B to be freed on disk'
run 0 report --min-waste 1
out <<'END'
No set passes these options; without them: 1 set of duplicates.
END
# A third copy, which is held by nobody else.
cp t/a/one t/b/three
scan t
run 0 report --bytes
out_has '3 copies of 1000 each, 1000 redundant'
run 0 du t --json
out_has '"redundant":1000}'
# Names that are in the index are no others, whether they were read, or lie in an excluded directory.
mkdir t/c
mv out/one out/two t/c
scan t
run 0 report --bytes
out_has '3 copies of 1000 each, 2000 redundant'
run 0 report --bytes -x t/c
out_has '3 copies of 1000 each, 2000 redundant'
run 0 du t --json
out_has '"redundant":2000}'
run 0 du t --json -x t/c
out_has '"redundant":2000}'
