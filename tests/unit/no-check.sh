# SPDX-License-Identifier: MIT
# Stands for the unit tests where configure did not find Check.
echo "the unit tests need Check 0.15 or newer: install it and run configure again"
exit 77
