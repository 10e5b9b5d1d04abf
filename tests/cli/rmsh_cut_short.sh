# SPDX-License-Identifier: MIT
# A script of rmsh that was cut off anywhere does nothing.
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
	size=$(wc -c <script)
	for shell in dash bash 'busybox sh'; do
		command -v ${shell%% *} >/dev/null || continue
		# At each line, and at each byte of the last ones.
		lines=$(wc -l <script)
		at=1
		while [ $at -lt $lines ]; do
			head -n $at script >cut
			$shell ./cut >/dev/null 2>&1
			at=$((at + 1))
		done
		at=$((size - 50))
		while [ $at -lt $((size - 1)) ]; do
			head -c $at script >cut
			$shell ./cut >/dev/null 2>&1
			at=$((at + 1))
		done
		[ "$(ls -A d e)" = "$(printf 'd:\na\nb\nc\n\ne:\na\nb\nc')" ] || fail "$shell: something was done: $(ls -A d e)"
	done
done
