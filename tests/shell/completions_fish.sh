# SPDX-License-Identifier: MIT
# Tab completes twindex's command lines in fish, and any name comes through it.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
command -v fish >/dev/null || { echo "no fish"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/completions.py" fish
