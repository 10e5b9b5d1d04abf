# SPDX-License-Identifier: MIT
# What the tests matrix_*.sh begin with, after lib.sh and mounts.sh: . "$srcdir/tests/cli/matrix.sh"
#
# A row of their tables is a world of its own: one file, a/f, and whatever else may keep its content.  Every question and
# every act is asked about it; a cell is what the manual says of that: an exit status, behind what stands in the answer.
#
#	file comp mark rm-n hard soft ...  the status of file, compare, mark drop, rm -n, link --hard -n, link --soft -n
#	ls                                 the state of a/f
#	dups uniq uniq-x rmsh              whether dups, uniques, 'uniques -x a a' and the script of rmsh have a/f: + or -
#	cont comp risk 1-vol redun         the status of 'contained a .', 'compare a $other', at-risk, --one-volume, redundant
#	report                             how many sets, and whether a/f could go: + or -
#	du sim vols                        redundant bytes of a; pairs of a and $other; files that only the volume of a has
#	rm-y                               the status of rm --yes, and whether a/f is there when it has run twice: + or -
#	.                                  is not asked
#
# Besides, whatever the cells: status, verdict, exit and not_judged of an answer fit each other, in JSON and, of each third
# answer (with EVERY_KIND=1 of all), in text; what rm would remove has a copy for all questions; and what has one for a question rm removes, or has another reason to keep.
#
#	matrix <<'END'        the rows, without EVERY_KIND=1 each third, below a line of names; ROW is a function that makes its
#	                      world in an empty directory that has a/f, and scans it.  It may set other (what a is compared
#	                      with), with (options of those commands that can ask other indexes) and as.  Where it fails the
#	                      row is left out
#	copy DIR              a copy of a/f in DIR, which is $other from then on
#	lower TYPE...         whether what the rows lie on is none of these types of file system

base=$(mktemp -d "${DISK_TMPDIR:-/tmp}/twindex-matrix.XXXXXX") || exit 99
base=$(cd "$base" && pwd -P)
chmod 711 "$base"
trap 'cd / && unmount; matrix_end; cleanup' EXIT

matrix_end()
{
	[ -z "${mounts_are_own:-}" ] || $AWK -v top="$base/" 'index($5, top) == 1 { m[++n] = $5 } END { while (n) print m[n--] }' /proc/self/mountinfo |
		while read -r mounted; do umount -l "$mounted"; done
	rm -rf "$base" 2>/dev/null || { chmod -R u+rwx "$base"; rm -rf "$base"; }
}

copy()
{
	other=$1
	mkdir -p "$1" && cp a/f "$1/f"
}

lower()
{
	lower=$(df --output=fstype "$base" 2>/dev/null | tail -n 1)
	case " $* " in *" $lower "*) return 1 ;; esac
}

wrong=0
odd()
{
	wrong=$((wrong + 1))
	echo "	$row: $*"
}

# document STATUS: the last answer in JSON says what the process does.
document()
{
	last=
	while IFS= read -r last_line; do [ -z "$last_line" ] || last=$last_line; done <"$T/answer"
	end=${last##*\"verdict\":}
	word=${end#\"} word=${word%%\"*}
	case $1:$word in
	0:contained | 0:can_go | 0:none_at_risk | 0:same | 0:has_copy | 0:listed | 0:done) ;;
	1:missing | 1:stays | 1:at_risk | 1:different | 1:no_copy | 1:no | 1:refused | 1:some_stay | 2:no_such_path | 2:error | 3:not_judged) ;;
	*) odd "$asked --json: verdict '$word' with status $1" ;;
	esac
	case $1:$end in
	3:*'"not_judged":{},"unfinished":false}') odd "$asked --json: not judged, but nothing is counted" ;;
	*'"exit":'"$1"',"not_judged":{'*) ;;
	*) odd "$asked --json: status $1, $end" ;;
	esac
}

# ask ARG...: $status is that of twindex ARG..., and $T/answer its document.
ask()
{
	asked="$*" json=0 status=0
	$as "$by_name" "$@" --json >"$T/answer" 2>/dev/null </dev/null || json=$?
	if in_turn; then
		$as "$by_name" "$@" >"$T/out" 2>"$T/err" </dev/null || status=$?
	else
		status=$json
	fi
	[ $json = $status ] || odd "$asked: status $status, and $json with --json"
	document $json
}

# The first line of the document that has TEXT; fails where there is none.
line_of()
{
	while IFS= read -r found; do
		case $found in *"$1"*) return 0 ;; esac
	done <"$T/answer"
	return 1
}

file_of_a() { line_of "{\"path\":\"$PWD/a/f\","; }
sign() { if "$@"; then sign=+; else sign=-; fi; }
number_of() { number=${found##*\"$1\":} number=${number%%[!0-9]*}; }

# goes: a/f is a member of a set and would go, by the usual choice.
goes()
{
	line_of "{\"path\":\"$PWD/a/f\"," || return
	found=${found#*"$PWD/a/f\","}
	case ${found%%\}*} in *'"choice":"goes"'*) ;; *) return 1 ;; esac
}

# Of the volumes the one where a is: the worlds have what else is mounted in directories of certain names.
volume_of_a()
{
	while IFS= read -r found; do
		case $found in
		*/seen\"* | */ram\"* | */disk\"*) ;;
		*"\"path\":\"$PWD"*) return 0 ;;
		esac
	done <"$T/answer"
	return 1
}

