# SPDX-License-Identifier: MIT
# Tiles of report --html add up to what can go where copies share blocks of the disk, too.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

[ -n "$PYTHON" ] || skip 'no python'

cat >"$T/tiles.py" <<'END'
import sys, xml.etree.ElementTree
tree = xml.etree.ElementTree.fromstring(sys.stdin.read())
for tile in next(s for s in tree.iter("section") if s.get("id") == "top").iter("svg"):
    if tile.find("title") is not None:
        print(tile.find("title").text.split(";")[0])
END

reflinks()
{
	mkdir m/a m/b m/c
	# Two that share everything, one copy that shares nothing; two that share a part.
	fill 400 1 >m/a/1
	cp --reflink=always m/a/1 m/b/
	cp --reflink=never m/a/1 m/c/
	fill 400 2 >m/b/2
	cp --reflink=always m/b/2 m/c/
	cp --reflink=never m/b/2 m/other && dd if=m/other of=m/c/2 bs=100k count=1 conv=notrunc 2>/dev/null && rm m/other
	sync -f m
	scan m
	run 0 du --json m
	redundant=$(sed -n 's/.*"total":.*"redundant":\([0-9]*\).*/\1/p' "$T/out")
	# The copy that stays is one that shares.
	[ "$redundant" -gt 400000 ] && [ "$redundant" -lt 600000 ] || fail "$redundant bytes"
	run 0 report --html - --bytes m
	"$PYTHON" -S "$T/tiles.py" <"$T/out" >"$T/tiles"
	sum=$(awk '{ sum += $NF } END { print sum + 0 }' "$T/tiles")
	[ "$sum" -eq "$redundant" ] || fail "$redundant bytes can go, and tiles add up to $sum: $(cat "$T/tiles")"
	# Where btrfs frees a part of an extent with the last file that has any of it, c alone has all: its map comes first.
	case $fs:$(head -n 1 "$T/tiles") in
	*:'c: '* | btrfs:'files directly here: '*) ;;
	*) fail "c has most of it: $(cat "$T/tiles")" ;;
	esac
}
each_reflink_disk reflinks
