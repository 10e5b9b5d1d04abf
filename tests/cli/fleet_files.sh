# SPDX-License-Identifier: MIT
# twindex-fleet holds the files of an export against its manifest: one that is missing, too much, short, damaged, of another
# export or in another bucket is named, and nothing is answered.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/fleet.sh"

hosts h01 h02

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
