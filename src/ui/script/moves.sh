# SPDX-License-Identifier: MIT

# Directories that are on the file system of the top, each between two slashes and two more.
near=//

# All paths begin with ./ from here on.
begin()
{
	unset CDPATH
	if ! cd -- "$top"; then
		echo 'nothing is renamed: name the directory, as in: sh SCRIPT DIR' >&2
		exit 2
	fi
	top_mount=$(mount_of .)
	trap 'finish 129' HUP
	trap 'finish 130' INT
	trap 'finish 143' TERM
}

# there PATH: something has it, be it a link that leads nowhere.
there()
{
	[ -e "$1" ] || [ -L "$1" ]
}

# real PATH: no directory on the way to it is a symbolic link, which might lead out of the tree.
real()
{
	way=. rest=${1#./}
	while :; do
		case $rest in
		*/*) way=$way/${rest%%/*} rest=${rest#*/} ;;
		*) return 0 ;;
		esac
		[ ! -L "$way" ] || return 1
	done
}

# mount_of DIR: the file system that it lies on, and where that is mounted.
mount_of()
{
	df -P "$1/." | sed '1d; s/  *[0-9-][0-9]*  *[0-9-][0-9]*  *[0-9-][0-9]*  *[0-9-]*%  */ /'
}

# is_near DIR: it lies on the file system of the top.  What is known is forgotten before it gets long.
is_near()
{
	case $near in
	*"//$1//"*) return 0 ;;
	esac
	[ "$(mount_of "$1")" = "$top_mount" ] || return 1
	[ ${#near} -lt 20000 ] || near=//
	near=$near$1//
}

# one_disk FROM TO: a rename will do, where mv would copy otherwise.
one_disk()
{
	if is_near "${1%/*}"; then
		is_near "${2%/*}"
	else
		[ "$(mount_of "${1%/*}")" = "$(mount_of "${2%/*}")" ]
	fi
}

# give FROM TO: the second name, which nothing has yet, instead of the first.
give()
{
	if there "$2"; then
		why='something has the name that it is to get'
	elif ! real "$1" || ! real "$2"; then
		why='there is a symbolic link on the way'
	elif [ ! -d "${2%/*}" ] && ! mkdir -p "${2%/*}"; then
		why='the directory that it is to get into can not be made'
	elif ! one_disk "$1" "$2"; then
		why='it would get to another file system'
	elif ! mv -n "$1" "$2" </dev/null || there "$1"; then
		why='it can not be renamed'
	else
		n_done=$((n_done + 1))
		return 0
	fi
	tell "$1" "$why"
	unsure
}

# rename FROM TO: a file.  What an earlier run has done is done.
rename()
{
	if [ -f "$1" ] && [ ! -L "$1" ]; then
		give "$1" "$2"
	elif ! there "$1" && there "$2"; then
		n_done=$((n_done + 1))
	else
		tell "$1" 'it is not there, or not a regular file'
		unsure
	fi
}

# park FROM TO: a file gets a name for a while.  It is the one with $inode, or all this was done before.
park()
{
	if there "$1" && [ "$(ls -di "$1" | sed '1!d; s/^ *//; s/ .*//')" != "$inode" ]; then
		tell "$1" 'another file has its name by now'
		unsure
	else
		rename "$1" "$2"
	fi
}

# directory FROM TO: a directory with all that is in it.
directory()
{
	if [ -d "$1" ] && [ ! -L "$1" ]; then
		give "$1" "$2"
	elif there "$2"; then
		n_done=$((n_done + 1))
	else
		tell "$1" 'it is not there, or not a directory'
		unsure
	fi
}

# emptied DIR: goes if nothing is in it.
emptied()
{
	if [ -d "$1" ] && [ ! -L "$1" ] && real "$1"; then
		rmdir "$1" 2>/dev/null
	fi
}

# Of the names for a while only what was in the way stays.
tidy()
{
	[ -d "$scratch" ] && [ ! -L "$scratch" ] || return 0
	find "$scratch" -depth -type d -exec rmdir {} \; 2>/dev/null
	[ ! -d "$scratch" ] || printf 'what was in the way is in %s now\n' "$scratch"
}
