# SPDX-License-Identifier: MIT
# --with: where a disk is mounted elsewhere, what the other index says of it is what this one has there; report as ls.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux ids of file systems, and what is mounted

other=$T/other.db
mkdir m n here
disk "$T/disk" m
mkdir m/d
printf 'same content' >m/d/a
printf 'lone' >m/d/u
scan --db "$other" m
umount m
mount -o loop "$T/disk" n
printf 'same content' >here/b
printf 'more' >here/c
# This index has not met it: what the other one says is as of its last scan.
scan --secret-from "$other" here
run 3 report --across --with "$other" -v
err_has "$T/work/m/d/u (it is offline, and was not read before)"
# Now it has.
scan n
run 0 ls -v here --with "$other" -c "$T/work/"
out <<'END'
       dup  here/b
            copy  n/d/a
    unique  here/c
END
run 0 report --with "$other" -c "$T/work/"
out <<'END'
2 copies of 12 B each, 12 B redundant in this index
  here/b
  n/d/a

1 set, 2 files, 12 B redundant in this index
END
run 0 report --across --with "$other"
out_has 'No duplicates'
err_lacks twindex
run 0 uniques here --with "$other" -x n -c "$T/work/"
out <<'END'
here/b
here/c
END
run 0 report --with "$other" -x n/d
out_lacks here
# What is there no more under its name is still what the other index had.
mv n/d/a n/d/moved
scan n
run 3 report --with "$other" -c "$T/work/" -v
err_has "$T/work/m/d/a (it is offline, and was not read before)"

# So it is with a directory that is mounted twice.
mkdir e
mount --bind here e
cp here/b here/bb
scan here
scan --db "$T/e.db" --secret-from "$other" e
run 0 report --across --with "$T/e.db"
out_has 'No duplicates'
run 0 report --with "$T/e.db" here -x here/b -x n
out_has 'No duplicates'
run 0 report --with "$T/e.db" here -x n -c "$T/work/"
out <<'END'
2 copies of 12 B each, 12 B redundant in this index
  here/b
  here/bb
  skip n/d/moved (excluded)

1 set, 2 files, 12 B redundant in this index
END
