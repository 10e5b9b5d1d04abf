# SPDX-License-Identifier: MIT
# file answers for files that the index does not have: by size, then by content, reading indexed files if it must.
. "$srcdir/tests/cli/lib.sh"

mkdir in out
printf 'same' >in/a
printf 'same' >in/b
printf 'never read' >in/c
head -c 50000 /dev/zero >in/big
: >in/empty
scan in
printf 'same' >out/copy
printf 'none' >out/differs
printf 'a size of its own' >out/size
printf 'never read' >out/c
printf 'never rEad' >out/c2
head -c 50000 /dev/zero >out/big
: >out/empty
run 0 file out/copy -c "$T/work/"
out <<'END'
       dup  out/copy (not in the index)
            copy  in/a
            copy  in/b
END
run 1 file out/differs out/size out/empty -c "$T/work/"
out <<'END'
    unique  out/differs (not in the index)
    unique  out/size (not in the index, where no file has its size)
     empty  out/empty
END
run 0 file out/c out/big -c "$T/work/"
out <<'END'
       dup  out/c (not in the index)
            copy  in/c
       dup  out/big (not in the index)
            copy  in/big
END
run 1 file out/c2
# Stale copies do not count here either.
rm in/a
printf 'SAME' >in/b
run 1 file out/copy -c "$T/work/"
out_has '   unknown  out/copy (another copy has changed since the scan)'
# Nothing was written.
rows 'SELECT count(*) FROM file_view'
out <<'END'
5
END
