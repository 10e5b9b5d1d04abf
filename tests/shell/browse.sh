# SPDX-License-Identifier: MIT
# browse on terminals of three sizes: directories, marks, copies, hostile and wide names.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/browse.py"
