# SPDX-License-Identifier: MIT
# Marks survive scans; one whose path has another content is stale until the content is back.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for f in a b c; do printf 'same' >d/$f; done
printf 'only here' >d/alone
scan d
run 0 mark drop d/a d/b
run 0 mark keep d/alone
list() { run 0 marks -c "$T/work/"; }
list
cp "$T/out" "$T/first"
scan d
run 0 scan --rehash -q d
touch d/a d/c
# A file that was marked without having been read stays so when it is read.
printf 'also here' >d/read
scan
rows "SELECT hash IS NOT NULL FROM file_view WHERE name = 'alone'"
out <<'END'
1
END
list
out <"$T/first"
rm d/read
scan
list
out <"$T/first"

# Changed, before a scan has seen it and after.
printf 'other' >d/a
printf 'other here' >d/alone
rm d/b
list
out <<'END'
      drop         4 B  d/a (stale: changed since the scan)
      keep         9 B  d/alone (stale: changed since the scan)
      drop         4 B  d/b (stale: gone)
0 to drop, 0 B to be freed on disk, 3 stale
END
scan
list
out <<'END'
      drop         4 B  d/a (stale: it has another content)
      keep         9 B  d/alone (stale: it has another content)
      drop         4 B  d/b (stale: no longer in the index)
0 to drop, 0 B to be freed on disk, 3 stale
END
run 0 ls -c "$T/work/" d
out <<'END'
    unique  d/a
    unique  d/alone
    unique  d/c
END
run 0 marks --drop -0
out </dev/null
# The same size, another content.
printf 'sham' >d/a
scan
list
out_has 'd/a (stale: it has another content)'
# Back again.
printf 'same' >d/a
printf 'same' >d/b
scan
list
out <<'END'
      drop         4 B  d/a
      keep         9 B  d/alone (stale: it has another content)
      drop         4 B  d/b
2 to drop, 8.0 KiB to be freed on disk, 1 stale
END

# Those that were to stay are gone: what is marked drop is the end of it, and no longer counts.
rm d/c
for again in '' 1; do
	list
	out <<'END'
      drop         4 B  d/a (last: no copy is there that may be relied on, and is not marked drop)
      keep         9 B  d/alone (stale: it has another content)
      drop         4 B  d/b (last: no copy is there that may be relied on, and is not marked drop)
0 to drop, 0 B to be freed on disk, 1 stale, 2 last
END
	run 0 marks -0
	out </dev/null
	run 0 ls -v d
	out_lacks '['
	run 0 report
	out_lacks '['
	[ -n "$again" ] || scan
done
run 0 check
# Away with its disk.
mv d d-away
list
out_has 'd/a (offline)'
out_has '0 to drop'
