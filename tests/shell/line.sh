# SPDX-License-Identifier: MIT
# Lines are edited, completed, remembered and interrupted as line.h says, on a terminal and elsewhere.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/line.py"
