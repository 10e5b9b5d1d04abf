# SPDX-License-Identifier: MIT
# A scan of a part in which a directory has taken another one's place forgets nothing of that one, which lies
# outside of the part, where the first came from; a scan of all then finds nothing new.
. "$srcdir/tests/cli/lib.sh"

# tree DIRECTORY...: these, a file in each, are scanned.
tree()
{
	cd "$T/work" || exit 99
	rm -rf t "$TWINDEX_DB"*
	for d; do
		mkdir -p "t/$d"
		echo "$d" >"t/$d/$(echo "$d" | tr / -)"
	done
	scan t
}

# turn FIRST SECOND...: every one takes the place of the one before it, the first that of the last.
turn()
{
	first=$1
	mv "t/$1" away
	to=$1
	shift
	for d; do
		mv "t/$d" "t/$to"
		to=$d
	done
	mv away "t/$to" || fail "the test itself is wrong: $first"
}

# known: the index has every file where it is, and nothing needs to be read.
known()
{
	find "$T/work/t" -type f | sort >"$T/expected"
	rows 'SELECT path FROM file_view ORDER BY path'
	out <"$T/expected"
	run 0 check
	run 0 uniques t
	scan
	out_line 'read        0 files, 0 B'
	out_line "index       0 new, 0 changed, 0 gone, $(wc -l <"$T/expected") unchanged"
	run 0 check
}

tree a h
turn a h
scan t/a
out_line 'index       0 new, 0 changed, 0 gone, 1 unchanged'
known

tree a/s/s h/s b/c/d
turn a b/c
scan t/a
known

# Three: the part has one of them, or two.
if in_turn; then
	tree a h z/y
	turn a h z/y
	scan t/a
	known
fi
if in_turn; then
	tree a h z/y
	turn a h z/y
	scan t/h
	known
fi
if in_turn; then
	tree a h z/y
	turn a h z/y
	scan t/a t/h
	known
fi
# Four, every second one.
if in_turn; then
	tree a b c d
	turn a b c d
	scan t/a t/c
	known
fi

# Swapped within what was swapped.
if in_turn; then
	tree a/s h/s
	turn a h
	turn a/s h/s
	scan t/a
	known
fi
if in_turn; then
	tree a/s a/r h/s
	turn h/s a/s a/r
	turn a h
	scan t/a
	known
fi

# Where another one, or a link, is at that place now, the first is gone.
tree a h
mkdir o
mv t/a o/a
mv t/h t/a
ln -s ../o/a t/h
scan t/a
out_line 'index       0 new, 0 changed, 1 gone, 1 unchanged'
rm t/h
known
mv t/a t/h
mv o/a t/a
scan
mv t/a o/a
mv t/h t/a
mkdir t/h
echo new >t/h/new
scan t/a
out_line 'index       0 new, 0 changed, 1 gone, 1 unchanged'
run 0 check
