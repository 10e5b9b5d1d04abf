# SPDX-License-Identifier: MIT
# The manual is sound mdoc.

[ -n "$MANDOC" ] || { echo "no mandoc"; exit 77; }
"$MANDOC" -Tlint -Wwarning "$srcdir/man/twindex.1"
