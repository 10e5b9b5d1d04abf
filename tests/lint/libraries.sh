# SPDX-License-Identifier: MIT
# bootstrap asks for the libraries that configure asks for, no others, and README tells of them.

cd "$srcdir" || exit 1
failed=0

configure=$(sed -n 's/^PKG_CHECK_MODULES(\[\([A-Z]*\)\], \[\([^]]*\)\].*/\2/p' configure.ac)
# Without check the unit tests alone are skipped.
needed=$(printf '%s\n' "$configure" | grep -v '^check ')
bootstrap=$(grep '^	for library in ' bootstrap | grep -o "'[^']*'" | tr -d "'")
[ -n "$needed" ] && [ "$bootstrap" = "$needed" ] || {
	printf 'configure requires:\n%s\nbootstrap requires:\n%s\n' "$needed" "$bootstrap"
	failed=1
}
installed=$(sed -n "s/^build_packages='\(.*\)'/\1/p" bootstrap | tr ' ' '\n' | grep '^lib.*-dev$' | grep -vc '^libc6-')
[ "$installed" = "$(printf '%s\n' "$needed" | wc -l)" ] || {
	echo "bootstrap installs $installed libraries"
	failed=1
}
unnamed=$(printf '%s\n' "$configure" | sed 's/\.0$//' | while read -r library; do
	grep -qE "^    $library( |$)" README || echo "$library"
done)
[ -z "$unnamed" ] || {
	printf 'README does not name:\n%s\n' "$unnamed"
	failed=1
}
exit $failed
