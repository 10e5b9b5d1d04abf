# SPDX-License-Identifier: MIT
# Rounds of root are an ordinary user's, who must be able to run the program.
if [ "$(id -u)" = 0 ]; then
	"$PYTHON" -S -c 'import os, sys
os.setgid(65534)
os.setuid(65534)
sys.exit(not (os.access(sys.argv[1], os.X_OK) and os.access(sys.argv[2], os.R_OK)))' "$TWINDEX" "$srcdir/tests/agree/seeds.py" ||
		{ echo "another user can't run the program here"; exit 77; }
fi
