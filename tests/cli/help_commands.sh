# SPDX-License-Identifier: MIT
# help shows the commands that most people need, --all every one, and each of them every option; --help and -h say the same
# as help COMMAND.
. "$srcdir/tests/cli/lib.sh"

run 0 help
for c in report redundant safe file ls dups uniques compare diff decide browse rm link undo scan refresh volumes; do
	out_has "  $c "
done
[ "$(wc -l <"$T/out")" -lt 55 ] || fail 'help is long'
grep -q '^  mcp ' "$T/out" && fail 'mcp is for few people'
out_has "help --all' shows all commands"
cp "$T/out" "$T/help"
run 0 help --all
for c in scan report ls dups uniques file du waste tree where refresh hash decide info forget check sql help man version license; do
	out_has "  $c "
done
cp "$T/out" "$T/overview"
run 0 --help
out <"$T/help"
run 0 -h
out <"$T/help"
run 2
grep -q '^usage: twindex' "$T/err" || fail 'no usage without a command'
out </dev/null
for c in scan report ls dups uniques file du waste tree where refresh hash decide info forget check sql help man version license; do
	run 0 help $c
	grep -q "^usage: twindex \[global options\] $c" "$T/out" || fail "help $c"
	cp "$T/out" "$T/help"
	in_turn || continue
	run 0 $c --help
	out <"$T/help"
	run 0 $c -h
	out <"$T/help"
	for o in --db --quiet --verbose --color --help --version; do out_has "$o"; done
done
# No line of it is too long for a terminal, nor one of the help in the shell.
short() { awk 'length > 80 { exit 1 }' "$T/out"; }
for c in '' $(awk '/^commands:/ { on = 1 } /^global/ { on = 0 } on && /^  / { print $1 }' "$T/overview"); do
	run 0 help $c
	short || fail "help $c has long lines"
done
run 0 shell -c help
short || fail 'help of the shell has long lines'
has() { c=$1; shift; run 0 help "$c"; for o in "$@"; do out_has " $o"; done; }
has scan --hidden --exclude --exclude-from --min-size --max-size -X --one-file-system --files0-from --verify --rehash \
	--trust-mtime --threads --max-time --until --wait --dry-run --racy-window --force-purge
has report --top --sort --min-size --min-waste --across --format --exclude-path --cut
has ls --depth --exclude-path --hardlink-is-unique --hardlink-is-copy --format
has du --sort --top --format --bytes
has tree --depth --min-size --sort --top
has where -i --type --top --format
has file --files-from --files0-from
run 2 help nonsense
err_has "unknown command 'nonsense'"
err_has 'topics are examples, keep, path, size, status and config'
# Commands that another one includes say so, in a list of their own, and work as before.
run 0 help --all
for c in contained waste tree marks log recover; do
	[ "$(grep -c "^  $c " "$T/out")" -eq 1 ] || fail "$c is not listed once"
done
sed -n '/^older or shorter names of the same:$/,/^$/p' "$T/out" | grep -q '^  waste      du --sort redundant' || fail 'waste is not told as a part of du'
[ ! -e "$TWINDEX_DB" ] || fail 'help made an index'
