# SPDX-License-Identifier: MIT
# What the command line answers the shell answers too: the sets.
. "$srcdir/tests/shell/again.sh"

again 'report_*'
