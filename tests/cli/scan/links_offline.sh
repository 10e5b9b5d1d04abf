# SPDX-License-Identifier: MIT
# Hard links of which some names can't be reached: what is read of an inode goes to the names that still have
# its times, one name that is not there keeps none of the others unread, and no inode is a copy of itself.
. "$srcdir/tests/cli/lib.sh"

# A name that is not there any more has other times than its inode: it is no copy.
mkdir A B away
head -c 200000 /dev/zero >B/a
scan B A
ln B/a A/a
scan
printf 'X' | dd of=B/a conv=notrunc bs=1 seek=1 2>/dev/null
mv A away
cp B/a B/tmp
run 3 scan --racy-window 0s
rm B/tmp
run 3 scan --racy-window 0s
run 1 file A/a -c "$T/work/"
out_lacks 'copy'
out_lacks ' dup '
run 1 file B/a -c "$T/work/"
out_has '    linked  B/a (its other link is offline)'
run 0 forget A
scan
run 0 check
run 0 forget B

# The name that is there is read although one that comes before it is not.
rm -rf A B away
mkdir A B away
printf 'abc' >A/f
scan A
ln A/f B/f
scan A B
printf 'abd' >B/f
mv A away
cp B/f B/g
run 0 scan --racy-window 0s B
run 0 report --format fdupes -c "$T/work/" B
out <<'END'
B/f
B/g

END
err_lacks 'incomplete'
run 0 forget A
run 0 check
out <<'END'
ok
END
run 0 forget B

# A link that is offline takes nothing from what is known of the inode, and belongs to no set.
rm -rf A B away
mkdir A B away
printf 'abc' >A/l
cp A/l A/copy
ln A/l B/l2
scan A B
rm A/copy
scan A B
mv B away
run 0 report
out <<'END'
No duplicates.
END
run 1 file A/l -c "$T/work/"
out <<'END'
    linked  A/l (its other link is offline)
             ???  B/l2 (offline)
END
