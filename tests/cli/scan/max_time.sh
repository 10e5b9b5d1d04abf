# SPDX-License-Identifier: MIT
# --max-time stops the reading, says so, claims nothing it can't prove, and the next scan goes on.
. "$srcdir/tests/cli/lib.sh"

need timeout
printf 'same' >a
printf 'same' >b
truncate -s 400G big1 big2 2>/dev/null || skip 'no files of this size here'
start=$(date +%s)
timeout -k 2 6 "$TWINDEX" scan --racy-window 0s --max-time 300ms . >"$T/out" 2>"$T/err"
got=$?
[ $(($(date +%s) - start)) -le 4 ] || fail 'one big file holds it up'
[ $got -eq 3 ] || fail "exit status $got"
out_has 'stopped by --max-time'
run 3 ls -c "$T/work/" big1
out_has '   unknown  big1 ('
run 3 report --format fdupes -c "$T/work/"
out <<'END'
a
b

END
run 0 check
rm big2
scan
out_lacks 'stopped'
run 0 uniques -c "$T/work/"
out <<'END'
big1
END
