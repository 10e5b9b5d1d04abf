# SPDX-License-Identifier: MIT
# at-risk: files whose content exists once, by directory; 0: none, 1: some, 3: not all judged.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/pics/2024 home/docs backup
printf 'one' >home/pics/2024/1
printf 'longer' >home/pics/2
ln home/pics/2 home/pics/again
printf 'kept' >home/docs/a
cp home/docs/a backup
printf 'lone' >home/docs/b
: >home/docs/empty
touch -d 2020-01-01 home/docs/b
scan home backup
run 1 at-risk -c "$T/work/"
out <<'END'
       9 B  3 files in home/pics
       4 B  1 of 2 files directly in home/docs
4 files, 13 B at risk.
END
err_lacks twindex
# The files themselves, for a backup to take.
run 1 at-risk -0
printf '%s\0' "$T/work/home/docs/b" "$T/work/home/pics/2" "$T/work/home/pics/again" "$T/work/home/pics/2024/1" | out
run 1 at-risk --files home/docs -c "$T/work/"
out <<'END'
home/docs/b
END
run 1 at-risk home/docs --format csv
printf '%s\r\n' 'kind,state,files,bytes,frees,not_judged,path,path_b64' "\"tree\",\"files-at-risk\",1,4,,0,\"$T/work/home/docs\"," | out
run 1 at-risk --json home/pics/2024
out_has "{\"path\":\"$T/work/home/pics/2024\",\"state\":\"at-risk\",\"files\":1,\"bytes\":3,\"of\":1}"
run 0 at-risk backup
out <<'END'
No file is at risk.
END
run 1 at-risk --min-size 5 -c "$T/work/" --top 1
out <<'END'
       6 B  2 files in home/pics
2 files, 6 B at risk.
END
run 1 at-risk --newer 2021-01-01 home/docs home/pics/2024 -c "$T/work/" -0
printf '%s\0' home/pics/2024/1 | out
run 0 at-risk --newer '2020-06-01 12:00' home/docs
run 1 at-risk --newer 90000d home/docs
run 2 at-risk --newer 2026-02-30
err_has "'2026-02-30' is neither an age"
run 2 at-risk --newer yesterday
err_has "'yesterday' is neither an age"
# Copies that count: without those of -x, of --in only.
run 1 at-risk -x backup home/docs -c "$T/work/"
out <<'END'
       8 B  2 files in home/docs
2 files, 8 B at risk.
END
run 1 at-risk --in backup -c "$T/work/"
out <<'END'
       9 B  3 files in home/pics
       4 B  1 of 2 files directly in home/docs
4 files, 13 B at risk.
END
run 1 at-risk --in home/pics -c "$T/work/" -0
printf '%s\0' backup/a home/docs/a home/docs/b | out
# All lies on one disk.
run 1 at-risk --one-volume -c "$T/work/"
out <<'END'
      17 B  5 files in home
       4 B  1 file in backup
6 files, 21 B at risk.
END
# A copy that is gone is none; one that changed, or can't be looked at, leaves a doubt.
mv backup/a saved
run 1 at-risk home/docs -0 -c "$T/work/"
printf '%s\0' home/docs/a home/docs/b | out
printf 'else' >backup/a
run 3 at-risk home/docs -0 -c "$T/work/"
printf '%s\0' home/docs/b | out
err_has '1 changed since the scan, 1 unknown'
run 3 at-risk home/docs -v
err_has "not judged: $T/work/backup/a (changed)"
rm -r backup/a saved
scan home backup
mkdir disk
cp home/docs/a disk
scan disk
mv disk away
run 1 at-risk home/docs -c "$T/work/"
out <<'END'
       4 B  1 of 2 files directly in home/docs
1 file, 4 B at risk.
1 file has other copies only offline.
END
run 1 at-risk home/docs --online -0 -c "$T/work/"
printf '%s\0' home/docs/a home/docs/b | out
# What is new has no copy that anybody knows of.
printf 'new' >home/new
run 3 at-risk home/docs/.. -0
err_has '1 new since the scan'
run 2 at-risk nowhere
run 2 at-risk home/docs/a
# What nobody can judge is not called safe.
rm home/new
scan home backup
printf 'b' >home/docs/a
printf 'b' >home/docs/b
run 3 at-risk home/docs
out <<'END'
No file is known to be at risk.
END
# All directly in a directory, and nothing of what lies below it.
mkdir -p some/below others
printf 'only' >some/only
printf 'also' >some/below/also
cp some/below/also others
scan some others
run 1 at-risk some -c "$T/work/"
out <<'END'
       4 B  1 file directly in some
1 file, 4 B at risk.
END
# A terminal is shown the largest.
command -v script >/dev/null || exit 0
for d in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
	mkdir -p deep/$d/x deep/$d/y
	printf 'alone in %s' $d >deep/$d/x/f
	printf 'two' | tee deep/$d/y/2 >deep/$d/2
done
scan deep
terminal 80 at-risk deep
[ "$(grep -c ' file in deep' "$T/out")" -eq 12 ] || fail "not twelve lines: $(cat "$T/out")"
out_has '2 lines more: --top 0 shows all'
terminal 80 at-risk deep --top 0
[ "$(grep -c ' file in deep' "$T/out")" -eq 14 ] || fail 'not all'
