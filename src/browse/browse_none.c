/* SPDX-License-Identifier: MIT */
/* browse in a build without ncurses: it says how to get it. */
#include "base/base.h"

#include "browse/browse.h"

int
browse_run(const struct cmd_call *c, const struct browse_query *q, struct err *err)
{
	(void)c;
	(void)q;
	return err_set(err, ERR_USAGE, "this twindex was built without ncurses: install it (Debian: libncurses-dev) and "
	               "run ./configure and make again; 'waste' and 'tree' show the same numbers");
}
