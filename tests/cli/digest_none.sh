# SPDX-License-Identifier: MIT
# A build without libgcrypt says how to get it, and prints what others have computed.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt none$' || skip 'built with libgcrypt'
printf 'a' >a
scan -q .
run 2 digest
err_has 'this twindex was built without libgcrypt, which computes digests: install it (Debian: libgcrypt20-dev) and build again'
run 2 scan --digest sha256 .
err_has 'built without libgcrypt'
run 3 digest --list
err_has '1 file has no sha256 that holds'
