# SPDX-License-Identifier: MIT
# The tour is true, line by line, as it stands.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
[ -n "$SQLITE3" ] || { echo "no sqlite3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/tour.py" "$srcdir/man/tour"
