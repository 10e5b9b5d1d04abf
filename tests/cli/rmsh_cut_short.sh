# SPDX-License-Identifier: MIT
# A script of rmsh that was cut off anywhere does nothing.  Some shells try each third cut; EVERY_KIND=1: all, all.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for name in a b c; do
	echo "same $name" >d/$name
	cp d/$name e/
done
scan -q d e
for form in '' --portable; do
	run 0 rmsh -r d $form
	cp "$T/out" script
	# At each line, and at each byte of the last ones.
	rm -rf cuts
	mkdir cuts
	$AWK '
	function cut(name, text) { name = "cuts/" name; printf "%s", text >name; close(name) }
	{ all = all $0 "\n"; cut("line" NR, all) }
	END { for (at = length(all) - 50; at < length(all) - 1; at++) cut("byte" at, substr(all, 1, at)) }' script
	rm cuts/line$(wc -l <script)
	[ "$(ls cuts | wc -l)" -eq $(($(wc -l <script) + 48)) ] || fail "only $(ls cuts | wc -l) cuts"
	for shell in dash bash 'busybox sh'; do
		command -v ${shell%% *} >/dev/null && in_turn || continue
		for cut in cuts/*; do
			in_turn || continue
			$shell $cut >/dev/null 2>&1
		done
		[ "$(ls -A d e)" = "$(printf 'd:\na\nb\nc\n\ne:\na\nb\nc')" ] || fail "$shell: something was done: $(ls -A d e)"
		turns=$((turns + 1))
	done
done
