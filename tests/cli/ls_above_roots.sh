# SPDX-License-Identifier: MIT
# A directory above roots that were scanned by themselves: levels count from the path that was
# given, and what lies beside the roots was not judged.
. "$srcdir/tests/cli/lib.sh"

mkdir -p p/a/x/y p/b p/c/r p/c-r
for f in p/a/f p/a/x/g p/a/x/y/h p/b/k p/c/m p/c/r/n p/c-r/o; do
	echo $f >$f
done
scan p/a
scan p/c/r p/c-r
# shown: what ls says of all that is there, as path and state.
shown()
{
	sed "s|^ *\([a-z]*\) *$T/work/\([^ ]*\).*|\2 \1|" "$T/out" | LC_ALL=C sort >"$T/shown"
	mv "$T/shown" "$T/out"
}
run 0 ls p
shown
out <<'END'
p/a/f unique
p/a/x/g unique
p/a/x/y/h unique
p/b unknown
p/c-r/o unique
p/c/m unknown
p/c/r/n unique
END
run 0 ls --depth 1 p
shown
out <<'END'
p/b unknown
END
run 0 ls --depth 2 p
shown
out <<'END'
p/a/f unique
p/b unknown
p/c-r/o unique
p/c/m unknown
END
run 3 uniques p/c
out <<END
$T/work/p/c/r/n
END
err_has '1 never scanned'
run 0 uniques p/c/r
# The same once they hang on a root above them.
scan p
run 0 ls --depth 2 p
shown
out <<'END'
p/a/f unique
p/b/k unique
p/c-r/o unique
p/c/m unique
END
# A directory of the index that is a file now is that file, too.
mv p/c/r away
echo p/b/k >p/c/r
run 3 scan
run 1 file p/c/r
out_has "dup  $T/work/p/c/r"
# The rest of a root below which a directory was forgotten is scanned with that, a part of it alone.
run 0 forget p/a/x
scan p/a/x/y
rows "SELECT path FROM file_view WHERE path LIKE '%/p/a/%' ORDER BY path"
out <<END
$T/work/p/a/f
$T/work/p/a/x/y/h
END
run 3 uniques p/a
err_has '1 new since the scan'
run 3 scan
rows "SELECT path FROM file_view WHERE path LIKE '%/p/a/x/%' ORDER BY path"
out <<END
$T/work/p/a/x/g
$T/work/p/a/x/y/h
END
run 0 check
