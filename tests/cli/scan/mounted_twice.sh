# SPDX-License-Identifier: MIT
# A directory that is mounted at a second place is indexed at the first one alone, and no file is a link of itself.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
trap 'umount "$T/work/t/a" 2>/dev/null; umount "$T/work/b" 2>/dev/null; cleanup' EXIT
mkdir -p t/a t/z/sub t/n b
printf 'only' >t/z/f
printf 'more' >t/z/sub/g
printf 'old' >t/a/o
# z_whole WHY: what lies in t/z is nowhere else.
z_whole()
{
	run 0 uniques -x t/z t/z -c "$T/work/"
	out <<'OUT'
t/z/f
t/z/sub/g
OUT
	run 1 file t/z/f -c "$T/work/"
	out_has ' unique  t/z/f'
	run 0 check
}
# Both are roots, whichever is met first: by all, by name, and as parts of a root above.
scan t/a t/z
mount --bind t/z t/a 2>/dev/null || skip 'cannot mount here'
for roots in '' 't/a' 't/z t/a' 't'; do
	# shellcheck disable=SC2086
	scan $roots
	z_whole
done
run 0 info
out_line "root        $T/work/t/a"
out_line "root        $T/work/t/z"
umount t/a
scan
run 0 uniques t -c "$T/work/"
out <<'OUT'
t/a/o
t/z/f
t/z/sub/g
OUT
# No roots: a directory of one.
run 0 forget t
scan t
mount --bind t/z t/a
scan
z_whole
# At a new place, which is named.
mount --bind t/z/sub b
scan b
z_whole
rows 'SELECT path FROM root_view'
out <<OUT
$T/work/t
OUT
# What is asked knows it, too: nothing is missing from the answer about both.
run 0 uniques t -c "$T/work/"
run 0 ls t -c "$T/work/"
out_has 'skipped  t/a (reached by another path)'
run 0 du t
# But it is where it is: with t/a the same files would go.
run 3 uniques -x t/a t/a
err_has 'reached by another path'
# A copy in it is one at either path: what goes with the one goes with the other, and what is protected is at both.
mkdir c
cp t/z/f c/f
scan c
run 0 uniques -x t/a c -c "$T/work/"
out <<'OUT'
c/f
OUT
err_has "--exclude-path: '$T/work/t/a' is in the index as '$T/work/t/z'"
run 1 -q file c/f -x t/a/f
run 1 contained c t -x t/a
run 0 uniques --in t/a c
run 1 rm -n --protect t/a t/z/f
out_has '(protected)'
run 0 report --keep in:t/a -c "$T/work/"
out_line '  goes   c/f'
run 2 rm -n t/a/f
err_has "'$T/work/t/a/f' is in the index as '$T/work/t/z/f'"
