# SPDX-License-Identifier: MIT
# The interactive shell acts on the files that were meant, or not at all; and what it says is seen.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/acts.py"
