# SPDX-License-Identifier: MIT
# validate names files whose bytes changed under an unchanged signature, and of their copies those that it found to be good.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
rot_tree
mkdir e
cp d/a100 e/far
head -c 500 /dev/zero >d/own-size
: >d/empty
scan .
rm d/lone2
scan

# Nothing has happened yet.
run 3 validate
out_line 'fine        10 files, .*'
out_line "never read  1 file, 500 B: no hash; 'scan --hash-all ROOT' makes one"
out_lacks corrupt
run 0 validate d/fine d/empty
out_line 'fine        1 file, 5 B'

rot_some
rm d/c100
before=$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT name, hex(hash) FROM file ORDER BY dir, name")
run 1 validate d
grep -v '^read \|^time ' "$T/out" >"$T/o" && mv "$T/o" "$T/out"
out <<END
      gone: $T/work/d/c100
   corrupt: $T/work/d/a70000 (content changed under an unchanged signature)
      good: $T/work/d/b70000
   corrupt: $T/work/d/c70000 (content changed under an unchanged signature)
      good: $T/work/d/b70000
   corrupt: $T/work/d/b100 (content changed under an unchanged signature)
      good: $T/work/d/a100
      good: $T/work/e/far
   corrupt: $T/work/d/lone (content changed under an unchanged signature)
      good: no copy in the index
fine        5 files, 68.6 KiB
gone        1 file
corrupt     4 files
never read  1 file, 500 B: no hash; 'scan --hash-all ROOT' makes one
END
# The old hashes stay: they are what a good copy is known by.
[ "$before" = "$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT name, hex(hash) FROM file ORDER BY dir, name")" ] || fail 'the index has other hashes'
run 0 info
out_line 'validated   6 of 10 files with a hash, .*; 4 files were corrupt when last read'
run 0 check
run 1 validate -q d/lone
out_has 'corrupt: '
# A file that is another one for the index, too, is not corrupt, nor is one that is being written.
printf 'ALL alone' >d/lone
run 3 validate d/lone
out_line " *changed: $T/work/d/lone (the next scan reads it)"
touch d/fine2
run 3 validate d/fine2
out_line " *changed: $T/work/d/fine2 (only its times changed: its content is the same)"
need_linux leases, which tell who writes
exec 3>>d/b100
run 3 validate d/b100
out_line " *changed: $T/work/d/b100 (it is open for writing)"
exec 3>&-
run 1 validate d/b100
# What changed so soon after it was read that its times may hide it is not corrupt.
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET racy = 1 WHERE name = 'b100' OR name = 'link'"
run 3 validate d/b100
out_has 'right after a change'
run 2 validate nowhere
