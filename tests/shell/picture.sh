# SPDX-License-Identifier: MIT
# The session in README, and its pictures, are what man/session makes of this program; but for the time that a scan took.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
command -v stty >/dev/null || { echo "no stty"; exit 77; }
locale -a 2>/dev/null | grep -qi '^C.utf-*8$' || { echo "no locale C.UTF-8"; exit 77; }
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
"$PYTHON" -SB "$srcdir/man/session" "$TWINDEX" "$made" || exit 1
status=0
for picture in session-light.svg session-dark.svg; do
	sed '/>[0-9.]* s</d' "$srcdir/man/$picture" >"$made/kept"
	sed '/>[0-9.]* s</d' "$made/$picture" | diff -u "$made/kept" - || status=1
done
sed -n '/^    \$ twindex scan ~/,/^[^ ]/p' "$srcdir/README" | sed '/^[^ ]/d; s/^    //; /^time  /d' | sed '$d' >"$made/kept"
sed '/^time  /d' "$made/session.txt" | diff -u "$made/kept" - || status=1
[ "$status" -eq 0 ] || echo "man/session TWINDEX man makes the pictures anew"
exit "$status"
