# SPDX-License-Identifier: MIT
# What the command line answers the shell answers too: listings.
. "$srcdir/tests/shell/again.sh"

again 'ls_*' 'dups_*' 'uniques_*'
