# SPDX-License-Identifier: MIT
# mark drop marks a file that has another copy, and tells why it refuses any other; nothing is touched.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in d/a d/b e/c; do printf 'same' >$f; done
printf 'pair' >d/gone
printf 'pair' >d/changed
printf 'twin' >d/t1
printf 'twin' >d/t2
printf 'unlike any' >d/unique
printf 'linked' >d/linked
ln d/linked d/linked2
: >d/empty
scan d e
find . -exec ls -ld --full-time {} + >"$T/before"
rm d/gone
printf 'longer' >d/changed
printf 'new' >d/unknown

# refused REASON PATH: refused alone.
refused()
{
	run 1 mark drop "$2"
	out </dev/null
	err_has "twindex: '$T/work/$2' is not marked: $1"
}
refused unique d/unique
refused 'linked, all its names are one copy' d/linked
refused empty d/empty
refused changed d/changed
refused gone d/gone
run 2 mark drop d/unknown
err_has 'is not in the index'
run 2 mark drop d/nothing
err_has 'does not exist'
rm d/unknown
# The other copy must be there now.
rm d/t2
refused unique d/t1
run 0 marks
out <<'END'
No marks.
END

run 0 mark drop d/a
out <<END
marked drop: $T/work/d/a
       stay: $T/work/d/b and 1 other copy
END
run 0 mark drop d/a
out <<END
marked drop: $T/work/d/a (already)
       stay: $T/work/d/b and 1 other copy
END
run 0 mark -q drop d/b
out </dev/null
run 1 mark -q drop e/c
err_lacks twindex
refused 'the last copy: no other one is there that may be relied on, and is not marked drop' e/c
# Several files: what may be marked is.
run 0 mark clear d
run 3 mark drop d/a d/unique e/c
out_has '2 files marked drop'
err_has "'$T/work/d/unique' is not marked: unique"
says "$T/err" "twindex: '$T/work/d/unique' is not marked: unique" || fail "told twice: $(cat "$T/err")"
run 0 marks -c "$T/work/"
out <<'END'
      drop         4 B  d/a
      drop         4 B  e/c
2 to drop, 8.0 KiB to be freed on disk
END
refused 'the last copy' d/b
run 0 check
# What is offline is neither dropped nor a copy that stays.
run 0 mark clear .
mv e e-away
run 0 mark drop d/a
refused 'the last copy' d/b
refused 'dup (offline: as of the last scan)' e/c
run 2 mark
err_has 'mark needs one of drop, keep, clear, undo and redo'
run 2 mark throw d/a
err_has "not 'throw'"
run 2 mark drop
err_has 'mark drop needs a path'
run 2 mark undo d/a
err_has 'mark undo takes no path'
# As it was, but for what this test did.
mv e-away e
printf 'pair' >d/gone
printf 'pair' >d/changed
printf 'twin' >d/t2
find . | sort >"$T/names"
sed 's/.* //' "$T/before" | sort | diff - "$T/names" || fail 'files came or went'
