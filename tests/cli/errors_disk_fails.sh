# SPDX-License-Identifier: MIT
# A disk that fails while the index is read is told as that (6), not as damage; so is one that lets it not be opened.
. "$srcdir/tests/cli/lib.sh"

need strace
i=0
while [ $i -lt 400 ]; do
	printf '%s' $((i / 2)) >"a_long_name_for_a_row_of_the_table_$i"
	i=$((i + 1))
done
scan -q .
pages=$(($(stat -c %s "$TWINDEX_DB") / 8192))

# fails CALL ERROR N COMMAND...: the Nth such call on the index fails.  Returns 1 if there are less; $got is the status.
fails()
{
	call=$1 error=$2 n=$3
	shift 3
	got=0
	# LeakSanitizer cannot work under a tracer.
	ASAN_OPTIONS=detect_leaks=0 strace -o "$T/trace" -f --seccomp-bpf -P "$TWINDEX_DB" -e trace="$call" \
		-e inject="$call:error=$error:when=$n" "$TWINDEX" "$@" >"$T/out" 2>"$T/err" || got=$?
	ran="twindex $*, $call $n fails"
	grep -q INJECTED "$T/trace" || {
		[ -s "$T/trace" ] || skip 'no strace that can make calls fail'
		return 1
	}
}

# told CAUSE: the failure ended the command with 6, its cause and no guess.
told()
{
	[ $got -eq 6 ] || {
		show_run
		fail "status $got instead of 6"
	}
	err_has "$1"
	err_lacks 'damaged'
	err_lacks 'readonly'
	n_told=$((n_told + 1))
}

# Every read fails once, from the first of SQLite's on; one is from the program's own look at the file.
for command in 'report -q --no-check' 'check -q'; do
	# shellcheck disable=SC2086
	run 0 $command
	cp "$T/out" "$T/whole"
	i=1
	n_told=0
	# shellcheck disable=SC2086
	while [ $i -le $((pages + 4)) ] && fails pread64 EIO $i $command; do
		# SQLite itself reads some pages twice.
		if [ $got -eq 0 ]; then
			out <"$T/whole"
		else
			told 'Input/output error'
			out_lacks 'damaged'
		fi
		i=$((i + (i < 8 ? 1 : 7)))
	done
	[ $i -gt 1 ] || skip 'no reads were seen'
	[ $n_told -gt 0 ] || fail 'no failure was told'
done

# SQLite opens what it can't open to write to read it.
i=1
n_told=0
while [ $i -le 4 ] && fails openat EMFILE $i scan -q; do
	[ $got -eq 0 ] || told 'Too many open files'
	i=$((i + 1))
done
[ $n_told -gt 0 ] || fail 'no failure to open was told'
