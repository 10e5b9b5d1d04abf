# SPDX-License-Identifier: MIT
# What the config file protects stays, whichever section says so, also in the scripts of rmsh; and nothing is let go while
# the file is ignored.
. "$srcdir/tests/cli/lib.sh"

unset TWINDEX_CONFIG
file=$HOME/.config/twindex/config
mkdir -p "${file%/*}" archive copy
printf 'precious' | tee archive/a >copy/a
scan .

# protected SECTION: one line there is obeyed by every command that lets files go.
protected()
{
	printf "[$1]\nprotect = $T/work/archive\n" >"$file"
	for act in 'rm -n' 'link --hard -n' 'mark drop'; do
		run 1 $act archive/a
		grep -q protected "$T/out" "$T/err" || fail "[$1]: $act says nothing of it"
	done
	run 1 rmsh archive/a
	out_lacks "remove '"
	answer 0 'k\n' archive copy --keep in:copy
	run 0 marks --drop
	out_lacks archive
	run 0 --no-config mark clear archive copy
	run 1 redundant archive
	run 0 rm -n archive/a --no-config
}
for section in global rm link rmsh mark decide report redundant; do
	! in_turn || protected $section
done
rm -f "$file"

# The lines of a script obey it when it runs.
run 0 rmsh archive/a
mv "$T/out" script
grep -q "remove '$T/work/archive/a'" script || fail 'the script would not remove it'
printf "[rm]\nprotect = $T/work/archive\ntrash = yes\n[nonsense]\n[alias]\nls = x\n" >"$file"
sh script >"$T/out" 2>"$T/err" && fail 'the script ends with 0'
out_has '0 done, 1 left'
[ -e archive/a ] || fail 'the script removed what is protected'

# A path that depends on the directory one stands in is refused; ~/ is not one.
printf '[global]\nprotect = archive\n' >"$file"
run 2 rm -n archive/a
err_has "$file:2: 'protect' is an absolute path, or begins with ~/"
run 0 ls archive
printf '[global]\nprotect = ~/../work/archive\n' >"$file"
run 1 rm -n archive/a
printf '[scan]\nprotect = /x\n' >"$file"
run 2 scan
err_has "$file:2: [scan] has no option 'protect'"
printf '[listing]\nprotect = /x\n' >"$file"
run 2 ls
err_has "$file:2: [listing] has no option 'protect'"

# stopped WHY: nothing that lets files go runs, questions do.
stopped()
{
	for act in 'rm -y' 'rm -q -y' 'link --hard -y' rmsh 'mark drop' decide browse; do
		in_turn || continue
		run 2 $act archive/a
		err_has "' is ignored: $1"
		err_has "${act%% *} refuses to act while '"
		out </dev/null
	done
	run 2 shell -c 'rm -y archive/a'
	err_has "rm refuses to act while '"
	[ -e archive/a ] || fail "gone: $1"
	run 0 ls archive
	err_has "' is ignored: $1"
	out_has archive
	run 0 rm --help
	run 0 rm -n archive/a --no-config
	run 2 --config-protect rm -n archive/a
}
printf "[rm]\nprotect = $T/work/archive\n" >"$file"
chmod o+w "$file"
stopped 'everybody may write to it'
chmod o-w "$file"
TWINDEX_CONFIG=$T/work
export TWINDEX_CONFIG
stopped 'it is no regular file'
unset TWINDEX_CONFIG
if [ "$(id -u)" -eq 0 ]; then
	chown 65534 "$file"
	stopped 'it belongs to another user (65534)'
else
	chmod 0 "$file"
	stopped "it can't be opened: Permission denied"
fi
