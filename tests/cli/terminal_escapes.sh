# SPDX-License-Identifier: MIT
# On a terminal no byte of a name can steer it; in a pipe names are raw. NO_COLOR and --color are obeyed.
. "$srcdir/tests/cli/lib.sh"

need script
esc=$(printf '\033')
name="evil$(printf '\033]0;x\007\033[31m\r')end"
bad=$(printf 'bad\377\302\233')
for n in "$name" "$bad" plain; do printf 'same' >"$n"; done
printf 'lone' >"x$name"
scan .
chmod 000 plain
TERM=xterm
export TERM
for command in 'ls -v .' report 'dups -v .' 'uniques .' 'ls -C .' 'ls -l --sort size .' du tree 'where "*"' 'file -- *' 'hash -- *' 'sql "SELECT path FROM file_view"' info 'scan --rehash' \
	'ls --json .' 'report --format csv' 'file "$N/nothing"'; do
	N=$name NO_COLOR=1 script -qec "$TWINDEX $command" "$T/typescript" >/dev/null 2>&1 </dev/null
	# What script itself writes about its command is no output of ours.
	sed '1d; $d' "$T/typescript" >"$T/out"
	grep -q . "$T/out" || sed '/^Script /d' "$T/typescript" >"$T/out"
	case $command in
	*csv*) continue ;;
	esac
	! grep -q "$esc\]" "$T/out" || fail "$command: the terminal was steered"
	! grep -q "$esc\[31m" "$T/out" || fail "$command: raw escape"
done
# One copy in a pipe is raw.
chmod 644 plain
run 0 ls
grep -q "$esc\]0;x" "$T/out" || fail 'names are not raw in a pipe'
run 0 ls --color always
grep -q "$esc\[" "$T/out" || fail '--color always has no colours'
env CLICOLOR_FORCE=1 "$TWINDEX" ls plain >"$T/out"
grep -q "$esc\[" "$T/out" || fail 'CLICOLOR_FORCE has no colours'
for e in NO_COLOR=1 CLICOLOR_FORCE=0 CLICOLOR_FORCE=; do
	env CLICOLOR_FORCE=1 "$e" "$TWINDEX" ls plain >"$T/out"
	! grep -q "$esc" "$T/out" || fail "$e: colours"
done
run 0 ls --color never plain
! grep -q "$esc" "$T/out" || fail '--color never has colours'
run 0 ls plain
! grep -q "$esc" "$T/out" || fail 'colours in a pipe'
