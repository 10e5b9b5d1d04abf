# SPDX-License-Identifier: MIT
# uniques, dups and all that people delete by count what they could not judge, by reason, and exit with 3.
. "$srcdir/tests/cli/lib.sh"

mkdir -p z/d/.git z/d/left z/other z/links
printf 'copied' >z/d/a
printf 'copied' >z/other/a
printf 'only here' >z/d/.only
printf 'object' >z/d/.git/object
printf 'x' >z/d/small
printf 'much too large' >z/d/large
printf 'left out' >z/d/x.o
printf 'left out' >z/d/left/y
ln -s a z/d/link
mkfifo z/d/fifo
printf 'alone' >z/links/a
printf 'alone' >z/other/alone
ln -s a z/links/b
ln -s a z/links/.b
scan --no-hidden --min-size 2 --max-size 10 --exclude '*.o' --exclude left z
for command in 'uniques -x z/d' uniques dups; do
	run 3 $command z/d
	err_has 'not judged: 1 hidden, 1 directory hidden, 1 excluded by a pattern, 1 directory excluded by a pattern, 1 below --min-size, 1 above --max-size; ignored: 1 symbolic link, 1 special file; -v names them'
done
run 3 uniques -x z/d z/d --format json
out <<'END'
{"schema_version":1,"files":[],"verdict":"not_judged","exit":3,"not_judged":{"hidden":2,"excluded":2,"too_small":1,"too_large":1},"unfinished":false}
END
run 3 -q uniques -x z/d z/d
[ ! -s "$T/err" ] || fail 'not quiet'
# By name, beside the answer.
run 3 uniques -x z/d z/d -v
out </dev/null
err_has "not judged: $T/work/z/d/.only (hidden)"
err_has "not judged: $T/work/z/d/.git/ (hidden)"
err_has "not judged: $T/work/z/d/left/ (excluded by a pattern)"
err_has "not judged: $T/work/z/d/large (above --max-size)"
err_lacks 'z/d/link'
err_lacks 'names them'
# What is left out, given itself, or what lies in it.
run 3 uniques -x z/d/.git z/d/.git
err_has 'not judged: 1 hidden;'
run 3 uniques z/d/left/y
err_has 'not judged: 1 excluded by a pattern;'
# Links hold no content: they are counted, and that is all.
run 0 uniques -x z/links z/links
err_has '2 symbolic links'
# What appeared or changed since the scan, and what was never scanned.
printf 'fresh!' >z/links/new
mkdir z/links/newdir never
printf 'never' >never/x
printf 'other one' >z/links/a
run 3 uniques -x z/links z/links
out </dev/null
err_has 'not judged: 1 new since the scan, 1 directory new since the scan, 1 changed since the scan; ignored: 2 symbolic links'
run 3 uniques never
err_has 'not judged: 1 never scanned;'
# ls says so of each.
run 0 ls z/d -c "$T/work/"
out_has '   skipped  z/d/.only (hidden)'
[ ! -s "$T/err" ] || fail 'ls has its lines'
# What is offline now: its root is not there.
mkdir away
printf 'on a disk' >away/lone
printf 'on two' >away/both
printf 'on two' >z/other/both
scan --no-hidden z away
mv away drawer
run 3 uniques away -c "$T/work/"
out <<'END'
away/lone
END
err_has 'not judged: 2 offline'
run 3 uniques z/other/both
out </dev/null
err_has 'not judged: 1 unknown'
run 3 contained z/other/both away
