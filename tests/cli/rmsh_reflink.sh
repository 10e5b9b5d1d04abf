# SPDX-License-Identifier: MIT
# The script of rmsh --reflink has files of any name share the blocks of their copies, each of which stays as it is.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux shared blocks

reflink_disk
mkdir fs/d fs/e
i=0
for name in plain "$(printf 'nl\n-rf')" "$(printf '\033]0;x\377')" "it's"; do
	i=$((i + 1))
	seq "${i}00000" "${i}60000" >fs/e/$i
	cp --reflink=never fs/e/$i "fs/d/$name"
	chmod 600 "fs/d/$name"
done
state() { find fs -type f -exec stat -c '%i %u %a %h %s %Y' {} + | sort; find fs -type f -exec cksum {} + | cut -d' ' -f1 | sort; }
state >"$T/before"
scan -q fs
for shell in dash bash 'busybox sh'; do
	command -v ${shell%% *} >/dev/null || continue
	run 0 rmsh -r --reflink fs/d
	cp "$T/out" script
	$shell ./script >"$T/out" 2>"$T/err" || fail "$shell: $(cat "$T/out" "$T/err")"
	out_line '4 done, 0 left .*'
	state | cmp - "$T/before" || fail "$shell: files are not as they were"
done
[ "$(grep -c '^reflink' "$TWINDEX_DB-acts")" -ge 4 ] || fail 'nothing was shared'
run 0 check
