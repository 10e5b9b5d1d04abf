# SPDX-License-Identifier: MIT
# export to a full disk, or from one whose mount point has a name that is no text.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
own_mounts

odd=$(printf 'disk\377"')
mkdir "$odd"
mount -t tmpfs none "$odd" || skip 'no tmpfs here'
for i in 1 2 3 4 5 6 7 8 9; do
	head -c 2000 /dev/urandom >"$odd/name$i"
	cp "$odd/name$i" "$odd/$(printf '%0200d' $i)"
done
scan "$odd"
mkdir small
mount -t tmpfs -o size=8k none small || skip 'no small tmpfs here'
for format in parquet ndjson csv; do
	run 6 export --host h --out small --format $format -w keys -w files
	err_has 'No space left on device'
	[ -z "$(ls -A small)" ] || fail "$format left $(ls -A small)"
done

# The key of that disk has the name in it: as text, as listings show it.
need "$PYTHON" zstd
for format in parquet ndjson csv; do
	mkdir -p x/$format
	run 0 export --host h --out x/$format --format $format -w keys -w files
done
for kind in keys files; do
	"$PYTHON" -SB "$srcdir/tests/cli/export_same.py" x $kind >"$T/rows" 2>&1 || fail "$kind: $(cat "$T/rows")"
	grep -Fq "/disk\\\\xff" "$T/rows" || fail "$kind: $(cat "$T/rows")"
done
