# SPDX-License-Identifier: MIT
# redundant: what holds a file marked keep, or one of --protect, stays, and so does what is live where its copies are
# spare; -x and --in of questions about directories take no files.
. "$srcdir/tests/cli/lib.sh"

mkdir -p keep d/sub d/other
printf 'one' >d/1
printf 'two' >d/sub/2
printf 'three' >d/other/3
cp d/1 d/sub/2 d/other/3 keep
scan .
run 0 redundant d -0
printf '%s\0' "$T/work/d" | out
run 1 redundant d -0 --protect d/sub/2
printf '%s\0' "$T/work/d/other" | out
run 0 mark keep d/sub/2
run 1 redundant d -0
printf '%s\0' "$T/work/d/other" | out
err_has '1 file is marked keep: what it lies in stays'
run 1 redundant d/sub
out <<'END'
No directory can go as a whole.
END
err_has '1 file is marked keep'
run 1 redundant d/sub -q
err_lacks keep
# Without DIR: the other side of the pair goes.  One that is asked of beside it is not concerned.
run 0 redundant -0
printf '%s\0' "$T/work/keep" | out
run 0 redundant d/other -0
err_lacks keep
# The file has another content now: the mark is without effect.
printf 'one' >d/sub/2
scan .
run 0 redundant d -0
printf '%s\0' "$T/work/d" | out
err_lacks keep

# No file is passed over in silence.
for question in redundant at-risk similar du waste; do
	run 2 $question -x keep/1
	out </dev/null
	err_has "--exclude-path: '$T/work/keep/1' is a file: $question takes only directories"
done
run 2 where one -x keep/1
err_has 'where takes only directories'
for question in redundant at-risk; do
	run 2 $question d --in keep/1
	err_has "--in: '$T/work/keep/1' is a file"
done
run 1 redundant d -x keep

# What is live stays for copies in backups and the like, unless it was named; a part of it that has others can go.
rm -r keep d
mkdir -p live/part live/rest old-laptop/part other Downloads
printf 'one of live' >live/part/1
printf 'two of live, longer' >live/rest/2
printf 'not a part' >live/3
cp live/part/1 old-laptop/part
cp live/rest/2 old-laptop
cp live/3 Downloads
cp live/part/1 other
printf 'own' >old-laptop/own
printf 'own, too' >Downloads/own
scan .
run 0 redundant -c "$T/work/"
out <<'END'
      11 B  old-laptop/part
            its only file is also in other
      11 B  live/part
            its only file is also in other
2 directories can go together: 2 files, 22 B to be freed.
1 other one could go instead of some of these: -v shows which.
1 other could go, but only for copies in backups or the like: -v shows which.
1 more directory could go but for a few files ('safe DIR' tells which):
      33 B  old-laptop
            all but 1 of its 3 files are elsewhere
END
run 0 redundant -v -c "$T/work/"
out_has '      40 B  live
            stays: 2 of its 3 files have copies only in backups or the like ('"'redundant DIR'"' lets it go)
            all 3 files are also in old-laptop (1), other (1) and directly in Downloads (1)
'
run 0 redundant --json
out_has "{\"path\":\"$T/work/live\",\"state\":\"live\",\"files\":3,"
out_has '"missing":2,'
out_has '"live":1,'
# Its subdirectory is not named by naming it, nor it by naming the directory above.
run 0 redundant live -0
printf '%s\0' "$T/work/live" | out
run 1 redundant . -0
printf '%s\0' "$T/work/old-laptop/part" "$T/work/live/part" | out
run 0 redundant live/rest -0
printf '%s\0' "$T/work/live/rest" | out
# So may what was named to rely on: places, or declared backups.
run 1 redundant . --in old-laptop -0
out_has "$T/work/live/rest"
run 0 scan -q --backup old-laptop --backup Downloads
run 0 redundant -0
out_lacks 'live/rest'
run 0 redundant --backups-count -0
out_has "$T/work/live"
run 0 scan -q --no-backup old-laptop --no-backup Downloads
# rm takes of what can go all files, and leaves the live copies of them.
run 0 redundant -0
xargs -0 "$TWINDEX" rm -ry <"$T/out" >"$T/removed" 2>"$T/err" || fail 'rm'
cat other/1 live/rest/2 live/3 >/dev/null || fail 'rm took a live copy'
[ ! -e live/part/1 ] && [ ! -e old-laptop/part/1 ] || fail 'rm left a file'
