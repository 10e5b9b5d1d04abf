# SPDX-License-Identifier: MIT
# Print one statement of *.sql: awk -v want=NAME -f pick.awk FILE...

FNR == 1 { picked = 0 }
/^-- name:/ { picked = $3 == want }
picked { print; found = 1 }

END {
	if (!found) {
		printf "pick.awk: no statement '%s'\n", want >"/dev/stderr"
		exit 1
	}
}
