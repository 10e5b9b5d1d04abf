# SPDX-License-Identifier: MIT
# Random keys, pastes and sizes neither crash the editor of lines nor lose bytes, nor draw what is not there.
# SESSIONS=500 has more sessions, FIRST=17 begins with another one: each depends on its number alone.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/shell/fuzz.py"
