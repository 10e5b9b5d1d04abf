# SPDX-License-Identifier: MIT
# A root within a root keeps options of its own, whichever of the two is scanned.
. "$srcdir/tests/cli/lib.sh"

mkdir -p out/in/deep
printf 'a' >out/.h
printf 'b' >out/x.log
printf 'c' >out/in/.h
printf 'd' >out/in/x.log
printf 'e' >out/in/deep/.h
scan --no-hidden --exclude '*.log' out
scan --hidden out/in
names()
{
	rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"
	out <<'END'
out/in/.h
out/in/deep/.h
out/in/x.log
END
}
names
scan
names
scan out
names
scan out/in/deep
names
run 0 check
