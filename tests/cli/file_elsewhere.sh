# SPDX-License-Identifier: MIT
# file, safe and uniques --elsewhere say who claims to have each file, by digest, or by size and name alone; no status changes by it.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
mkdir d
printf 'a\n' >d/a
printf 'bb\n' >d/b
printf 'bb\n' >d/copy
printf 'cccc\n' >d/c
: >d/empty
scan d
run 2 file --elsewhere d/a
err_has 'nothing was imported yet'
cat >cloud.json <<'END'
[{"Path":"x/renamed","Size":2,"IsDir":false,"Hashes":{"sha256":"87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"}},
{"Path":"x/b","Size":3,"IsDir":false},
{"Path":"x/other","Size":3,"IsDir":false},
{"Path":"x/c","Size":5,"IsDir":false,"Hashes":{"sha256":"0000000000000000000000000000000000000000000000000000000000000000"}},
{"Path":"x/empty","Size":0,"IsDir":false}]
END
touch -d '3 days ago' cloud.json
printf 'Filename,Size,Date Modified,Date Created,Attributes\r\n"C:\\y\\b",3,,,32\r\n' >pc.efu
run 0 import cloud.json --as cloud
run 0 import pc.efu --as pc
# Without digests of ours.
run 1 file --elsewhere d
out_line "  *unique  $T/work/d/a"
out_line '            nowhere else by size and name'
out_line '            in cloud: by size and name alone (lsjson, 3 d[^)]* ago): x/b'
out_line '            in pc: by size and name alone (efu, .* ago): C:\\\\y\\\\b'
out_line '            in cloud: by size and name alone (lsjson, 3 d[^)]* ago): x/c'
out_lacks x/other
out_lacks x/empty
err_has "4 files have no digest to compare with claims: 'twindex digest' computes it"
# The status and the lines of files are those without.
grep -v '^            \(in \|nowhere\)' "$T/out" >"$T/with"
run 1 file d
cmp "$T/out" "$T/with" || fail 'the answer is another one'
run 0 file --elsewhere d/b
run 2 file --elsewhere --format csv d/a
err_has 'only text, json and ndjson have a place for it'
run 0 file --elsewhere --json d/b
out_has '"elsewhere":[{"source":"cloud","kind":"lsjson","digest":null,"made":'
out_has ',"name":"x/b"},{"source":"pc","kind":"efu","digest":null,'
run 1 file --elsewhere --json d/a
out_has '"elsewhere":[]'
run 1 file --json d/a
out_lacks elsewhere

# With digests, which hold for the file as it was.
sed -n '/^CREATE TABLE digest /,/;$/p' "$srcdir/sql/digest.sql" >"$T/schema"
digest()
{
	echo "INSERT INTO digest SELECT volume, inode, 'sha256', X'$2', size, mtime, mtime_nsec, ctime, ctime_nsec, 1 FROM file WHERE name = '$1';"
}
{
	cat "$T/schema"
	digest a 87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7
	digest c 94d3a6d5ccd5e8ab7ffd1bd2c8f1ae3a2ef1d8cee7bd0a3d0d8f2f5a3b4c5d6e
} | "$SQLITE3" "$TWINDEX_DB" || fail 'no digests'
run 1 file --elsewhere d/a d/c
out_line '            in cloud: as sha256 says (lsjson, 3 d[^)]* ago): x/renamed'
out_line '            nowhere else, as size, name and digest say'
out_lacks x/c
err_lacks 'no digest to compare'
run 1 file --elsewhere --format ndjson d/a
out_has '"elsewhere":[{"source":"cloud","kind":"lsjson","digest":"sha256",'
run 0 check

# safe says who has what is missing; its answer and what it prints are those without.
mkdir e
cp d/c e/
scan e
run 1 safe d
cp "$T/out" "$T/without"
run 1 safe d --elsewhere
cmp "$T/out" "$T/without" || fail 'safe answers otherwise'
err_has 'of the missing files, 1 is in cloud by digest, 1 by size and name alone: a claim (import), which no answer counts'
err_has 'of the missing files, 0 are in pc by digest, 1 by size and name alone'
err_has 'of the missing files, 1 is in no place that was imported'
run 2 safe d --elsewhere --rescue "$T/rescued"
err_has '--elsewhere is for the question, not for --rescue'
[ ! -e "$T/rescued" ] || fail 'rescued all the same'
run 0 uniques e d -q
cp "$T/out" "$T/without"
run 0 uniques e d --elsewhere
cmp "$T/out" "$T/without" || fail 'uniques answers otherwise'
err_has 'of these files, 1 is in cloud by digest, 0 by size and name alone'
# at-risk lists directories or files as without, and tells of the files in both.
for what in '' --files; do
	run 1 at-risk d e -q $what
	cp "$T/out" "$T/without"
	run 1 at-risk d e --elsewhere $what
	cmp "$T/out" "$T/without" || fail "at-risk $what answers otherwise"
	err_has 'of the files at risk, 1 is in cloud by digest, 0 by size and name alone: a claim (import), which no answer counts'
	err_has 'of the files at risk, 0 are in no place that was imported'
done
printf 'z\n' >d/a
got=0
"$TWINDEX" file --elsewhere d/a >"$T/out" 2>"$T/err" || got=$?
[ $got = 1 ] || [ $got = 3 ] || fail "status $got of a changed file"
out_lacks 'as sha256 says'
