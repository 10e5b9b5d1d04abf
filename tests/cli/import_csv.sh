# SPDX-License-Identifier: MIT
# import reads CSV that names its columns: of engines, listings of twindex, and exports of other indexes, whose hashes count with one secret.
. "$srcdir/tests/cli/lib.sh"

odd=$(printf 'n"\n\377')
mkdir here there
for f in a b c; do
	printf 'content %s' "$f" >"here/$f"
	cp "here/$f" "there/other-$f"
done
printf 'content x' >here/x
cp here/a "there/$odd"
printf 'y is longer' >there/y
scan --hash-all here
(
	TWINDEX_DB=$T/there.db
	export TWINDEX_DB
	run 0 scan -q --secret-from "$T/index.db" --hash-all there
	run 0 export --what files --format csv --host nas --out "$T/fleet"
	run 0 ls --format csv there
	cp "$T/out" "$T/ls.csv"
)
# Parts behind each other; each begins with the names of the columns.
cat "$T"/fleet/nas-*/kind=files/b=*/*.csv >nas.csv
[ "$(grep -c '^hash_hi,' nas.csv)" -gt 1 ] || fail 'one part alone'
run 0 import nas.csv --as nas
echo 'nas: 5 files, 5 with twindex' | out
run 1 contained here --in nas:
echo "$T/work/here/x" | out
err_has 'of 4 files, 3 are in nas: as csv said'
err_has '(twindex); 0 by size and name alone, 1 nowhere there'
rm here/x
scan here
run 7 contained here --in nas:
run 0 check
if [ -n "$SQLITE3" ]; then
	printf '%s\n' "$(printf '%s' "$odd" | od -An -tx1 | tr -d ' \n')" >"$T/want"
	"$SQLITE3" "$TWINDEX_DB" "SELECT lower(substr(hex(name_raw), -8)) FROM claim WHERE name_raw IS NOT NULL" | diff - "$T/want" || fail 'another name'
fi
# A file that was not read whole has no hash to compare.
mkdir more
printf 'y is longer' >more/z
scan more
run 3 contained more --in nas:
err_has '1 may be there under another name'
err_has "1 file was not read whole, and can't be compared with the hashes of another index: 'twindex scan --hash-all' reads all"
scan --hash-all more
run 7 contained more --in nas:

# A listing has no hash_id: size and name alone.
run 0 import "$T/ls.csv" --as ls
echo 'ls: 5 files, 5 by size alone' | out
run 3 contained here --in ls:
# Another secret.
sed 's/,[-0-9]*,"nas",/,12345,"nas",/' nas.csv >foreign.csv
run 0 import foreign.csv --as foreign
echo 'foreign: 5 files, 5 by size alone' | out
err_has "5 hashes are under the secret of another index, and can't be compared: make one of the two with --secret-from the other"
run 3 contained here --in foreign:

# What an engine writes.
a=$(printf 'content a' | sha256sum | cut -d' ' -f1)
{
	echo 'size,sha256,path'
	echo "9,$a,/x/a"
	echo "9,,\"/x/quote\"\"s and"
	echo 'a line"'
	echo ',,/x/unknown'
} >engine.csv
run 0 import engine.csv --as engine
echo 'engine: 3 files, 1 with sha256, 2 by size alone' | out
err_lacks 'has no end'
for kind in path name file key filename; do
	printf '%s,bytes\r\nx,1\r\n' "$kind" | "$TWINDEX" import - --as "$kind" >"$T/out" 2>"$T/err" || fail "$kind: $(cat "$T/err")"
	echo "$kind: 1 file, 1 by size alone" | out
done
refused() {
	printf "$1" >bad.csv
	run 2 import bad.csv --as bad --kind csv
	err_has "$2"
	run 2 import --drop bad
}
refused 'size,md5\n1,\n' "'bad.csv':1: the first line names no column 'path' or 'name' beside 'size' or a digest"
refused 'path,size\n"x,1\n' "'bad.csv':2: it ends within quotes: the listing is cut off"
refused 'path,size\nx\n' 'it has not the columns of the first line'
refused 'path,size\nx,big\n' 'its size is no number of bytes'
refused 'path,sha256\nx,00\n' 'a digest has not the digits of its kind'
refused 'path,size,hash_hi,hash_lo,hash_id\nx,1,1,zz,3\n' 'its hash is no pair of integers'
refused 'dir,name,name_raw,size\nx,y,???,1\n' 'its name_raw is not base64'
# Columns that nobody knows say nothing.
printf 'color,weight\nred,3\n' >odd.csv
run 2 import odd.csv --as odd
err_has 'its first line tells no format'
