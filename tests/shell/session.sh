# SPDX-License-Identifier: MIT
# The interactive shell moves, completes, pages, remembers, numbers, and survives every Ctrl-C.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/session.py"
