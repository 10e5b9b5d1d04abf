# SPDX-License-Identifier: MIT
# A label has the key of its disk as a QR code: the modules that the program qrencode makes of that text.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libqrencode [0-9]' || skip 'built without libqrencode'
[ -n "$PYTHON" ] || skip 'no python'
need qrencode

mkdir here
echo 1 >here/f
scan here
run 0 volumes --labels
"$PYTHON" -S - "$T/out" <<'END' || fail 'another code'
import re, subprocess, sys, xml.dom.minidom

page = xml.dom.minidom.parse(sys.argv[1])
labels = page.getElementsByTagName('section')
assert labels
for label in labels:
    key = next(p.firstChild.data for p in label.getElementsByTagName('p') if p.getAttribute('class') == 'key')
    drawing, = label.getElementsByTagName('svg')
    _, _, width, height = map(int, drawing.getAttribute('viewBox').split())
    assert width == height
    modules = [[' '] * width for _ in range(height)]
    path = drawing.getElementsByTagName('path')[0].getAttribute('d')
    runs = re.findall(r'M(\d+) (\d+)h(\d+)v1h-(\d+)z', path)
    assert ''.join('M%s %sh%sv1h-%sz' % run for run in runs) == path
    for x, y, n, back in runs:
        assert n == back
        for i in range(int(x), int(x) + int(n)):
            modules[int(y)][i] = '#'
    made = subprocess.run(['qrencode', '-8', '-l', 'M', '-m', '4', '-t', 'ASCII', '-o', '-', key], capture_output=True, text=True, check=True)
    # Two characters a module.
    assert [line[::2].ljust(width) for line in made.stdout.splitlines()] == [''.join(line) for line in modules], key
END
