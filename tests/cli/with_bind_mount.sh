# SPDX-License-Identifier: MIT
# --with: a name that another index has by another mount is the file itself, and keeps nothing.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir -p a/in e
printf 'one' >a/1
printf 'two' >a/2
ln a/2 a/in/3
printf 'copied' >a/in/4
cp a/in/4 a/5
mount --bind a e || skip 'no bind mounts here'
scan a
scan --db "$T/e.db" --secret-from "$TWINDEX_DB" e
run 1 file a/1 --with "$T/e.db" -c "$T/work/"
out <<'END'
    unique  a/1
END
run 0 uniques -x a a --with "$T/e.db" -c "$T/work/"
out <<'END'
a/1
a/2
a/5
a/in/3
a/in/4
END
run 1 contained a e --with "$T/e.db"
run 0 dups a --with "$T/e.db" -c "$T/work/"
out <<'END'
a/5
a/in/4
END
# With e goes what it shows.
run 0 uniques -x e a/in --with "$T/e.db"
printf '%s\n' "$T/work/a/in/3" "$T/work/a/in/4" | out || exit
err_has "'$T/work/a' shows what lies in '$T/work/e', and is left out, too"
# Links and copies that are really there count.
umount e
mkdir e/in
ln a/1 e/1
cp a/2 a/in/4 e
scan a
scan --db "$T/e.db" e
run 0 uniques -x a a --with "$T/e.db"
out </dev/null
run 0 contained a e --with "$T/e.db"
err_lacks twindex
