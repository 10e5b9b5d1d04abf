# SPDX-License-Identifier: MIT

number=0
# The file that has the name $aside for a moment; and that name, where it is one too many.
moved= spare=

# What stays is on the disk before anything goes.
begin()
{
	trap 'cut_short 129' HUP
	trap 'cut_short 130' INT
	trap 'cut_short 143' TERM
	sync
}

# same FILE COPY: two regular files with the same bytes; else $why.
same()
{
	why=
	if [ -L "$1" ] || [ ! -f "$1" ]; then
		why='it is not there, or not a regular file'
	elif [ -L "$2" ] || [ ! -f "$2" ]; then
		why='its copy is not there, or not a regular file'
	elif [ "$1" -ef "$2" ]; then
		why='it is a link to its copy: nothing would be freed'
	elif ! cmp -s "$1" "$2"; then
		why='it differs from its copy, or one can not be read'
	fi
	[ -z "$why" ]
}

# free_name FILE: a name in its directory that nothing has.
free_name()
{
	number=$((number + 1))
	aside=${1%/*}/.twindex-rmsh-$$-$number
	why='a name for a moment is taken'
	[ ! -e "$aside" ] && [ ! -L "$aside" ]
}

# refuse FILE
refuse()
{
	tell "$1" "$why"
	unsure
}

# Give a file that was moved aside its name back, unless something else has it by now.
put_back()
{
	if [ -e "$1" ] || [ -L "$1" ] || ! mv "$aside" "$1"; then
		why="$why; now it is in its directory as ${aside##*/}"
	fi
	moved=
	refuse "$1"
}

# cut_short STATUS: a signal has come; between two commands of the shell.
cut_short()
{
	trap '' HUP INT TERM
	why='a signal came'
	[ -z "$spare" ] || rm -f "$spare"
	if [ -n "$moved" ] && [ -e "$aside" ]; then
		put_back "$moved"
	fi
	finish "$1"
}

# links FILE: how many names it has.
links()
{
	ls -ldn "$1" | {
		read -r mode links rest
		printf '%s\n' "$links"
	}
}

# mount_of FILE: what it lies on, and where that is mounted; not how full it is, which others change meanwhile.
mount_of()
{
	df -P "${1%/*}/" | sed '1d; s/  *[0-9-][0-9]*  *[0-9-][0-9]*  *[0-9-][0-9]*  *[0-9-]*%  */ /'
}

# number FILE: its inode number.
number()
{
	ls -di "$1" | {
		read -r inode rest
		printf '%s\n' "$inode"
	}
}

# two_files FILE COPY: not one that two file systems lead to: a second name of the one must
# not be one of the other.  Two devices of one image do not tell each other of names, but give
# the file one number; other file systems rarely do.
two_files()
{
	free_name "$1" || return 1
	why='it may be the same file as its copy, on another file system'
	if [ "$(mount_of "$1")" != "$(mount_of "$2")" ] && [ "$(number "$1")" = "$(number "$2")" ]; then
		return 1
	fi
	before=$(links "$2")
	spare=$aside
	if ln "$1" "$aside" 2>/dev/null; then
		after=$(links "$2")
		rm -f "$aside"
		spare=
		[ "$before" = "$after" ]
	else
		spare=
		[ "$(mount_of "$1")" = "$(mount_of "$2")" ]
	fi
}

# Move a file aside, and compare once more: what goes is what was compared.
set_aside()
{
	if ! same "$1" "$2" || ! two_files "$1" "$2" || ! free_name "$1"; then
		refuse "$1"
		return 1
	fi
	why='it can not be moved'
	moved=$1
	if ! mv "$1" "$aside"; then
		moved=
		refuse "$1"
		return 1
	fi
	same "$aside" "$2" && return 0
	put_back "$1"
	return 1
}

remove()
{
	set_aside "$1" "$2" || return 0
	why='it can not be removed'
	if rm -f "$aside"; then
		moved=
		n_done=$((n_done + 1))
	else
		put_back "$1"
	fi
}

# attributes FILE: its mode, owner and group.
attributes()
{
	ls -ldn "$1" | {
		read -r mode links owner group rest
		printf '%s %s %s\n' "$mode" "$owner" "$group"
	}
}

# fits FILE COPY: a link to the copy shows the file's attributes still.
fits()
{
	[ -z "$any_attributes" ] && [ "$(attributes "$1")" != "$(attributes "$2")" ] || return 0
	tell "$1" 'its mode, owner or group is not that of its copy'
	stays
	return 1
}

hard_link()
{
	if ! same "$1" "$2" || ! free_name "$1"; then
		refuse "$1"
		return 0
	fi
	fits "$1" "$2" || return 0
	spare=$aside
	if ! ln "$2" "$aside"; then
		why='no hard link can be made there'
		refuse "$1"
	elif ! same "$1" "$aside" || ! mv -f "$aside" "$1"; then
		rm -f "$aside"
		refuse "$1"
	else
		n_done=$((n_done + 1))
	fi
	spare=
}

# target FILE COPY: the way from the directory of FILE to COPY.
target()
{
	from=${1%/*}/ up=
	while :; do
		case $2 in
		"$from"*) break ;;
		esac
		from=${from%/}
		from=${from%/*}/
		up=../$up
	done
	target=$up${2#"$from"}
}

soft_link()
{
	target "$1" "$2"
	if same "$1" "$2"; then
		fits "$1" "$2" || return 0
	fi
	set_aside "$1" "$2" || return 0
	if ln -s "$target" "$1" && [ "$1" -ef "$2" ] && rm -f "$aside"; then
		moved=
		n_done=$((n_done + 1))
	else
		why='no symbolic link can be made there'
		[ ! -L "$1" ] || rm -f "$1"
		put_back "$1"
	fi
}
