# SPDX-License-Identifier: MIT
# Every file is named in Makefile.am or tests/tests.am: what is not is neither
# built nor run nor distributed.

cd "$srcdir" || exit 1
failed=0

for file in $(find bench man sql src tests -type f \
	! -name '*.log' ! -name '*.trs' ! -name '*.o' ! -name '*.pyc' ! -name '*.tap' ! -name '.*' \
	! -path '*/.deps/*' | sort); do
	grep -qE "(^|[^A-Za-z0-9_./-])(\\\$\\(srcdir\\)/)?$file($|[^A-Za-z0-9_./-])" Makefile.am tests/tests.am || {
		echo "$file: not listed in Makefile.am or tests/tests.am"
		failed=1
	}
done
exit $failed
