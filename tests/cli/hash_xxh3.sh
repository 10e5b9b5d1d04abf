# SPDX-License-Identifier: MIT
# hash prints plain XXH3-128 as xxhsum -H2 does, for any name, without an index.
. "$srcdir/tests/cli/lib.sh"

: >empty
printf 'a' >one
head -c 300000 /dev/zero >big
run 0 hash empty one
out <<'END'
99aa06d3014798d86001c324468d497f  empty
a96faf705af16834e6c632b61e964e1f  one
END
run 0 hash -f one ./empty
out <<'END'
99aa06d3014798d86001c324468d497f  ./empty
a96faf705af16834e6c632b61e964e1f  one
END
[ ! -e "$TWINDEX_DB" ] || fail 'hash made an index'
if command -v xxhsum >/dev/null 2>&1; then
	for size in 1 16 17 128 129 240 241 1024 262144 262145 1000000; do
		head -c $size /dev/urandom >f
		run 0 hash f
		xxhsum -H2 f 2>/dev/null | out || exit
	done
fi
run 2 hash nowhere
err_has 'nowhere'
run 3 hash .
err_has 'directory'
run 2 hash
err_has 'needs a path'
# One that fails does not keep the others from being hashed.
run 2 hash nowhere one
out <<'END'
a96faf705af16834e6c632b61e964e1f  one
END

# Holes are hashed as the zeros that they read as.
truncate -s 5M sparse || skip 'no truncate'
printf 'data' | dd of=sparse bs=1 seek=3000000 conv=notrunc 2>/dev/null
cat sparse >full
run 0 hash sparse full
[ "$(cut -d' ' -f1 "$T/out" | uniq | wc -l)" -eq 1 ] || fail 'a hole is no zeros'
