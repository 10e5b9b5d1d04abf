# SPDX-License-Identifier: MIT
# The manual's tutorial: each of its commands, in their order, does what is said there.
. "$srcdir/tests/cli/lib.sh"
need_linux names that are exchanged: links need that

HOME=$T/work/home
disk=$T/work/disk
mkdir -p home/Downloads home/Pictures home/Videos home/src home/old-laptop/letters disk
cd "$HOME" || exit
echo film >Downloads/film.mkv
cp Downloads/film.mkv Videos
echo beach >Pictures/beach.jpg
cp Pictures/beach.jpg old-laptop
echo 'Dear Ann' >old-laptop/letters/ann
echo clip >Videos/clip.mkv
cp Videos/clip.mkv "$disk"
echo code >src/one.c
cp src/one.c src/two.c

"$AWK" '/^\.Sh/ { here = /TUTORIAL/ } here && /^twindex / { sub(/^twindex /, ""); print }' "$srcdir/man/twindex.1" >"$T/commands"
while read -r command; do
	status=0
	# Without a terminal rm and link want to be told; /media/disk is another directory.
	typed=$(printf '%s' "$command" | sed "s|/media/disk|$disk|; s/^rm\|^link/& --yes/; s/--rescue/--yes &/")
	printf '2\nq\n' | eval "\"\$TWINDEX\" $typed" >"$T/out" 2>"$T/err" || status=$?
	echo "$status $command"
	case $command in
	scan* | report | waste* | decide* | log) ;;
	*) sed "/^from:\|^to:/d; s|$T/work/||; s/, [^,]* freed\( on disk\)\{0,1\}\(, and 2 directories\)\{0,1\}\$//; s/^ */    /" "$T/out" ;;
	esac
done <"$T/commands" >"$T/did"
cat >"$T/want" <<'END'
0 scan ~
0 report
0 waste ~
0 file ~/Downloads/film.mkv
    dup  home/Downloads/film.mkv
    copy  home/Videos/film.mkv
0 decide ~/Downloads
0 marks
    drop         5 B  home/Downloads/film.mkv
    keep         5 B  home/Videos/film.mkv
    1 to drop, 4.0 KiB to be freed on disk, 1 to keep
0 rm --marked
    1 file removed
1 link --hard -r ~/src
    stays: home/src/one.c (the last copy)
    1 file hard-linked
0 scan
1 diff
    1 file         5 B  gone
    1 file         5 B  with other times and the same content
    gone  home/Downloads/film.mkv
1 safe ~/old-laptop
    home/old-laptop/letters/ann
1 redundant ~/old-laptop
    No directory can go as a whole.
1 at-risk ~/old-laptop
    9 B  1 file in home/old-laptop/letters
    1 file, 9 B at risk.
0 safe ~/old-laptop --rescue ~/from-old-laptop
    copied 1 file, 9 B, to home/from-old-laptop
0 scan
0 rm -r --prune-empty ~/old-laptop
    2 files removed
0 scan /media/disk
1 safe ~/Pictures /media/disk
    home/Pictures/beach.jpg
1 at-risk --one-volume ~
    30 B  6 files in home
    6 files, 30 B at risk.
1 rm -r --in /media/disk ~/Videos
    stays: home/Videos/film.mkv (no copy of it is at or below a directory of --in)
    1 file removed
0 log
0 undo
    undone: home/Videos/clip.mkv (removed)
    1 act undone
END
diff "$T/did" "$T/want" || fail 'the tutorial does (<) something else than expected (>)'
[ ! -e old-laptop ] && [ "$(cat from-old-laptop/letters/ann)" = 'Dear Ann' ] || fail 'not rescued'
[ "$(cat Videos/clip.mkv)" = clip ] || fail 'undo did not bring it back'
