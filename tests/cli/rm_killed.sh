# SPDX-License-Identifier: MIT
# ACT-8: killed at any call, no content is lost, and at most one file has another name: the journal was there before.
# Each third kill is tried; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"

at=0
while read -r call most; do
	n=0
	while [ $n -lt "$most" ]; do
		n=$((n + 1))
		in_turn || continue
		rm -rf d e
		mkdir d e
		for f in 1 2 3; do
			printf 'content %s' $f >d/$f
			printf 'content %s' $f >e/$f
		done
		scan d e
		rm -f "$TWINDEX_DB-acts"
		injected "$call" "$call:signal=SIGKILL:when=$n" -q rm -r d --yes || break
		at=$((at + 1))
		for f in 1 2 3; do
			says e/$f "content $f" || fail "killed at $call $n: the copy is gone"
		done
		[ "$(ls -A d | grep -c '^\.twindex-')" -le 1 ] || fail "killed at $call $n: $(ls -A d)"
		# Whatever name is missing has its line.
		for f in 1 2 3; do
			[ -e d/$f ] || grep -q "	$T/work/d/$f	$T/work/e/$f\$" "$TWINDEX_DB-acts" ||
				fail "killed at $call $n: no line for what is gone"
		done
		run 0 check
	done
done <<'END'
renameat2 3
unlinkat 3
fdatasync 3
fsync 2
END
[ $at -ge $([ -n "${EVERY_KIND:-}" ] && echo 8 || echo 3) ] || skip 'no strace that can kill'
