# SPDX-License-Identifier: MIT
# While rm asks, others may write to the index; what they changed counts, and nothing goes that nobody was asked about.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in 1 2 3; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
mkfifo "$T/answers"
"$TWINDEX" rm -r d -i <"$T/answers" >"$T/rm.out" 2>"$T/rm.err" &
held=$!
exec 3>"$T/answers"
n=0
until grep -q 'remove?' "$T/rm.err"; do
	n=$((n + 1))
	[ $n -lt 200 ] || fail "no question: $(cat "$T/rm.err")"
	sleep 0.05
done
cp e/3 d/4
scan .
run 0 mark keep d/1
printf 'other' >d/2
echo a >&3
exec 3>&-
got=0
wait "$held" || got=$?
held=
cp "$T/rm.out" "$T/out"
cp "$T/rm.err" "$T/err"
ran='rm -r d -i'
[ $got -eq 3 ] || fail "status $got"
out_has "stays: $T/work/d/1 (marked keep)"
out_has '1 file removed'
[ "$(echo d/*)" = 'd/1 d/2 d/4' ] || fail "left: $(ls d)"
