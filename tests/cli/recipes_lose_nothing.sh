# SPDX-License-Identifier: MIT
# Every command line that README, the manuals and help print runs, block by block (each sixth, with EVERY_KIND=1 all) and
# line by line, on a tree where it could do harm: copies that changed, went or became links since the scan, equal names with
# other contents, newer files, names that look like options.  Whatever is removed, every content that was there is there
# still.
. "$srcdir/tests/cli/lib.sh"
need sha256sum rsync jq
need_linux names that are exchanged: links need that

HOME=$T/work/home media=$T/work/media
acting='rm|link|rmsh|mark|undo|safe|uniques|scan|redundant|at-risk|file|report|recover|contained'

# blocks: what is printed, a command a line, and a line -- after each block.
blocks()
{
	# README: code is indented by four blanks; what a session looks like has a prompt.
	"$AWK" '/^    / { sub(/^    (\$ | *)/, ""); if (/^(\.\/bootstrap .*)?(\.\/)?twindex / && !/[0-9] s  /) print; next } { print "--" }' "$srcdir/README"
	# The manuals: literal blocks, whose lines may go on behind a pipe.
	"$AWK" '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0; print "--" }
		on { gsub(/\\\(aq/, "'\''"); gsub(/\\e/, "\\"); line = line $0; if (line ~ /\|$/) next; if (line ~ /^(twindex|jq) /) print line; line = "" }
		' "$srcdir"/man/*.[157]
	# Commands within their sentences that name what they are about.
	sed -nE "s/^\\.Ql (twindex )?(($acting) .*)/\\2/p" "$srcdir"/man/*.[157] |
		sed 's/ [.,;:)]*$//; s/\.$//; s/ \(Ar\|Fl\) / /g' | grep -E ' (dir|DIR|path|FILE|DIR/a)( |$)|--marked' | grep -v -e --plan | sort -u | sed 's/^/twindex /; a\
--'
	# The help of each command and topic: lines by themselves, then commands in quotes.
	"$TWINDEX" help --all >"$T/all"
	sed -n 's/^  \(\.*[^ ]*twindex .*\)/\1/p' "$T/all"
	echo --
	for word in $(sed -n '/^commands:$/,/^global/s/^  \([a-z][a-z-]*\) .*/\1/p' "$T/all"); do
		"$TWINDEX" help "$word"
		echo --
	done | "$AWK" -v quoted="'($acting) [^']*'" '
		{ text = text $0 " " }
		/^--$/ {
			gsub(/ +/, " ", text)
			for (; match(text, quoted); text = substr(text, RSTART + RLENGTH))
				print "twindex " substr(text, RSTART + 1, RLENGTH - 2)
			text = ""
			print
			next
		}
		/^  +(twindex|[a-z]*sync) ?/ || line != "" { sub(/^ +/, ""); line = line $0; if (line ~ /\|$/) next; print line; line = "" }'
}

# typed: the lines of its input as one types them here; those that ask on a terminal are told yes.
typed()
{
	sed -E "s/^\\.\\/bootstrap && //; s/   .*//; s/[^ ]*twindex /twindex /g; s|/media/|$media/|g
		s/--in COPY FILE/--in Pictures old-laptop\\/beach.jpg/; s/COMMAND/rm/
		s/ (DIR|dir|PATH|path)( |\$|\/)/ old-laptop\2/g; s/ (DIR|dir|PATH|path)( |\$|\/)/ old-laptop\2/g; s/ TO( |\$)/ rescued\1/
		s/twindex (rm|link) /&--yes /; s/--yes (.*-n|-rn|.*--plan)/\\1/; s/ --rescue /&/; s/.*--rescue .*/& --yes/"
}

# The contents that are there, but for exports, which replace one another; $files are the files that have them.
contents()
{
	find "$T/work" -type f ! -name plan ! -path '*/disk/fleet/*' -exec sha256sum {} + >"$T/sums"
	files=$("$AWK" -v to="$1" '{ sub(/^\\/, ""); print substr($0, 1, 64) | "sort -u >" to } END { print NR }' "$T/sums")
}

# traces: what is there, names, inodes and times, the index among it, whose log SQLite gives an owner each time: where it is
# the same no file has another content.
traces()
{
	find "$T/work" "$TWINDEX_DB" "$TWINDEX_DB"-[!s]* -printf '%p %i %n %s %T@ %l ' \( -path "$T/work/*" -printf '%C@\n' -o -printf '\n' \) | cksum
}

# What is scanned; then what happens between a scan and a recipe.
mkdir -p "$T/tree/home" "$T/tree/media"
(
	cd "$T/tree/home" || exit
	mkdir -p Downloads Photos Pictures/2018 Pictures/moved Pictures/new Videos src old-laptop/letters old-laptop/moved archive A/Documents B/Documents \
		B/from-A/Documents old new Documents backup/laptop-2019/Letters backup/laptop-2019/Photos .cache
	echo film | tee film.mkv Downloads/film.mkv >Videos/film.mkv
	echo clip | tee Videos/clip.mkv >../media/clip
	echo beach | tee Pictures/beach.jpg >old-laptop/beach.jpg
	echo 'Dear Ann' >old-laptop/letters/ann
	for i in 1 2 3 4; do echo "changed $i" | tee Downloads/changed$i old-laptop/changed$i old/changed$i >Pictures/changed$i; done
	echo gone | tee Downloads/gone old-laptop/gone new/gone >Videos/gone
	echo moved | tee Pictures/moved/1 Downloads/moved1 >old-laptop/moved/1
	echo cached | tee .cache/x >Downloads/cached
	echo a | tee Pictures/a >old-laptop/a
	echo one | tee src/one.c >src/two.c
	echo letter | tee Documents/letter >backup/laptop-2019/Letters/letter
	echo only >backup/laptop-2019/Letters/only
	echo photo | tee Pictures/2018/p backup/laptop-2019/Photos/p >backup/p
	echo 'three years of work' >B/Documents/thesis
	echo 'draft of 2019' | tee A/Documents/thesis >old/thesis
	echo 'taken' >A/Documents/name
	echo 'by another' | tee B/from-A/Documents/name >Pictures/new/name
	echo name >Pictures/name
	echo 'under a name that is taken' >Photos/name
	echo beach >Photos/beach.jpg
	echo 'a photo elsewhere' >Photos/more
	for name in -n -rf '--yes' 'a b' "it's" '*' '$HOME' "$(printf 'new\nline')" "$(printf 'bad\377')"; do
		echo "odd $name" | tee "./Downloads/$name" "./old-laptop/$name" >"./A/$name"
	done
	echo dashed | tee ./-n >./Downloads/dashed
	ln Downloads/dashed Downloads/linked
	ln -s "$HOME/Pictures" old-laptop/pictures
	cd ../media || exit
	mkdir -p disk old card/DCIM me/old
	cp -R ../home/Videos ../home/Pictures ../home/Photos disk
	cp ../home/old-laptop/beach.jpg old
	cp ../home/old-laptop/beach.jpg me/old
	echo 'on the disk alone' >disk/alone
	echo raw >card/DCIM/IMG_0042.jpg
	cp ../home/Pictures/name card/DCIM
	echo 'another name' >card/name
)
fresh()
{
	# What only asked has changed nothing.
	cd "$T/work" || exit
	[ ! -d home ] || [ "$now" != "$left" ] || { cd "$HOME" && return; }
	rm -rf home media "$TWINDEX_DB"*
	cp -a "$T/tree/home" "$T/tree/media" .
	cd "$HOME" || exit
	run 0 scan -q --racy-window 0s "$HOME" "$media"
	run 0 mark drop -q Downloads/film.mkv Downloads/changed1 Downloads/gone Downloads/moved1 'Downloads/a b'
	"$TWINDEX" rm -n --json -r ~/Downloads >plan
	for i in 1 2 3; do echo "CHANGED $i" | tee Pictures/changed$i old/changed$i >old-laptop/changed$i; done
	rm Videos/gone new/gone old-laptop/gone Pictures/changed4 old-laptop/changed4 old/changed4
	rm -r old-laptop/moved && ln -s ../Pictures/moved old-laptop/moved
	rm Downloads/moved1 && ln -s ../Pictures/moved/1 Downloads/moved1
	echo 'came since the scan' | tee Downloads/new B/Documents/notes >A/Documents/notes
	echo 'another one' >A/Documents/notes
	echo 'newer' >B/Documents/name
	contents "$T/before"
	left=$(traces) now=$left
}

{ blocks && echo --; } | typed >"$T/blocks"
new=1 n=0 removed=0
printf '1\na\n2\n1\n1\nq\n' >"$T/answers"
met=0
another()
{
	met=$((met + 1))
	[ -n "${EVERY_KIND:-}" ] || [ $((met % 2)) -eq 1 ]
}
while IFS= read -r line; do
	if [ "$line" = -- ]; then
		new=1
		continue
	fi
	if [ $new = 1 ]; then
		new=2
		! in_turn || ! another || { fresh && new=0; }
	fi
	[ $new = 0 ] || continue
	echo "$line" >"$T/typed"
	case $line in
	twindex\ mcp* | twindex\ big*) continue ;;
	esac
	n=$((n + 1)) had=$files
	status=0
	PATH=${TWINDEX%/*}:$PATH sh "$T/typed" >"$T/out" 2>"$T/err" <"$T/answers" || status=$?
	case $status in
	0 | 1 | 3) ;;
	*) fail "exit status $status: $(cat "$T/typed" "$T/err")" ;;
	esac
	was=$now now=$(traces)
	[ "$now" != "$was" ] || continue
	contents "$T/after"
	[ "$files" -ge "$had" ] || removed=$((removed + 1))
	[ -z "$(comm -23 "$T/before" "$T/after")" ] || fail "a content was lost by: $(cat "$T/typed" "$T/out")"
	sort -u "$T/before" "$T/after" -o "$T/before"
done <"$T/blocks"
# The example of a session, whose numbers are those of a listing on a terminal.
if command -v script >/dev/null; then
	fresh
	"$AWK" '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { exit } on' "$srcdir/man/twindex-shell.1" | sed 's/^rm /rm --yes /' >"$T/session"
	grep -q '^mark drop 1' "$T/session" && grep -q '^rm --yes --marked' "$T/session" || fail 'the example of twindex-shell(1) is not found'
	terminal 80 shell -k -f "$T/session"
	out_has removed
	contents "$T/after"
	[ -z "$(comm -23 "$T/before" "$T/after")" ] || fail 'a content was lost by the example of twindex-shell(1)'
fi

# They were found, and some did remove files: else this shows nothing.
echo "$n recipes, $removed removed files"
least=20
[ -z "${EVERY_KIND:-}" ] || least=100
[ $n -ge $least ] || fail "only $n recipes"
[ $removed -ge 3 ] || fail "only $removed of $n recipes removed files"
