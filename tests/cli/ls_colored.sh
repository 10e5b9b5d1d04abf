# SPDX-License-Identifier: MIT
# On a terminal names have the colours of LS_COLORS, and are links with --hyperlink; elsewhere neither.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
LS_COLORS='di=01;34:*.jpg=35:*.evil=31m'
export LS_COLORS
mkdir d
printf 1 >d/a.jpg
printf 22 >d/b.evil
printf 333 >'d/e
 f'
scan .
# Neither is for pipes, where names may be anything.
for option in --color=always --hyperlink; do
	run 0 uniques $option
	printf '%s\n' "$T/work/d/a.jpg" "$T/work/d/b.evil" "$T/work/d/e" ' f' | out
done
PYTHONPATH=$srcdir/tests/shell "$PYTHON" -SB - "${TWINDEX_PROPER:-$TWINDEX}" "$T/work" <<'END' || fail 'not what the terminal is to show'
import socket, sys
from ptydrive import Pty

def shown(*args, **env):
    with Pty([sys.argv[1], *args], env=env) as p:
        assert p.wait() == 0, p.show()
        p.settle()
        return p.raw.decode().replace("\r\n", "\n")

def link(path, text):
    return "\x1b]8;;file://%s%s/%s\x1b\\%s\x1b]8;;\x1b\\" % (socket.gethostname(), sys.argv[2], path, text)

plain = "d/a.jpg\nd/b.evil\nd/e\\n f\n"
colored = "\x1b[35md/a.jpg\x1b[0m\nd/b.evil\nd/e\\n f\n"
assert shown("uniques") == colored, shown("uniques")
assert shown("uniques", "--color", "never") == plain
assert shown("uniques", NO_COLOR="1") == plain
assert shown("uniques", "--hyperlink", TERM="dumb") == plain
assert shown("uniques", "--absolute", LS_COLORS=None) == "".join(sys.argv[2] + "/" + line + "\n" for line in plain.split("\n")[:3])
linked = link("d/a.jpg", "\x1b[35md/a.jpg\x1b[0m") + "\n" + link("d/b.evil", "d/b.evil") + "\n" + link("d/e%0A%20f", "d/e\\n f") + "\n"
assert shown("uniques", "--hyperlink") == linked, shown("uniques", "--hyperlink")
assert shown("ls", "-C").lstrip(" ").startswith("\x1b[01;34md/\x1b[0m"), shown("ls", "-C")
assert "\x1b[01;34md/\x1b[0m\n" in shown("du"), shown("du")
columns = shown("ls", "-C", "--hyperlink", "d")
assert link("d/e%0A%20f", "e\\n f") in columns, columns
END
