/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_wholes.h"

#include "index/wholes.h"

int
cmd_wholes_check(const struct cmd_wholes *w, struct err *err)
{
	for (size_t i = 0; i < w->more.n; i++) {
		if (!wholes_marker_is_valid(w->more.v[i]))
			return err_set(err, ERR_USAGE, "--whole takes the name of an entry, or * and the end of a directory's name, not '%s'", w->more.v[i]);
	}
	return 0;
}

void
cmd_wholes_tell(const struct cmd_call *c, int64_t files, unsigned kinds)
{
	struct buf where = { 0 };
	char text[NUM_SHOW_MAX];

	if (files > 0) {
		wholes_show(&where, kinds);
		cmd_notice(c, "%s: in %s (--inside goes in)", num_show_things(files, "file stays", "files stay", text), buf_str(&where));
	}
	buf_release(&where);
}
