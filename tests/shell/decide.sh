# SPDX-License-Identifier: MIT
# decide on a terminal: keys without Enter, on any terminal, from the shell and by itself.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/decide.py"
