# SPDX-License-Identifier: MIT
# Hard links of one inode are links, not copies, in one root or in several; a copy of them is one.
. "$srcdir/tests/cli/lib.sh"

mkdir one two
printf 'same' >one/a
ln one/a one/b
ln one/a two/c
printf 'lone' >two/u
ln two/u one/v
scan one two
out_line 'duplicates  0 sets, 0 B redundant'
run 0 ls -c "$T/work/"
out <<'END'
    linked  one/a
    linked  one/b
    linked  one/v
    linked  two/c
    linked  two/u
END
printf 'same' >two/d
scan
out_line 'duplicates  1 set, 4 B redundant when scanned'
run 0 report -c "$T/work/"
out <<'END'
2 copies of 4 B each, 4 B redundant
  one/a
  one/b (link)
  two/c (link)
  two/d

1 set, 4 files, 4 B redundant
END
# A link that goes changes the count of links of the others, and costs no change of content.
rm one/b
scan
run 0 ls -c "$T/work/" -v one/a
out <<'END'
       dup  one/a
            link  two/c
            copy  two/d
END
run 0 check
