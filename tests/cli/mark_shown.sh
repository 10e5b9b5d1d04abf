# SPDX-License-Identifier: MIT
# Listings show marks: in text behind the path, but not behind bare paths in a pipe; in other formats as a field.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for f in a b c; do printf 'same' >d/$f; done
printf 'alone' >d/alone
scan d
run 0 mark drop d/a
run 0 mark keep d/b d/alone
run 0 ls -v -c "$T/work/" d
out <<'END'
       dup  d/a [drop]
            copy  d/b [keep]
            copy  d/c
    unique  d/alone [keep]
       dup  d/b [keep]
            copy  d/a [drop]
            copy  d/c
       dup  d/c
            copy  d/a [drop]
            copy  d/b [keep]
END
run 0 report -c "$T/work/"
out <<'END'
3 copies of 4 B each, 8 B redundant
  d/a [drop]
  d/b [keep]
  d/c

1 set, 3 files, 8 B redundant
END
run 0 dups -c "$T/work/" d
out <<'END'
d/a
d/b
d/c
END
run 0 uniques -c "$T/work/" d
out <<'END'
d/alone
END
run 0 ls -0 -c "$T/work/" --depth 1 d/a
printf 'd/a\0' | out || exit
run 0 file --format fdupes -c "$T/work/" d/a
out <<'END'
d/a
d/b
d/c

END
run 0 dups --format ndjson -v d/a
out_has '"copies":2,"mark":"drop","members":['
out_has '"mark":"keep"}'
out_has '"mark":null}]}'
run 0 report --json
out_has '"mark":"drop"}'
run 0 ls --format csv -c "$T/work/" d
out_has ',"d/a",,,"drop"'
out_has ',"d/b",,,"keep"'
out_has ',"d/c",,,'
run 0 report --format csv -c "$T/work/"
out_has ',"d/a",,"drop"'

# The formats of marks.
run 0 marks --format csv -c "$T/work/" --drop
sed 's/"[0-9a-f]\{32\}",[0-9]*,/HASH,/' "$T/out" | tr -d '\r' >"$T/rows" && mv "$T/rows" "$T/out"
out <<'END'
mark,state,size,hash,made,path,path_b64,why
"drop","effective",4,HASH,"d/a",,
END
run 0 marks --format fdupes -c "$T/work/" d/b d/a d/a d
out <<'END'
d/a
d/alone
d/b
END
run 0 marks --format null --keep -c "$T/work/" -x d/b
printf 'd/alone\0' | out || exit
run 0 marks --format ndjson d/alone
out_has '{"type":"mark","path":"'
out_has '"mark":"keep","state":"effective","size":5,"hash":null,"made":'
out_has '{"type":"totals","drop":0,"keep":1,"stale":0,"offline":0,"last":0,"frees":0,"frees_disk":0}'
run 0 marks --bytes --drop --keep d/a
out_has '1 to drop, 4096 to be freed on disk'
run 0 marks d/c --json
out <<'END'
{"schema_version":1,"marks":[],"totals":{"drop":0,"keep":0,"stale":0,"offline":0,"last":0,"frees":0,"frees_disk":0},"verdict":"done","exit":0,"not_judged":{},"unfinished":false}
END

# On a terminal bare paths have them, too.
command -v script >/dev/null 2>&1 || exit 0
NO_COLOR=1 TERM=xterm script -qec "$TWINDEX dups -c $T/work/ d" "$T/typescript" >/dev/null 2>&1 </dev/null
grep -q 'd/a \[drop\]' "$T/typescript" || fail 'no mark on a terminal'
