# SPDX-License-Identifier: MIT
# Text in the page of report --html has the contrast that WCAG 2 asks for (AA), in each scheme and on paper.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'

mkdir a b && printf 'the same' >a/1 && cp a/1 b/1 && scan .
run 0 report --html page.html

cat >"$T/contrast.py" <<'END'
import re, sys
page = open(sys.argv[1], encoding="utf-8").read()
css = re.search(r"<style>\n(.*)</style>", page, re.DOTALL).group(1)
roots = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
assert len(roots) == 3, "light, dark, paper"
light, dark, paper = ({k: v for k, v in re.findall(r"--(\w+): (#[0-9a-f]+);", root)} for root in roots)
assert light.keys() == dark.keys() == paper.keys(), "a colour is missing in a scheme"
rules = re.sub(r":root \{.*?\}", "", css, flags=re.DOTALL)
# So that these are all pairs there are.
assert not re.search(r"#[0-9a-f]{3,8}\b(?=[^{]*\})|rgb|hsl|opacity", rules), "a colour without a name"
assert set(re.findall(r"var\(--(\w+)\)", rules)) == light.keys(), "a colour that nothing has"


def luminance(colour):
    parts = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    linear = [c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in (int(parts[i:i + 2], 16) / 255 for i in (0, 2, 4))]
    return sum(f * c for f, c in zip((.2126, .7152, .0722), linear))


def ratio(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + .05) / (low + .05)


assert round(ratio("#fff", "#000"), 1) == 21 and 4.47 < ratio("#777", "#fff") < 4.49, "the computation itself"
classes = re.findall(r"^\.s(\d) rect \{ fill: var\(--s(\d)\); \}", rules, re.MULTILINE)
inks = re.findall(r"^\.s(\d) text \{ fill: var\(--i(\d)\); \}", rules, re.MULTILINE)
assert classes == inks == [(c, c) for c in "01234"], (classes, inks)
bad = 0
for name, scheme in ("light", light), ("dark", dark), ("paper", paper):
    pairs = [("text", "back", 4.5), ("text", "box", 4.5), ("weak", "back", 4.5), ("weak", "box", 4.5), ("link", "back", 4.5), ("link", "box", 4.5)]
    pairs += [(f"i{i}", f"s{i}", 4.5) for i in range(5)]
    # Of two pictures that say something, with nothing but their colour.
    pairs += [("link", "s2", 3), ("s4", "s3", 1.4), ("s3", "s2", 1.4), ("s2", "s1", 1.4)]
    for fore, back, least in pairs:
        got = ratio(scheme[fore], scheme[back])
        print(f"{name}: {fore} on {back} {got:.1f}")
        if got < least:
            print(f"too little: {least} is asked for")
            bad = 1
    light_of = [luminance(scheme[f"s{i}"]) for i in range(1, 5)]
    if light_of not in (sorted(light_of), sorted(light_of, reverse=True)):
        print(f"{name}: more is neither always darker nor always brighter")
        bad = 1
sys.exit(bad)
END
"$PYTHON" -S "$T/contrast.py" page.html || fail 'see above'
