# SPDX-License-Identifier: MIT
# Paths may be relative, hold .. and links to directories: they are resolved first. Without one: the current directory.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/b other
printf 'x1' >a/b/f
printf 'y22' >other/g
ln -s a/b short
ln -s "$T/work/other" a/abs
scan .
want() {
	out <<END
    unique  $T/work/a/b/f
END
}
for p in a/b ./a//b/ short short/. other/../a/b a/abs/../a/b "$T/work/a/b" a/b/f short/f '-p a/b' '--path=short'; do
	# shellcheck disable=SC2086
	run 0 ls $p
	want
done
cd a/b || exit 99
run 0 ls
want
run 0 ls .
want
run 0 ls ../../short/f
want
cd "$T/work/short" || exit 99
run 0 ls
want
