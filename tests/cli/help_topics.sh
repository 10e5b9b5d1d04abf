# SPDX-License-Identifier: MIT
# help examples, keep, path, size, status and config: each fits a terminal, is the same in the shell, and every example in it runs,
# finds what it is about and takes nothing away.
. "$srcdir/tests/cli/lib.sh"
need sha256sum

HOME=$T/work/home
mkdir -p home/Pictures/2019 home/Photos home/src home/Downloads home/archive home/backup home/old-laptop
cd "$HOME" || exit
echo beach >Pictures/2019/IMG_1546.jpg
cp Pictures/2019/IMG_1546.jpg Downloads/'beach (1).jpg'
cp Pictures/2019/IMG_1546.jpg old-laptop
cp Pictures/2019/IMG_1546.jpg Photos && echo new >Photos/new && echo one | tee src/1 >src/2
mkdir "$T/disk" && echo backed >"$T/disk/backed"
echo film | tee film.mkv >archive/film.mkv
head -c 2000000 /dev/zero | tee Downloads/big.mkv >Pictures/big.mkv
echo saved | tee backup/saved >Pictures/saved
echo dashed >./-n
touch -d 2019-01-01 Downloads/*
scan ~
find . -type f -exec sha256sum {} + | sort >"$T/before"

twindex() { "$TWINDEX" "$@"; }

topics=$("$TWINDEX" help --all | sed -n '/^topics:$/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo $topics)" = 'examples keep path size status config' ] || fail "topics: $topics"
exec 3>&1
for topic in $topics; do
	run 0 help $topic
	cp "$T/out" "$T/topic"
	[ "$(wc -l <"$T/topic")" -le 22 ] || fail "help $topic is longer than a screen" >&3
	[ -z "$(awk 'length > 79' "$T/topic")" ] || fail "help $topic is wider than a screen" >&3
	run 0 shell -c "help $topic"
	out <"$T/topic"
	sed -n '/^  \[global\]/,/^$/s/^  //p' "$T/topic" >"$T/config"
	[ ! -s "$T/config" ] || export TWINDEX_CONFIG="$T/config"
	sed -n 's/^  \(twindex .*\)/\1/p' "$T/topic" >"$T/examples"
	[ -s "$T/examples" ] || fail "help $topic has no example" >&3
	while read -r example; do
		status=0
		# Without what is said beside it.
		case $example in
		*'#'*) example=${example%%#*} example=${example%"${example##*[! ]}"} ;;
		esac
		# The disk of the example is here.
		command=$example
		[ "${example#*/media/disk}" = "$example" ] || command=${example%%/media/disk*}$T/disk${example#*/media/disk}
		eval "$command" >"$T/out" 2>"$T/err" </dev/null || status=$?
		echo "$status $example"
		# The questions of decide are no answers.
		[ ! -s "$T/err" ] || [ "${example#twindex decide}" != "$example" ] || fail "$example: $(cat "$T/err")" >&3
		# What has nothing to list is silent where no terminal is.
		[ -s "$T/out" ] || [ "$topic" = examples ] || fail "$example: no answer" >&3
	done <"$T/examples"
	find . -type f -exec sha256sum {} + | sort | cmp - "$T/before" || fail "help $topic takes something away" >&3
done >"$T/did"
cat >"$T/want" <<'END'
0 twindex scan ~ --backup /media/disk
0 twindex safe ~/old-laptop
0 twindex safe ~/old-laptop --rescue ~/rescued -n
0 twindex rm -rn --include-hidden --prune-empty ~/old-laptop
1 twindex redundant ~
0 twindex rm -rn ~/Downloads
0 twindex rm -rn --in ~/Pictures ~/Downloads
0 twindex decide ~/Downloads
0 twindex file ~/film.mkv
0 twindex uniques ~/Downloads
1 twindex at-risk --one-volume ~
1 twindex compare ~/Photos ~/Pictures
0 twindex safe ~/Photos ~/Pictures --rescue ~/Pictures -n
1 twindex rm -rn --prune-empty --in ~/Pictures ~/Photos
1 twindex link --hard -rn --in ~/src ~/src
1 twindex undo -n
0 twindex scan -q; twindex diff --online
0 twindex report --keep 'in:~/Pictures,oldest' ~
0 twindex rm -rn --keep newest ~/Downloads
1 twindex rm -rn --keep 'not-in:~/Downloads,shortest-path' ~
0 twindex ls ~/Pictures ./-n
0 twindex ls -- -n
0 twindex rm -rn ~/Downloads --keep 'in:~/Pictures'
0 twindex where '*.jpg'
0 twindex where -i 'pictures/**/img_*'
0 twindex report --name '*.mkv'
0 twindex report --min-size 1.5M
0 twindex tree --min-size 100MB --si ~
0 twindex scan --max-time 10m
1 twindex at-risk --newer 30d
0 twindex safe ~/old-laptop && echo 'nothing would be lost'
0 twindex file -q ~/film.mkv || echo 'keep it'
0 twindex big
0 twindex info
END
diff "$T/want" "$T/did" || fail 'the examples do (>) something else than expected (<)'

# The config file of the example is in effect.
run 0 info
out_has 'protect'
run 1 rm -n archive/film.mkv
out_has 'protected'
run 1 rm -n backup/saved
run 1 rm -n Pictures/saved
out_has 'backup'
unset TWINDEX_CONFIG

# What the topics say of names: a pattern is of the whole name, and a number is one of the listing.
run 0 where -i 'pictures/**/img_*'
out_has IMG_1546.jpg
run 1 where IMG_15
run 0 report --min-size 1.9M
out_has big.mkv
run 0 report --min-size 2MB
out_has big.mkv
run 0 report --min-size 2M
out_lacks big.mkv

run 2 help keeps
err_has 'topics are examples, keep, path, size, status and config'
run 2 shell -c 'help nonsense'
err_has 'topics are examples, keep, path, size, status and config'
run 2 keep
err_has "did you mean 'mark'?"
