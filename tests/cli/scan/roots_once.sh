# SPDX-License-Identifier: MIT
# Roots given twice, nested, through links and through .. count every file once.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/b other
printf 'same' >a/x
printf 'same' >a/b/y
printf 'same' >other/z
ln -s a link
ln -s ../a other/back
once()
{
	out_line 'files       2 in 2 directories, 8 B'
	out_line 'duplicates  1 set, 4 B redundant when scanned'
	run 0 report --format fdupes -c "$T/work/"
	out <<'END'
a/b/y
a/x

END
	rows 'SELECT count(*) FROM file_view'
	out <<'END'
2
END
	rm -f "$TWINDEX_DB"*
}
for roots in 'a a' 'a a/b' 'a/b a' 'a link' 'link/b link' 'a a/../a' 'other/../a/./b//.. a/b/..' 'a other/back/b other/back' \
	"a $T/work/a" '-p a a' '--path a/b -p link'; do
	# shellcheck disable=SC2086
	scan $roots
	once
done
cd a || exit 99
scan . b ../link
cd .. || exit 99
once
