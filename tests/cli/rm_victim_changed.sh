# SPDX-License-Identifier: MIT
# ACT-4: a file with other bytes than the index believes stays, whatever its times say.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'the same bytes' >d/a
printf 'the same bytes' >e/b
scan --trust-mtime d e
# Other bytes, of the same length, with the old time.
cp -p d/a saved
printf 'not same bytes' >d/a
touch -r saved d/a
run 0 rm -n d/a
run 3 rm d/a --yes
err_has "'$T/work/d/a' stays: its bytes differ from those of the copy, from offset 0 on"
[ "$(cat d/a)" = 'not same bytes' ] || fail 'the changed file is gone'
# Both are read again by the next scan, which finds the truth.
scan
run 1 rm d/a --yes
out_has '(unique)'
[ ! -s "$TWINDEX_DB-acts" ] || fail 'there is an act in the journal'
# Where ctime counts it is seen without reading.
printf 'the same bytes' >d/a
run 0 forget d -q
run 0 forget e -q
scan --racy-window 0s d e
cp -p d/a saved
printf 'not same bytes' >d/a
touch -r saved d/a
run 3 rm d/a --yes
[ "$(cat d/a)" = 'not same bytes' ] || fail 'the changed file is gone'
# So it is wherever the byte is: at the bounds of the blocks that are compared, and the very last one.
head -c 600000 /dev/zero | tr '\0' x >e/large
for at in 262143 262144 599999; do
	cp e/large d/large
	scan --trust-mtime d e
	touch -r d/large saved
	printf y | dd of=d/large bs=1 seek=$at conv=notrunc 2>/dev/null
	touch -r saved d/large
	run 0 rm -n d/large
	run 3 rm d/large --yes
	err_has "'$T/work/d/large' stays: its bytes differ from those of the copy, from offset $at on"
	[ -e d/large ] || fail 'the changed file is gone'
done
