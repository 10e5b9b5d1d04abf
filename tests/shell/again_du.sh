# SPDX-License-Identifier: MIT
# What the command line answers the shell answers too: sums of directories, names, marks.
. "$srcdir/tests/shell/again.sh"

again 'du_*' 'waste_*' 'tree_*' 'where_*' 'mark_*'
