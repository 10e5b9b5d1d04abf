# SPDX-License-Identifier: MIT
# Tab completes twindex's command lines in zsh, and any name comes through it.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
command -v zsh >/dev/null || { echo "no zsh"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/completions.py" zsh
