# SPDX-License-Identifier: MIT
# redundant: what holds a file marked keep, or one of --protect, stays; -x and --in of questions about directories take no files.
. "$srcdir/tests/cli/lib.sh"

mkdir -p keep d/sub d/other
printf 'one' >d/1
printf 'two' >d/sub/2
printf 'three' >d/other/3
cp d/1 d/sub/2 d/other/3 keep
scan .
run 0 redundant d -0
printf '%s\0' "$T/work/d" | out
run 1 redundant d -0 --protect d/sub/2
printf '%s\0' "$T/work/d/other" | out
run 0 mark keep d/sub/2
run 1 redundant d -0
printf '%s\0' "$T/work/d/other" | out
err_has '1 file is marked keep: what it lies in stays'
run 1 redundant d/sub
out <<'END'
No directory can go as a whole.
END
err_has '1 file is marked keep'
run 1 redundant d/sub -q
err_lacks keep
# Without DIR: the other side of the pair goes.  One that is asked of beside it is not concerned.
run 0 redundant -0
printf '%s\0' "$T/work/keep" | out
run 0 redundant d/other -0
err_lacks keep
# The file has another content now: the mark is without effect.
printf 'one' >d/sub/2
scan .
run 0 redundant d -0
printf '%s\0' "$T/work/d" | out
err_lacks keep

# No file is passed over in silence.
for question in redundant at-risk similar du waste; do
	run 2 $question -x keep/1
	out </dev/null
	err_has "--exclude-path: '$T/work/keep/1' is a file: $question takes only directories"
done
run 2 where one -x keep/1
err_has 'where takes only directories'
for question in redundant at-risk; do
	run 2 $question d --in keep/1
	err_has "--in: '$T/work/keep/1' is a file"
done
run 1 redundant d -x keep
