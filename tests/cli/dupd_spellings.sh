# SPDX-License-Identifier: MIT
# The option names that dupd's users know mean what they know.
. "$srcdir/tests/cli/lib.sh"

mkdir -p one/.h two
printf 'same' >one/a
printf 'same' >two/b
printf 'hid1' >one/.h/c
printf '1' >one/small
ln one/a one/link
run 0 scan --racy-window 0s -d "$T/my.db" -p one -p two -m 2 --hidden -X
out_line 'skipped     1 below --min-size'
[ -f "$T/my.db" ] || fail '-d'
TWINDEX_DB=$T/my.db
rows 'SELECT min_size, hidden, one_fs FROM root_view'
out <<'END'
2	1	1
2	1	1
END
scan --path one --path two --minsize 1 --hidden --one-file-system
out_line 'files       5 in 3 directories, 17 B, hard links counted by each name'
run 0 ls -p one -c "$T/work/"
out <<'END'
       dup  one/a
       dup  one/link
    unique  one/small
    unique  one/.h/c
END
run 0 ls --path one --cut "$T/work"
out_has '  /one/a'
run 0 dups -p two -v -c "$T/work/"
out <<'END'
two/b
            copy  one/a
            copy  one/link
END
run 0 dups --path two --exclude-path one
out </dev/null
run 0 uniques -p two -x one -c "$T/work/"
out <<'END'
two/b
END
run 0 file -f one/a
run 0 file --file one/a
run 1 file -f one/a -x two
run 1 file --file one/a --exclude-path two --hardlink-is-unique
out_has '    unique  '
run 0 ls -I -x two one -c "$T/work/"
out_has '    unique  one/a'
run 0 report --format json
run 0 report -m 100
out <<'END'
No set passes these options; without them: 1 set of duplicates.
END
run 0 report --minsize 1 -q --format fdupes -c "$T/work/"
out <<'END'
one/a
two/b

END
