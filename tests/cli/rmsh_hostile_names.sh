# SPDX-License-Identifier: MIT
# The scripts of rmsh, to remove and to link, in every shell that is here: of names of any bytes all that is redundant
# goes, and no content is lost.
. "$srcdir/tests/cli/lib.sh"

need sha256sum
# In each directory of made/ the same contents, in one under hostile names.
make_tree()
{
	mkdir made made/d made/e
	cd made || fail 'no made/'
	i=0
	for name in "$(printf 'nl\nrm -rf x')" "$(printf 'end\n.')" "$(printf 'bad\377\376')" '-rf' '--' '-' '$(touch P)' '`touch P`' \
		"sq';touch P; #" "'" "''" '"' '\' '\\' 'a\n' '\0101' '*' '?' '[a]' ' lead' 'trail ' ' ' "$(printf 'tab\there')" '%s' '%b' '!' '~' '#' \
		"$(printf '\033]0;PWNED\007')" "$(printf '\342\200\256bidi')" 'grün ☃' '=cmd|calc' '{a,b}' '$IFS' ';' '&' '|' '<' '>' "$long"; do
		i=$((i + 1))
		printf 'content %s' $i >"d/$name" || skip 'not all names are possible here'
		cp "d/$name" e/$i
	done
	# Every byte that a name may have, 32 in each name.
	byte=1
	while [ $byte -le 255 ]; do
		name=$(for b in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; do
			[ $((byte + b)) -gt 255 ] || [ $((byte + b)) -eq 47 ] || printf "\\$(printf %03o $((byte + b)))"
		done; printf .)
		i=$((i + 1))
		name=${name%.}
		# In this shell an assignment may have lost a newline at the end, and nothing else.
		printf 'content %s' $i >"d/$name"
		cp "d/$name" e/$i
		byte=$((byte + 32))
	done
	i=$((i + 1))
	printf 'content %s' $i >"d/at its end
"
	cp "d/at its end
" e/$i
	printf 'only here' >d/unique
	n=$i
	cd ..
}

# The contents that are there, each as often as a name leads to it.
contents()
{
	find -L d e -type f -exec sha256sum {} + | sed 's/^\\//' | cut -c1-64 | sort
}

# run_script NAME SHELL...: by it nothing is lost and nothing redundant stays.
run_script()
{
	what=$1
	shift
	contents >"$T/before"
	"$@" ./script >"$T/script-out" 2>&1 || fail "$what in $*: exit status $?: $(cat "$T/script-out")"
	contents >"$T/after"
	case $what in
	*link*) cmp "$T/before" "$T/after" || fail "$what in $*: not all names lead to their contents" ;;
	*)
		uniq "$T/before" | cmp - "$T/after" || fail "$what in $*: contents are lost or redundant"
		[ "$(ls -A d)" = unique ] || fail "$what in $*: left: $(ls -A d)"
		;;
	esac
	[ "$(find d e -type f -printf '%i\n' | sort -u | wc -l)" -eq "$(uniq "$T/before" | wc -l)" ] ||
		fail "$what in $*: something redundant stays"
	[ "$(ls e | wc -l)" -eq $n ] || fail "$what in $*: not in d alone"
	[ ! -e P ] || fail "$what in $*: a name was executed"
	tail -n 1 "$T/script-out" | grep -q "^$n done, 0 left" || fail "$what in $*: $(tail -n 1 "$T/script-out")"
}

long=$(printf '%0255d' 7)
make_tree
for shell in dash bash 'busybox sh' mksh zsh; do
	command -v ${shell%% *} >/dev/null || continue
	for kind in '' --hardlink --link; do
		for form in '' --portable; do
			# What calls twindex for each file does not differ but for the call.
			[ "$shell" = dash ] || [ -n "$form" ] || [ -z "$kind" ] || continue
			rm -rf d e P
			cp -a made/d made/e .
			scan -q d e
			run 1 rmsh -r $kind $form d
			cp "$T/out" script
			# One line a file, of which none holds a byte that a terminal acts on.
			[ "$(sed -n '/^main()$/,$p' script | wc -l)" -eq $((n + 6)) ] || fail 'not one line for each file'
			LC_ALL=C tr -d '\n\t\040-\176\200-\377' <script >"$T/control"
			[ ! -s "$T/control" ] || fail 'control characters'
			if grep '^#' script | grep -q "$T/work"; then fail 'a name in a comment'; fi
			run_script "rmsh $kind $form" $shell
			run 0 check
			[ "$shell" = dash ] || continue
			# A week later there is nothing left to do, and nothing is done.
			$shell ./script >"$T/script-out" 2>&1 && fail 'once more, and all is well'
			contents | cmp - "$T/after" || fail 'once more, and contents are lost'
		done
	done
done
for act in remove hard soft; do
	grep -q "^$act" "$TWINDEX_DB-acts" || fail "twindex did nothing: $act"
done
