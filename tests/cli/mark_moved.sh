# SPDX-License-Identifier: MIT
# Marks follow a directory that a scan finds under another name or in another directory, and their undoing does, too; one
# that only has the inode number of another directory takes none.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/photos/2024 home/photos/2025 home/zz home/old
printf 'one' | tee home/photos/2024/a >home/zz/a
printf 'two' | tee home/photos/2025/b >home/zz/b
printf 'kept alone' >home/photos/alone
scan home
run 0 mark keep home/photos
marks() { run 0 marks -c "$T/work/home/"; }
kept()
{
	marks
	for file; do printf '      keep  %10s  %s\n' "$(wc -c <"home/$file" | tr -d ' ') B" "$file"; done >"$T/want"
	printf '0 to drop, %d to keep\n' $# >>"$T/want"
	sed 's/, 0 B to be freed on disk//' "$T/out" >"$T/got"
	cmp -s "$T/want" "$T/got" || {
		show_run
		fail "not kept: $*"
	}
}
kept photos/2024/a photos/2025/b photos/alone

# The directory, one that lies in it, and both.
mv home/photos home/pics
scan home
kept pics/2024/a pics/2025/b pics/alone
run 1 rm -n -r home/pics
mv home/pics/2024 home/old/2024
scan home
kept old/2024/a pics/2025/b pics/alone
mv home/old/2024 home/y24
mv home/pics home/archive
mv home/archive/2025 home/archive/y25
scan home
kept archive/alone archive/y25/b y24/a
# Two that change their places.
mv home/archive home/tmp
mv home/y24 home/archive
mv home/tmp home/y24
scan home
kept archive/a y24/alone y24/y25/b

# What was marked is taken back where it is now.
run 0 mark undo
run 0 marks
out_has 'No marks'
run 0 mark redo
kept archive/a y24/alone y24/y25/b

# A scan of a part that meets the directory.
mkdir home/part
mv home/y24 home/part/x
scan home/part
kept archive/a part/x/alone part/x/y25/b

# A directory that has no file of those that were marked is another one, whatever its number is.
mv home/archive home/other
rm home/other/a
mkdir home/archive
printf 'one' >home/archive/a
printf 'new' >home/other/n
scan home
marks
out_has 'archive/a'
out_lacks 'other/'
