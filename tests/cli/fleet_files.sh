# SPDX-License-Identifier: MIT
# twindex-fleet holds the files of an export against its manifest: one that is missing, too much, short, damaged, of another
# export or in another bucket is named, and nothing is answered.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
PYTHONPYCACHEPREFIX=$T/pycache
export PYTHONPYCACHEPREFIX
"$PYTHON" "$srcdir/tests/cli/fleet.py" make 4 whole ndjson h01 h02 || fail 'no fleet'

# fleet STATUS ARG...: no answer but with 0 and 3.
fleet()
{
	want=$1
	shift
	ran="twindex-fleet $*" got=0
	"$PYTHON" "$srcdir/sql/fleet/twindex-fleet" "$@" --engine sqlite >"$T/out" 2>"$T/err" || got=$?
	[ "$got" -eq "$want" ] || {
		show_run
		fail "exit status $got instead of $want"
	}
	case $want in
	0 | 3) [ -s "$T/out" ] || fail "$ran: no answer" ;;
	*) [ ! -s "$T/out" ] || fail "$ran: an answer beside an error" ;;
	esac
}

# fresh: fleet/ is whole again.
fresh()
{
	rm -rf fleet
	cp -R whole fleet
}

# edit FILE FROM TO: where a line has FROM it has TO instead.
edit()
{
	sed "s|$2|$3|" "$1" >"$T/edited" && ! cmp -s "$1" "$T/edited" || fail "no $2 in $1"
	cp "$T/edited" "$1"
}

# A file is missing, too much, short, longer, of another export, in another bucket, or no JSON.
fresh
keys=$(find fleet/h02-7/kind=keys -type f | sort | tail -n 1)
rm "$keys"
fleet 5 fleet waste
err_has 'fleet/h02-7/kind=keys: has '
err_has ' files, but its manifest.json counts '
fresh
rm -r fleet/h02-7/kind=keys
fleet 5 fleet waste
err_has 'fleet/h02-7/kind=keys: has 0 files, but'
fresh
cp "$keys" "${keys%/*}/more.ndjson"
fleet 5 fleet waste
err_has ' files, but its manifest.json counts '
fresh
printf x >"${keys%/*}/part"
fleet 5 fleet waste
err_has "${keys%/*}/part: no file of an export of keys as ndjson"
fresh
head -c 100 "$keys" >"$T/short"
cp "$T/short" "$keys"
fleet 5 fleet waste
err_has ' bytes, but its manifest.json counts '
# Of the same length.
fresh
head -c $(($(wc -c <"$keys") - 9)) "$keys" >"$T/short"
printf 'xxxxxxxx\n' >>"$T/short"
cp "$T/short" "$keys"
fleet 5 fleet waste
err_has "$keys: row "
err_has 'damaged, or no ndjson of twindex'
fresh
edit "$keys" '"generation": 7' '"generation": 6'
fleet 5 fleet waste
err_has "$keys: has another generation than the manifest.json of its directory: it belongs to another export"
fresh
mkdir fleet/h02-7/kind=keys/b=33
mv "$keys" fleet/h02-7/kind=keys/b=33/
fleet 5 fleet waste
err_has "fleet/h02-7/kind=keys/b=33/${keys##*/}: has hashes of another bucket than 33"
fresh
sed 's/"rows": [0-9]*/"rows": 1/' fleet/h02-7/manifest.json >"$T/edited"
cp "$T/edited" fleet/h02-7/manifest.json
fleet 5 fleet waste
err_has 'rows of keys, but its manifest.json counts 1'
