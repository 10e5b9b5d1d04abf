# SPDX-License-Identifier: MIT
# Shapes of trees and edits that random ones seldom meet, each once: as random.sh.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
exec "$PYTHON" -SB "$srcdir/tests/agree/shapes.py" "$TWINDEX" ${SHAPE:+"$SHAPE"}
