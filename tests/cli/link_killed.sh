# SPDX-License-Identifier: MIT
# ACT-8 for links: killed at any call, every name leads to its content, and recover leaves no other name behind.
# Each third kill is tried; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"

at=0
while read -r kind call most; do
	n=0
	while [ $n -lt "$most" ]; do
		n=$((n + 1))
		in_turn || continue
		rm -rf d e
		mkdir d e
		for f in 1 2; do
			printf 'content %s' $f >d/$f
			printf 'content %s' $f >e/$f
		done
		scan d e
		rm -f "$TWINDEX_DB-acts"
		injected "$call" "$call:signal=SIGKILL:when=$n" -q link "--$kind" -r d --yes || break
		at=$((at + 1))
		left="$kind, killed at $call $n"
		for f in 1 2; do
			says d/$f "content $f" && says e/$f "content $f" || fail "$left: the content is gone"
		done
		[ "$(ls -A d | grep -c '^\.twindex-')" -le 1 ] || fail "$left: $(ls -A d)"
		run 0 check
		run 0 recover
		[ "$(ls -A d)" = "$(printf '1\n2')" ] || fail "$left: recover has left $(ls -A d)"
		for f in 1 2; do
			says d/$f "content $f" && says e/$f "content $f" || fail "$left: recover has lost the content"
		done
		scan d e
		run 0 check
	done
done <<'END'
hard renameat2 2
hard linkat 2
hard unlinkat 2
soft renameat2 2
soft symlinkat 2
soft unlinkat 2
END
[ $at -ge 3 ] || skip 'no strace that can kill'
