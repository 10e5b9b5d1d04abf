# SPDX-License-Identifier: MIT
# A directory's name is no prefix: neither a longer name nor a wildcard in it leads to another directory.
. "$srcdir/tests/cli/lib.sh"

mkdir -p data data2 data_ 'da%a' 'dat*'
for d in data data2 data_ 'da%a' 'dat*'; do printf '%s' "$d" >"$d/f"; done
scan .
for d in data data2 data_ 'da%a' 'dat*'; do
	run 0 ls "$d"
	out <<END
    unique  $T/work/$d/f
END
done
