# SPDX-License-Identifier: MIT
# The scripts of rmsh, to remove and to link, in several shells: of names of any bytes all that is redundant goes, and no
# content is lost.  Each name is removed or linked in one way, and in other shells a third of them in some ways in turn;
# EVERY_KIND=1, as .ci/run has it: in all ways and shells.
. "$srcdir/tests/cli/lib.sh"

need sha256sum
# add NAME: a content in one of the parts of d by this name, and of e by a number.
add()
{
	part=$((n % 3))
	printf 'content %s' $n >"d/$part/$1" || skip 'not all names are possible here'
	printf 'content %s' $n >e/$part/$n
}
# In made/d and made/e the same contents, in d under hostile names.
make_tree()
{
	mkdir made && cd made && mkdir -p d/0 d/1 d/2 e/0 e/1 e/2 || fail 'no made/'
	each_hostile add
	# Every byte that a name may have, 32 in each name.
	byte=1
	while [ $byte -le 255 ]; do
		octal=
		for b in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; do
			b=$((byte + b))
			[ $b -gt 255 ] || [ $b -eq 47 ] || octal="$octal\\$((b / 64))$((b / 8 % 8))$((b % 8))"
		done
		name=$(printf "$octal.")
		n=$((n + 1))
		# In this shell an assignment may have lost a newline at the end, and nothing else.
		add "${name%.}"
		byte=$((byte + 32))
	done
	n=$((n + 1))
	add "at its end
"
	for part in 0 1 2; do
		printf 'only here %s' $part >d/$part/unique
	done
	cd ..
}

# The contents that are there in a part, each as often as a name leads to it.
contents()
{
	find -L d/$part e/$part -type f -exec sha256sum {} + | sed 's/^\\//' | cut -c1-64 | sort
}

# run_script NAME SHELL...: by it nothing is lost in its part and nothing redundant stays.
run_script()
{
	what=$1
	shift
	contents >"$T/before"
	n=$(find e/$part -type f | wc -l)
	rm -f "$T/synced"
	"$@" ./script >"$T/script-out" 2>&1 || fail "$what in $*: exit status $?: $(cat "$T/script-out")"
	contents >"$T/after"
	case $what in
	*--hard* | *--soft*) cmp "$T/before" "$T/after" || fail "$what in $*: not all names lead to their contents" ;;
	*)
		uniq "$T/before" | cmp - "$T/after" || fail "$what in $*: contents are lost or redundant"
		[ -z "$(find d/$part -type f ! -name unique)" ] || fail "$what in $*: left: $(ls -AR d)"
		;;
	esac
	[ "$(find d/$part e/$part -type f -printf '%i\n' | sort -u | wc -l)" -eq "$(uniq "$T/before" | wc -l)" ] ||
		fail "$what in $*: something redundant stays"
	[ "$(find e/$part -type f | wc -l)" -eq "$n" ] || fail "$what in $*: not in d alone"
	[ ! -e P ] || fail "$what in $*: a name was executed"
	case $what in
	*portable) [ -e "$T/synced" ] || fail "$what in $*: what stays was not written to the disk before" ;;
	esac
	tail -n 1 "$T/script-out" | grep -q "^$n done, 0 left" || fail "$what in $*: $(tail -n 1 "$T/script-out")"
}

# script_of PART KIND FORM SHELL...: the one for a part of d, . for all, does in that shell what it is to do.
script_of()
{
	part=$1 kind=$2 form=$3
	shift 3
	run 1 rmsh -r $kind $form d/$part
	cp "$T/out" script
	# One line a file, of which none holds a byte that a terminal acts on.
	[ "$(sed -n '/^main()$/,$p' script | wc -l)" -eq $(($(find e/$part -type f | wc -l) + 6)) ] || fail 'not one line for each file'
	LC_ALL=C tr -d '\n\t\040-\176\200-\377' <script >"$T/control"
	[ ! -s "$T/control" ] || fail 'control characters'
	if grep '^#' script | grep -q "$T/work"; then fail 'a name in a comment'; fi
	run_script "rmsh $kind $form" "$@"
	run 0 check
}

# A tree and its index, as they were before any script.
fresh()
{
	rm -rf d e P
	cp -a made/d made/e .
	scan -q d e
}

# Names are what this is about: the disks of the whole machine need not wait for it.
mkdir "$T/bin"
printf '#!/bin/sh\n: >"$T/synced"\n' >"$T/bin/sync"
chmod +x "$T/bin/sync"
PATH=$T/bin:$PATH
make_tree
every=sh
! command -v dash >/dev/null || every=dash
third=0
for form in '' --portable; do
	fresh
	for kind in '' --hard --soft; do
		# POSIX has no names that are exchanged: twindex makes no links.
		[ -n "$form" ] || [ -z "$kind" ] || is_linux || continue
		# Portable ones are tried in other shells, too.
		[ -z "$form" ] || in_turn || continue
		part=$third
		[ -z "${EVERY_KIND:-}" ] || {
			fresh
			part=.
		}
		script_of $part "$kind" "$form" $every
		third=$(((third + 1) % 3))
		# A week later there is nothing left to do, and nothing is done.
		$every ./script >"$T/script-out" 2>&1 && fail 'once more, and all is well'
		contents | cmp - "$T/after" || fail 'once more, and contents are lost'
	done
	third=1
done
# shellcheck disable=SC2046 # a list of words
for act in remove $(! is_linux || echo hard soft); do
	grep -q "^$act" "$TWINDEX_DB-acts" || fail "twindex did nothing: $act"
done
# In other shells each name once more, for how it is read is the same for all kinds, and each kind; which names have which
# kind differs from shell to shell.  What calls twindex for each file does not differ but for the call:
# a third of the names.
third=0
for shell in 'busybox sh' zsh ${EVERY_KIND:+bash mksh}; do
	command -v ${shell%% *} >/dev/null || continue
	fresh
	if [ -n "${EVERY_KIND:-}" ]; then
		script_of . '' '' $shell
		fresh
	elif in_turn; then
		script_of $third '' '' $shell
		fresh
	fi
	for kind in '' --hard --soft; do
		! in_turn || script_of $third "$kind" --portable $shell
		third=$(((third + 1) % 3))
	done
	third=$(((third + 1) % 3))
done
