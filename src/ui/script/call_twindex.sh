# SPDX-License-Identifier: MIT

begin()
{
	command -v "$twindex" >/dev/null || twindex=twindex
	command -v "$twindex" >/dev/null || {
		echo 'twindex is not here: set TWINDEX to where it is' >&2
		exit 127
	}
}

# act FILE COPY COMMAND...: twindex looks at both now, and compares all their bytes.
act()
{
	file=$1 copy=$2
	shift 2
	"$twindex" --config-protect --db "$index" --wait "$@" --yes ${from_backup:+--from-backup "$file"} --in "$copy" -- "$file"
	got=$?
	case $got in
	0) n_done=$((n_done + 1)) ;;
	1) stays ;;
	2 | 3) unsure ;;
	*) finish $got ;;
	esac
}

remove()
{
	act "$1" "$2" rm
}

to_trash()
{
	act "$1" "$2" rm --trash
}

hard_link()
{
	act "$1" "$2" link --hard ${any_attributes:+"$any_attributes"}
}

soft_link()
{
	act "$1" "$2" link --soft ${any_attributes:+"$any_attributes"}
}

reflink()
{
	act "$1" "$2" link --reflink
}
