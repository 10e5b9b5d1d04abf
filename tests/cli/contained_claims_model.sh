# SPDX-License-Identifier: MIT
# What contained --in NAME: says of random files and listings is what the manual says.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
printf 'x' >x
scan .
"$TWINDEX" digest . >"$T/out" 2>"$T/err" || skip 'built without libgcrypt'
"$PYTHON" -SB "$srcdir/tests/cli/contained_claims_model.py" "$TWINDEX" "${SEEDS:-3}" >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
