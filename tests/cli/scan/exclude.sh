# SPDX-License-Identifier: MIT
# --exclude takes globs as a gitignore file does, with ** for any number of directories.
. "$srcdir/tests/cli/lib.sh"

mkdir -p src/build/x lib/build build keep/deep/er
for f in top.o src/a.o src/a.c src/build/x/gen.c lib/build/b.c build/c keep/deep/er/log.txt keep/log.txt; do
	printf '%s' "$f" >"$f"
done
names() { rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"; rm -f "$TWINDEX_DB"*; }

scan --exclude '*.o' .
out_line 'skipped     2 excluded by a pattern'
names
out <<'END'
build/c
keep/deep/er/log.txt
keep/log.txt
lib/build/b.c
src/a.c
src/build/x/gen.c
END
scan --exclude build --exclude '*.o' .
names
out <<'END'
keep/deep/er/log.txt
keep/log.txt
src/a.c
END
scan --exclude /build --exclude 'keep/**/log.txt' .
names
out <<'END'
lib/build/b.c
src/a.c
src/a.o
src/build/x/gen.c
top.o
END
scan --exclude '**/build/**' --exclude 'keep/*.txt' .
names
out <<'END'
keep/deep/er/log.txt
src/a.c
src/a.o
top.o
END
# A slash at the end means directories only.
scan --exclude 'c/' --exclude 'src/' .
names
out <<'END'
build/c
keep/deep/er/log.txt
keep/log.txt
lib/build/b.c
top.o
END
