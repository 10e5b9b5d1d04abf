# SPDX-License-Identifier: MIT
# import takes in listings, import --list shows them, --replace and --drop change them; check reads them.
. "$srcdir/tests/cli/lib.sh"

printf 'a\n' >a
run 5 import list --as nas
scan .
run 0 import --list
out </dev/null
cat >cloud.json <<'END'
[
{"Path":"photos","Name":"photos","Size":-1,"ModTime":"2024-01-02T03:04:05Z","IsDir":true},
{"Path":"photos/x.jpg","Name":"x.jpg","Size":2,"ModTime":"2024-01-02T03:04:05Z","IsDir":false,"Hashes":{"md5":"60b725f10c9c85c70d97880dfe8191b3"}},
{"Path":"photos/y.jpg","Name":"y.jpg","Size":4,"ModTime":"2024-01-02T03:04:05Z","IsDir":false}
]
END
touch -d '2026-01-02 03:04:05' cloud.json
run 0 import cloud.json --as cloud
echo 'cloud: 2 files, 1 with md5, 1 by size alone; 1 entry is no file and left out' | out
digest=87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7
{
	printf '%s  same\n%s *same\n' $digest $digest
	i=0
	while [ $i -lt 100 ]; do
		echo "$digest  f$i"
		i=$((i + 1))
	done
	echo "$digest? odd"
} >sums
run 0 import sums --as nas --prefix /mnt/
echo 'nas: 102 files, 102 with sha256; 1 name is there more than once; 1 record not understood' | out
err_has "'sums':103: it is no checksum and name"
run 0 import --list
out_line 'cloud: 2 files, 1 with md5, 1 by size alone; lsjson, made .* ago, from .*/work/cloud.json'
out_line 'nas: 102 files, 102 with sha256; sums, made .* ago, from .*/work/sums'
run 0 check
run 0 import --list --json
out_has '"name":"cloud","kind":"lsjson","file":"'"$T"'/work/cloud.json","made":1767323045,'
out_has '"claims":102,"digests":{"sha256":102},"no_digest":0,"bad":1}'

# A name has one listing.
run 2 import sums --as cloud
err_has "there are claims of 'cloud' already: --replace"
head -n 1 sums >one
run 0 import one --as nas --replace --json
out_has '"claims":1,"digests":{"sha256":1},"no_digest":0,"bad":0,"left_out":0,"twice":0,"verdict":"done"'
# Names as bytes, lines without an end, a pipe.
printf '%s  \377\376' $digest >bytes
"$TWINDEX" import - --as pipe <bytes >"$T/out" 2>"$T/err" || fail "import of standard input: $?"
err_has 'its last line has no end'
run 0 check
run 0 import --drop cloud
run 2 import --drop cloud
err_has "there are no claims of 'cloud'"
run 0 import --list
out_lacks cloud
out_has 'pipe: 1 file, 1 with sha256; sums, imported'
if [ -n "$SQLITE3" ]; then
	scanned=no
	"$SQLITE3" "$TWINDEX_DB" 'SELECT name, hex(name_raw), kind FROM claim ORDER BY id' >"$T/out"
	out <<-'END'
		same||sha256
		/xff/xfe|FFFE|sha256
	END
	"$SQLITE3" "$TWINDEX_DB" 'UPDATE claim SET source = 77 WHERE name_raw IS NULL'
	run 1 check
	out_has 'claim: it has no source'
fi
# What takes long says how far it is.
i=0
while [ $i -lt 2000 ]; do
	echo "$digest  f$i"
	i=$((i + 1))
done >many
run 0 --progress plain import many --as many
err_has 'import  1,024 files'
