# SPDX-License-Identifier: MIT
# Tab completes twindex's command lines in bash, and any name comes through it.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
command -v bash >/dev/null || { echo "no bash"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/completions.py" bash
