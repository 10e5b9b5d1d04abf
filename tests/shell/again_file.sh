# SPDX-License-Identifier: MIT
# What the command line answers the shell answers too: single files.
. "$srcdir/tests/shell/again.sh"

again 'file_*' 'hash_*' 'info_*'
