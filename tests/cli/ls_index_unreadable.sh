# SPDX-License-Identifier: MIT
# What the index has of a volume decides whether a missing file is gone or offline: where that cannot be read,
# the query fails with the cause, and says neither.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir d
printf 'there' >d/a
printf 'not for long' >d/b
scan d
rm d/b
for command in 'ls d' refresh; do
	# shellcheck disable=SC2086
	i=1 n_told=0
	cp "$TWINDEX_DB" "$T/before"
	while :; do
		in_turn || { i=$((i + 1)) && continue; }
		got=0
		ran="twindex $command, read $i of the index fails"
		cp "$T/before" "$TWINDEX_DB"
		# LeakSanitizer cannot work under a tracer.
		# shellcheck disable=SC2086
		ASAN_OPTIONS=detect_leaks=0 strace -o "$T/trace" -f --seccomp-bpf -P "$TWINDEX_DB" -e trace=pread64 \
			-e inject=pread64:error=EIO:when=$i "$TWINDEX" $command >"$T/out" 2>"$T/err" || got=$?
		grep -q INJECTED "$T/trace" || break
		[ $got -eq 0 ] || {
			[ $got -eq 6 ] || { show_run; fail "status $got instead of 6"; }
			err_has 'Input/output error'
			n_told=$((n_told + 1))
		}
		out_lacks 'offline'
		err_lacks 'offline'
		err_lacks 'no transaction'
		i=$((i + 1))
	done
	[ $n_told -gt 0 ] || skip 'no strace that can make calls fail'
done
