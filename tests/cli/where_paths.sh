# SPDX-License-Identifier: MIT
# where: a name with a slash in it is compared with the end of the path, with one at its beginning with all of it.
. "$srcdir/tests/cli/lib.sh"

mkdir -p x/photos/2024 y/photos/2024/raw y/myphotos/2024
for f in x/photos/2024/a.jpg y/photos/2024/a.jpg y/photos/2024/b.jpg y/photos/2024/raw/a.jpg y/myphotos/2024/a.jpg; do
	printf '%s' $f >$f
done
scan .
found() { run "$@" -c "$T/work/"; }
found 0 where 2024/a.jpg
out <<'END'
x/photos/2024/a.jpg
y/myphotos/2024/a.jpg
y/photos/2024/a.jpg
END
found 0 where photos/2024/a.jpg
out <<'END'
x/photos/2024/a.jpg
y/photos/2024/a.jpg
END
found 0 where 'photos/*/?.jpg'
out <<'END'
x/photos/2024/a.jpg
y/photos/2024/a.jpg
y/photos/2024/b.jpg
END
found 0 where -i 'Y/Photos/**/A.jpg'
out <<'END'
y/photos/2024/a.jpg
y/photos/2024/raw/a.jpg
END
found 0 where 'y/photos/**'
out <<'END'
y/photos/2024/
y/photos/2024/a.jpg
y/photos/2024/b.jpg
y/photos/2024/raw/
y/photos/2024/raw/a.jpg
END
found 0 where "$T/work/x/photos/2024/a.jpg"
out <<'END'
x/photos/2024/a.jpg
END
found 0 where "$T/*/x/photos/2024/"
out <<'END'
x/photos/2024/
END
found 1 where /photos/2024/a.jpg
found 1 where 'photos/a.jpg'
