# SPDX-License-Identifier: MIT
# man in a pipe is formatted: plain text of 80 columns, by mandoc or man; the source where neither is, or with --raw.
. "$srcdir/tests/cli/lib.sh"

# tool NAME: what it gets is in $T/got, its arguments in $T/arguments; it prints what a printer would.
mkdir "$T/bin"
tool()
{
	cat >"$T/bin/$1" <<-END
		#!/bin/sh
		cat >"$T/got"
		echo "\$0 \$* \$MANWIDTH" >"$T/arguments"
		printf 'N\bNA\bAM\bME\bE  _\bf_\bi_\bl_\be \033[1mbold\033[0m \303\251\b\303\251\n'
	END
	chmod +x "$T/bin/$1"
}
path=$PATH
tools=
for name in sh cat chmod grep; do
	tools="$tools $(command -v $name)"
done
# shellcheck disable=SC2086
ln -s $tools "$T/bin"
# only: twindex finds no tools but those in $T/bin.
only()
{
	ran="twindex $*"
	got=0
	PATH=$T/bin "$TWINDEX" "$@" >"$T/out" 2>"$T/err" || got=$?
	[ $got = 0 ] || { show_run; fail "status $got"; }
}
only man
cmp -s "$srcdir/man/twindex.1" "$T/out" || fail 'not the source, where nothing formats it'
tool man
only man shell
printf 'NAME  file bold \303\251\n' | out
cmp -s "$srcdir/man/twindex-shell.1" "$T/got" || fail 'man has another source'
says "$T/arguments" "$T/bin/man -l - 80" || fail "$(cat "$T/arguments")"
tool mandoc
only man
printf 'NAME  file bold \303\251\n' | out
case $(cat "$T/arguments") in
"$T/bin/mandoc"*) ;;
*) fail "$(cat "$T/arguments")" ;;
esac
rm "$T/got"
only man --raw rules
cmp -s "$srcdir/man/twindex-rules.7" "$T/out" || fail '--raw: not the source'
[ ! -e "$T/got" ] || fail '--raw is formatted'
# One that fails is none.
printf '#!/bin/sh\necho half\nexit 3\n' >"$T/bin/mandoc"
only man
printf 'NAME  file bold \303\251\n' | out
cp "$T/bin/mandoc" "$T/bin/man"
only man
cmp -s "$srcdir/man/twindex.1" "$T/out" || fail 'not the source, where all fail'
# On a terminal man shows it, and its pager is told that this has UTF-8, unless it knows already.
if command -v script >/dev/null; then
	printf '#!/bin/sh\ncat >/dev/null\necho "$* charset ${LESSCHARSET-none} width ${MANWIDTH-none}"\n' >"$T/bin/man"
	PATH=$T/bin:$path
	terminal 80 man
	out_line '-l - charset none width none'
	if locale -a 2>/dev/null | grep -qi '^C.utf-*8$'; then
		LC_ALL=C.UTF-8
		terminal 80 man
		out_line '-l - charset utf-8 width none'
		export LESSCHARSET=latin1
		terminal 80 man
		out_line '-l - charset latin1 width none'
		unset LESSCHARSET
		LC_ALL=C
	fi
fi
# The real ones.
PATH=$path
[ -n "$MANDOC" ] || command -v man >/dev/null || exit 0
run 0 man
[ "$(tr -cd '\033\010' <"$T/out" | wc -c)" = 0 ] || fail 'it is for a printer'
! grep -q '^\.S[hs]' "$T/out" || fail 'it is the source'
! grep -q '.\{81\}' "$T/out" || fail 'wider than 80 columns'
out_has 'DESCRIPTION'
