# SPDX-License-Identifier: MIT
# --online: what is offline is neither listed nor a copy; without it nothing changes.  A path that is offline is an error.
. "$srcdir/tests/cli/lib.sh"

mkdir -p disk/sub here other
printf 'same' >disk/a
printf 'lone on disk' >disk/sub/l
printf 'same' >here/b
printf 'lone' >here/c
printf 'twice' >here/d
printf 'twice' >other/d
scan disk here other
run 0 mark drop disk/a
# All is there: nothing differs.
run 0 report
cp "$T/out" "$T/all"
run 0 report --online
cmp -s "$T/out" "$T/all" || fail 'another report'
err_lacks 'offline'
mv disk "$T/away"
run 0 ls -v here -c "$T/work/"
out <<'END'
   unknown  here/b (another copy is offline)
             ???  disk/a [drop] (offline)
    unique  here/c
       dup  here/d
            copy  other/d
END
run 0 ls --online here -c "$T/work/"
out <<'END'
    unique  here/b
    unique  here/c
       dup  here/d
END
err_has "offline, and left out: $T/work/disk"
run 3 uniques . -c "$T/work/"
run 0 uniques --online -q . -c "$T/work/"
out <<'END'
here/b
here/c
END
[ ! -s "$T/err" ] || fail 'not quiet'
run 0 dups --online . -c "$T/work/"
out <<'END'
here/d
other/d
END
run 1 file --online here/b -c "$T/work/"
out_has 'unique  here/b'
run 0 report
out_has 'offline: not counted'
run 0 report --online
out_has '1 set, 2 files, 5 B redundant'
out_lacks 'offline'
for command in du waste tree; do
	run 3 $command --format csv
	out_has '"dir",1,2,16,4,'
	run 0 $command --online --format csv
	out_lacks 'disk'
	out_has '"dir",1,3,13,5,'
done
run 0 where --online '*' --type file -c "$T/work/"
out <<'END'
here/b
here/c
here/d
other/d
END
run 0 marks
out_has 'disk/a (offline)'
run 0 marks --online
out_lacks 'disk/a'
run 3 contained here disk
run 1 contained --online here other -c "$T/work/"
out <<'END'
here/b
here/c
END
for command in ls uniques report du waste 'contained here' 'uniques here --in'; do
	# shellcheck disable=SC2086
	run 2 $command disk --online
	err_has "disk' is offline"
done
run 0 uniques here --online -x disk
# What lies where the disk belongs is not on it: no scan has met it.
run 1 at-risk --online -0 here
mkdir disk
run 1 at-risk --online -0
printf 'written while the disk was away' >disk/stray
run 0 at-risk --online -v other
err_lacks 'stray'
run 3 at-risk --online -v -0
err_has "not judged: $T/work/disk/stray"
rm -r disk
# It is back.
mv "$T/away" disk
run 0 dups --online here -c "$T/work/"
out <<'END'
here/b
here/d
END

# A disk below a root: its mount point is empty, gone, or holds another disk.
[ "$(id -u)" = 0 ] || skip 'only root can mount'
trap 'umount "$T/work/here/usb" "$T/work/here/one/usb" 2>/dev/null; cleanup' EXIT
mkdir here/usb
mount -t tmpfs one here/usb 2>/dev/null || skip 'cannot mount here'
printf 'lone' >here/usb/c
scan here
umount here/usb
online()
{
	run 0 uniques --online here -c "$T/work/"
	out <<'OUT'
here/c
OUT
	err_has "left out: $T/work/here/usb"
	run 0 du --online here --format csv
	out_lacks 'usb'
}
online
rmdir here/usb
online
mkdir here/usb
mount -t tmpfs -o size=1m two here/usb
printf 'new' >here/usb/new
run 3 uniques --online here -c "$T/work/"
out <<'END'
here/c
END
err_has 'not judged: 1 new since the scan'
umount here/usb
# Nor is what was written below its mount point while it was away left out of answers about trees.
mkdir -p here/one/usb here/two
printf 'pair' >here/one/p
printf 'pair' >here/two/p
mount -t tmpfs three here/one/usb
printf 'on it' >here/one/usb/on
scan here/one here/two
umount here/one/usb
run 0 compare --online here/one here/two
run 0 similar --online here/one here/two
printf 'stray' >here/one/usb/stray
run 3 compare --online here/one here/two
out_has 'as far as could be judged, B lacks nothing of A'
err_has 'not judged: 1 new since the scan'
run 3 similar --online here/one here/two
out_has 'here/one (1 not judged)'
run 0 similar --online --no-check here/one here/two
run 3 at-risk --online here/one
out_lacks 'No file is at risk'
