# SPDX-License-Identifier: MIT
# What the command line answers the shell answers too: SQL and options.
. "$srcdir/tests/shell/again.sh"

again 'sql_*' 'quiet' 'dupd_spellings'