# shellcheck disable=SC2086 # $with is words
cells()
{
	ask file $with a/f
	cells=$status
	ask ls $with a
	! line_of "{\"path\":\"$PWD/a/f\",\"state\":\"" || state=${found#*\"state\":\"} state=${state%%\"*}
	cells="$cells $state"
	for listing in dups uniques 'uniques -x a'; do
		ask $listing $with a
		sign file_of_a
		cells="$cells $sign$status"
	done
	ask contained $with a .
	cells="$cells $status"
	if [ -z "$other" ]; then
		cells="$cells ."
	else
		ask compare $with a "$other"
		cells="$cells $status"
	fi
	for question in at-risk 'at-risk --one-volume' redundant; do
		ask $question a
		cells="$cells $status"
	done
	ask report $with a
	line_of '"totals":{' && number_of sets || number='?'
	sets=$number$status
	[ -n "$with" ] || ask report --copies 1 a
	sign goes
	cells="$cells ${sets%?}$sign${sets#${sets%?}}"
	ask du a
	line_of '"total":{' && number_of redundant || number='?'
	cells="$cells $number/$status"
	if [ -z "$other" ]; then
		cells="$cells ."
	else
		ask similar $with a "$other"
		number=0
		! line_of '{"kind":' || number=1
		cells="$cells $number/$status"
	fi
	ask mark drop a/f
	# Where both were told to mark it the second one has changed nothing.
	[ $status != 0 ] || $as "$by_name" mark undo >"$T/out" 2>&1
	cells="$cells $status"
	for act in 'rm -n' 'link --hard -n' 'link --soft -n'; do
		ask $act a/f
		[ "$act" != 'rm -n' ] || ! file_of_a || planned=$found
		cells="$cells $status"
	done
	status=0
	$as "$by_name" rmsh a/f >"$T/answer" 2>/dev/null </dev/null || status=$?
	sign line_of "$PWD/a/f"
	cells="$cells $sign$status"
	ask volumes
	volume_of_a && number_of only_files || number='?'
	cells="$cells $number/$status"
	asked='rm --yes a/f' status=0
	$as "$by_name" rm --yes --json a/f >"$T/answer" 2>/dev/null </dev/null || status=$?
	document $status
	# What it tried out the first time has left nothing that would mislead it.
	[ ! -f a/f ] || $as "$by_name" rm --yes a/f >"$T/out" 2>&1 </dev/null
	sign [ -f a/f ]
	cells="$cells $sign$status"
}

# What the cells say of one file holds together, whatever was expected.  Other indexes are asked by questions alone.
hold_together()
{
	[ -z "$with" ] || return 0
	# shellcheck disable=SC2086
	set -- $cells
	case $planned in
	*'"outcome":"planned"'*)
		[ "$1 $2 $3 $4 $5 $6 $8" = '0 dup +0 -0 -0 0 0' ] || odd "rm would remove it, and a question says that it has no copy"
		;;
	*)
		why=${planned##*\"why\":\"} why=${why%%\"*}
		case $why in
		*'last copy'* | *'no copy'* | *'no other'* | unique | '')
			case "$1 ${3%?} ${5%?}$5 $6 $8 ${10}" in
			0*) odd "file says that it has a copy, rm -n: '$why'" ;;
			?' +'*) odd "dups lists it, rm -n: '$why'" ;;
			esac
			[ "$6" != 0 ] || odd "contained says that it is elsewhere, rm -n: '$why'"
			[ "$8" != 0 ] || odd "at-risk says that it is not, rm -n: '$why'"
			[ "${10}" != 0 ] || odd "redundant says that it can go, rm -n: '$why'"
			[ "$5" != -0 ] || odd "uniques -x has nothing that would be lost, rm -n: '$why'"
			;;
		esac
		;;
	esac
}

show() { printf '%-12s %4s %-10s %4s %4s %6s %4s %4s %4s %5s %5s %6s %4s %4s %4s %4s %4s %4s %4s %4s %4s\n' "$@"; }

matrix()
{
	rows=0 met=0 each=1
	# A row takes 30 starts, of which with a sanitizer each takes eight times as long.
	[ -n "${EVERY_KIND:-}" ] || each=3
	case $CC_FLAGS in
	*-fsanitize*) each=3 ;;
	esac
	cat >"$T/rows"
	while read -r row expected <&3; do
		if [ "$row" = row ]; then
			# shellcheck disable=SC2086
			show "$row" $expected
			continue
		fi
		met=$((met + 1))
		[ $((met % each)) -eq 0 ] || continue
		cd "$base" && mkdir "$row" && cd "$row" && mkdir a && echo content >a/f || exit 99
		rm -f "$TWINDEX_DB"*
		other='' with='' as='' planned='' state='?'
		if ! $row >"$T/made" 2>&1; then
			echo "$row: cannot be made here: $(cat "$T/made")"
			continue
		fi
		cells
		# shellcheck disable=SC2086
		show "$row" $cells
		expected=$(echo $expected)
		if [ "$cells" != "$expected" ]; then
			odd 'is not what was expected:'
			# shellcheck disable=SC2086
			show '' $expected
		fi
		hold_together
		rows=$((rows + 1))
	done 3<"$T/rows"
	cd "$base" || exit 99
	[ $wrong -eq 0 ] || fail "$wrong things are not as expected"
	[ $rows -gt 0 ] || skip 'no row can be made here'
}
