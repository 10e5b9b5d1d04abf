# SPDX-License-Identifier: MIT
# Where files have no time of change of their own (sshfs, exFAT), one that is rewritten with its size and time put back has the
# signature that it had.  scan says so once; what is relied on there is told, with status 3, unless it was read again within
# the hour, by scan --rehash or validate, or the root has --trust-mtime.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need_linux types of file systems
[ -n "$SQLITE3" ] || skip 'no sqlite3'
own_mounts

# Copies of other times: of one time they might be one file, shown twice.
files()
{
	mkdir -p "$1/a" "$1/b"
	for f in 1 2; do
		printf 'content %s' $f >"$1/a/$f"
		cp "$1/a/$f" "$1/b/$f"
	done
	touch -d 2020-01-01 "$1"/a/*
	touch -d 2021-01-01 "$1"/b/*
}

# an_hour_later: since all of it was read.
an_hour_later() { "$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = value - 3601 WHERE key LIKE 'ctime:%' AND value > 1"; }

# rewritten CONTENT: the copy of 1 has another content, its time and size as before.
rewritten()
{
	printf '%s' "$1" >m/b/1
	touch -d 2021-01-01 m/b/1
}

# answers STATUS: of all that says what could go.
answers()
{
	for ask in 'contained m/a m/b' 'redundant m/a' 'at-risk m/a' 'uniques -x m/a m/a' 'file m/a/1' 'contained --json m/a m/b'; do
		[ "${ask#*--json}" != "$ask" ] || in_turn || continue
		# shellcheck disable=SC2086
		run "$1" $ask
		if [ "$1" = 3 ]; then
			err_has 'on a volume that keeps no change times'
		else
			err_lacks 'change times'
		fi
	done
	case $1 in
	3) out_has '"not_judged":{"no_time_of_change":4}' ;;
	0) out_has '"not_judged":{}' ;;
	esac
}

told()
{
	run 0 scan --racy-window 0s m
	err_has "'$T/work/m': keeps no change times"
	run 0 scan --racy-window 0s m
	err_lacks 'change times'
	run 0 volumes
	out_has ', no change times, '
	run 0 volumes --json
	out_has '"own_ctime":false'
	answers 0
	an_hour_later
	answers 3
	# What changes is not seen; rm compares.
	rewritten 'Content 1'
	run 0 scan --racy-window 0s m
	answers 3
	# A part of it read again is not all of it.
	run 0 scan -q --rehash --racy-window 0s m/a
	answers 3
	run 3 rm -y m/a/1
	err_has 'its bytes differ'
	run 0 scan -q --racy-window 0s m
	run 1 contained m/a m/b
	rewritten 'content 1'
	run 1 scan -q --rehash --racy-window 0s m
	rewritten 'Content 1'
	run 1 scan -q --rehash --racy-window 0s m
	run 1 contained m/a m/b
	out <<-END
		$T/work/m/a/1
	END
	rewritten 'content 1'
	run 1 scan -q --rehash --racy-window 0s m
	answers 0
	an_hour_later
	answers 3
	run 0 validate -q
	answers 0
	an_hour_later
	run 0 scan -q --trust-mtime m
	answers 0
	umount m
	rm -f "$TWINDEX_DB"*
}

mkdir d m
files d
mount_ssh d m -o dir_cache=no
told

if command -v mount.exfat-fuse mkfs.exfat >/dev/null; then
	exfat_disk m
	files m
	told
fi

# A program in user space that tells times of change.
if command -v bindfs >/dev/null; then
	bindfs d m || skip 'no FUSE here'
	run 0 scan --racy-window 0s m
	err_lacks 'change times'
	run 0 volumes
	out_lacks 'time of change'
	umount m
fi
