# SPDX-License-Identifier: MIT
# A link is no copy: one that can't be looked at leaves no doubt whether a file has a copy, unless what it holds is unknown.
. "$srcdir/tests/cli/lib.sh"

mkdir a shut disk
printf 'linked' >a/f
ln a/f shut/f
printf 'offline' >a/g
ln a/g disk/g
printf 'twice' >a/d
cp a/d a/e
ordinary
scan a shut disk
$as mv disk away
$as chmod 000 shut
run 0 dups a -c "$T/work/"
out <<'END'
a/d
a/e
END
err_lacks 'not judged'
run 0 dups a/f --json
out <<'END'
{"schema_version":1,"files":[],"verdict":"listed","exit":0,"not_judged":{},"unfinished":false}
END
# Where links count as copies, they leave one; and whether one is unique they do in any case.
run 3 dups -H a
err_has 'not judged: 2 unknown'
run 3 uniques a
# A copy that can't be read may be one.
$as chmod 755 shut
$as cp a/f shut/copy
scan shut
$as chmod 000 shut
run 3 dups -v a
err_has "not judged: $T/work/a/f (another copy is unreadable)"
$as chmod 755 shut
