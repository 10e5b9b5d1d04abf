# SPDX-License-Identifier: MIT
# SIGUSR1 asks how far a scan or an act is, also where nothing else is said; --progress plain writes lines without being asked.
. "$srcdir/tests/cli/lib.sh"

# asks LINES: it says something more, until there are so many lines.
asks()
{
	kill -USR1 "$held"
	until [ "$(wc -l <"$T/err")" -ge "$1" ]; do
		kill -0 "$held" 2>/dev/null || fail 'it has ended'
		sleep 0.01
	done
}

mkdir t
head -c 1048576 /dev/zero | tr '\0' x >t/a
cp t/a t/b
# Of a first the head (and tail) and one block, then waiting for the second.
hold_path=$PWD/t/a hold pread64 4 scan --threads 1 --racy-window 0s t
[ ! -s "$T/err" ] || fail 'it speaks without being asked'
asks 1
asks 2
resume 0
grep -qx 'twindex: read  [01] of 2 files, [0-9.]* [KM]iB of 2\.0 MiB ([0-9<]*%).*' "$T/err" || { cat "$T/err"; fail 'not how far it is'; }
[ "$(wc -l <"$T/err")" -eq 2 ] || { cat "$T/err"; fail 'it says more'; }

run 0 --progress plain scan --racy-window 0s --rehash t
err_has 'twindex: walk  2 files (100%), 2.0 MiB'
err_has 'twindex: write the index'
[ "$(tr -cd '\r\033' <"$T/err" | wc -c)" -eq 0 ] || fail 'it is for a terminal'

# Of a file that is compared two blocks, then waiting for the third.
hold_path=$PWD/t/b hold pread64 3 rm --yes t/b
[ ! -s "$T/err" ] || fail 'it speaks without being asked'
asks 1
resume 0
grep -q '^twindex: rm  0 of 1 file, 512\.0 KiB of 1\.0 MiB (50%)' "$T/err" || { cat "$T/err"; fail 'not how far it is'; }
cp t/a t/b
cp t/a t/c
scan t
run 0 -q --progress plain rm --yes t/c
[ ! -s "$T/err" ] || fail 'it is not quiet'
need_linux 'exchange of names'
cp t/a t/c
scan t
run 0 --progress plain link --hard --yes t/b
err_has 'twindex: link  '
run 0 -q --progress plain link --hard --yes t/c
[ ! -s "$T/err" ] || fail 'it is not quiet'
