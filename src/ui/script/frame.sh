# SPDX-License-Identifier: MIT

n_done=0 n_stay=0 n_unsure=0

# A file stays, by a rule or because it could not be judged.
stays()
{
	n_stay=$((n_stay + 1))
}

unsure()
{
	n_unsure=$((n_unsure + 1))
}

# tell FILE WHY: bytes of the name that are no plain text become '?', for a terminal may act on them.
tell()
{
	printf '%s stays: %s\n' "$(printf '%s' "$1" | tr -c '\040-\176' '?')" "$2" >&2
}

# coded ACT FILE COPY: both with \0ooo for each byte that is not plain text.
coded()
{
	file=$(printf '%b.' "$2") copy=$(printf '%b.' "$3")
	"$1" "${file%.}" "${copy%.}"
}

# finish [STATUS]: tell what was done.
finish()
{
	printf '%s done, %s left as they are, %s of which nothing certain is known or that failed\n' \
		"$n_done" "$n_stay" "$n_unsure"
	[ $# -eq 0 ] || exit "$1"
	[ "$n_unsure" -eq 0 ] || exit 3
	[ "$n_stay" -eq 0 ] || exit 1
	exit 0
}
