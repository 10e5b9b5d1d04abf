# SPDX-License-Identifier: MIT
# A signal ends a portable script of rmsh after the file in hand has its name again, or its link; nothing is left beside it.
# Each third call is tried; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"

mkdir bin
for program in cmp mv rm ln; do
	real=$(command -v $program)
	# The Nth call of a program, done or about to be, is where the signal comes.
	cat >bin/$program <<END
#!/bin/sh
echo x >>"$T/calls-$program"
[ "\$(wc -l <"$T/calls-$program")" -ne "\${at_$program:-0}" ] || kill -\$signal \$PPID
exec $real "\$@"
END
	chmod +x bin/$program
done
# What is ignored already, as HUP is under nohup, no script can trap.
ignored=$(for signal in HUP INT TERM; do sh -c "kill -$signal \$\$; echo $signal" 2>/dev/null; done)
ended=0
for form in '' --hard --soft; do
	command rm -rf d e
	mkdir d e
	for name in a b; do
		echo "same $name" >d/$name
		cp d/$name e/
	done
	scan -q d e
	run 0 rmsh -r d --portable $form
	cp "$T/out" script
	cp -a d e "$T"
	for shell in dash bash; do
		command -v $shell >/dev/null || continue
		for at in 'cmp 1 HUP 129' 'cmp 2 TERM 143' 'ln 1 INT 130' 'mv 1 TERM 143' 'rm 1 INT 130' 'rm 2 HUP 129'; do
			in_turn || continue
			# shellcheck disable=SC2086
			set -- $at
			command rm -rf d e "$T"/calls-*
			cp -a "$T/d" "$T/e" .
			signal=$3
			case $ignored in *$signal*) continue ;; esac
			export signal
			env "at_$1=$2" PATH="$PWD/bin:$PATH" $shell ./script >"$T/out" 2>"$T/err"
			got=$?
			[ -e "$T/calls-$1" ] && [ "$(wc -l <"$T/calls-$1")" -ge "$2" ] || continue
			ended=$((ended + 1))
			[ $got -eq "$4" ] || fail "$shell $form, $at: status $got: $(cat "$T/out" "$T/err")"
			[ "$(ls -A e)" = "$(printf 'a\nb')" ] && [ -e d/b ] || fail "$shell $form, $at: $(ls -lA d e)"
			[ -z "$(find d -name '.twindex-*')" ] || fail "$shell $form, $at: left: $(ls -lA d)"
			[ -e d/a ] || [ "$form" = '' ] || fail "$shell $form, $at: a name is gone"
			out_has ' done, '
		done
		# The next one gets other calls.
		turns=$((turns + 1))
	done
done
[ $ended -ge 4 ] || [ -n "$ignored" ] || fail "only $ended were ended"
