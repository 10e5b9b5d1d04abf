# SPDX-License-Identifier: MIT
# NEWS and the packages say the version that configure.ac says.

cd "$srcdir" || exit 1
version=$(sed -n 's/^AC_INIT(\[twindex\], \[\(.*\)\])$/\1/p' configure.ac)
failed=0

# says FILE WHAT: its first such version, which is another one, is told.
says()
{
	[ "$2" = "$version" ] && return
	echo "$1: version '$2', but configure.ac has '$version'"
	failed=1
}

says NEWS "$(sed -n '4s/,.*//p' NEWS)"
says build-aux/debian/changelog "$(sed -n '1s/.*(\(.*\)-.*).*/\1/p' build-aux/debian/changelog)"
says build-aux/rpm/twindex.spec "$(sed -n 's/^Version: *//p' build-aux/rpm/twindex.spec)"
exit $failed
