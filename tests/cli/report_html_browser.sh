# SPDX-License-Identifier: MIT
# The page of report --html in Chromium: clicks lead through its maps; it is dark, narrow and on paper, too.
. "$srcdir/tests/cli/lib.sh"

need chromium
[ -n "$PYTHON" ] || skip 'no python'

mkdir -p photos/2024 photos/2025/summer "photos/2025/<b>new year" docs
long=$(printf '%0240d' 0 | tr 0 w)
mkdir -p "docs/$long/$long"
for d in photos/2024 photos/2025/summer photos/2025/*new* docs docs/w*/w*; do
	printf '%0900d' "${#d}" >"$d/one"
	cp "$d/one" "$d/two"
done
scan .
run 0 report --html long.html "docs/$long"
run 0 report --html page.html

cat >"$T/drill.py" <<'END'
import sys
from browser import Browser

browser = Browser("chromium", sys.argv[1])


def seen():
    return browser.js("""[...document.querySelectorAll('section')].filter(s => getComputedStyle(s).display != 'none')
        .map(s => s.querySelector('h3').textContent + ':' + [...s.querySelectorAll('text')].map(t => t.textContent).join())""")


def tile(name):
    return f"[...document.querySelectorAll('section svg.map a')].find(a => a.getClientRects().length && " \
           f"a.querySelector('title').textContent.startsWith('{name}:'))"


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got} instead of {want}")


def names(shown):
    return [[part.split("/")[-1] for part in line.split(":")[0].split(" › ")] for line in shown]


browser.open("file://" + sys.argv[2])
expect("at first", names(seen()), [["work"]])
browser.click(tile("photos"))
expect("in photos", names(seen()), [["work", "photos"]])
browser.click(tile("2025"))
expect("in 2025", names(seen()), [["work", "photos", "2025"]])
for name in "<b>new year", "summer":
    if name not in seen()[0]:
        sys.exit(f"2025 lacks {name}: {seen()}")
browser.click("[...document.querySelectorAll('section h3 a')].findLast(a => a.getClientRects().length)")
expect("and back", names(seen()), [["work", "photos"]])



def press(key, code, **more):
    for kind in "rawKeyDown" if not more else "keyDown", "keyUp":
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)


# The same by keys: on from the link before the map, and into the first tile.
browser.js("document.querySelector('#top').scrollIntoView(); location.hash = ''")
for _ in range(100):
    press("Tab", 9)
    if browser.js("document.activeElement.closest('svg.map') != null"):
        break
first = browser.js("document.activeElement.querySelector('title').textContent")
expect("the outline of what has the focus", browser.js("getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth"), "4px")
press("Enter", 13, text="\r")
expect("by keys", names(seen())[0][1], first.split(":")[0].split("/")[0])
expect("what was fetched", browser.js("performance.getEntriesByType('resource').length"), 0)

expect("landmarks", browser.js("document.querySelectorAll('body > main').length"), 1)

back = "getComputedStyle(document.body).backgroundColor"
expect("light", browser.js(back), "rgb(255, 255, 255)")
browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
expect("dark", browser.js(back), "rgb(15, 19, 24)")
browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
expect("paper", browser.js(back), "rgb(255, 255, 255)")
lists = "[...document.querySelectorAll('td details ul')].filter(list => list.checkVisibility()).length"
expect("lists of copies that nobody opened, on paper", browser.js(lists), 0)
browser.js("document.querySelector('td details').open = true")
expect("lists of copies that somebody opened, on paper", browser.js(lists), 1)
browser.call("Emulation.setEmulatedMedia", media="", features=[])
browser.call("Emulation.setDeviceMetricsOverride", width=360, height=640, deviceScaleFactor=2, mobile=True)
browser.js("document.querySelectorAll('details').forEach(d => d.open = true)")
for place in browser.js("[...document.querySelectorAll('section')].map(s => s.id)"):
    browser.js(f"location.hash = '#{place}'")
    expect(f"a phone's width at {place}", browser.js("document.documentElement.scrollWidth"), 360)
browser.open("file://" + sys.argv[3])
expect("commands", browser.js("document.querySelectorAll('code').length"), 3)
expect("a phone's width with a long name", browser.js("document.documentElement.scrollWidth"), 360)
browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
if browser.js("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
    sys.exit("a long name is wider than a screen")
END
PYTHONPATH=$srcdir/tests/cli PYTHONDONTWRITEBYTECODE=1 timeout 60 "$PYTHON" -S "$T/drill.py" "$T/profile" "$T/work/page.html" "$T/work/long.html" ||
	fail 'see above'
