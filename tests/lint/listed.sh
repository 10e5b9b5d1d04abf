# SPDX-License-Identifier: MIT
# Every file is named in Makefile.am or tests/tests.am: what is not is neither
# built nor run nor distributed.

cd "$srcdir" || exit 1
words=$(mktemp) || exit 1
trap 'rm -f "$words"' EXIT

sed 's|$(srcdir)/||g' Makefile.am tests/tests.am | tr -cs 'A-Za-z0-9_./-' '\n' | LC_ALL=C sort -u >"$words"
! find bench man sql src tests -type f \
	! -name '*.log' ! -name '*.trs' ! -name '*.o' ! -name '*.pyc' ! -name '*.tap' ! -name '.*' \
	! -path '*/.deps/*' | LC_ALL=C sort | LC_ALL=C comm -13 "$words" - |
	sed 's/$/: not listed in Makefile.am or tests\/tests.am/' | grep .
