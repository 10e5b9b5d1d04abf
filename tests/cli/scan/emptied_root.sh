# SPDX-License-Identifier: MIT
# A root that is suddenly empty keeps its rows, for that is how an unmounted disk looks; --force-purge drops them.
. "$srcdir/tests/cli/lib.sh"

mkdir r few
i=0
while [ $i -lt 120 ]; do
	printf 'x%s' $i >r/f$i
	i=$((i + 1))
done
printf 'a' >few/a
scan r few
rm r/* few/*
run 3 scan --racy-window 0s
err_has "'$T/work/r': empty now"
err_has '--force-purge'
rows "SELECT count(*), sum(path LIKE '%/few/%') FROM file_view"
out <<END
120	0
END
run 3 scan r
run 0 check
scan --force-purge r
out_line 'index       0 new, 0 changed, 120 gone, 0 unchanged'
rows 'SELECT count(*) FROM file_view'
out <<'END'
0
END
