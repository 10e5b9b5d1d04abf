/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_newcomers.h"

#include "cmd/cmd.h"
#include "index/index.h"
#include "query/newcomers.h"

/* What is reported of them. */
struct cmd_newcomers {
	struct buf first;     /* the first directory */
	int64_t dirs, files;
};

/* newcomers_fn: add up. */
static int
cmd_newcomers_add(void *arg, const char *dir, int64_t n)
{
	struct cmd_newcomers *w = arg;

	if (w->dirs++ == 0)
		buf_adds(&w->first, dir);
	w->files += n;
	return 0;
}

int
cmd_newcomers(const struct cmd_call *c, struct index *ix, struct err *err)
{
	struct cmd_newcomers w = { .dirs = 0 };
	char text[NUM_SHOW_MAX];
	int ret = ix->marks ? newcomers_each(ix, cmd_newcomers_add, &w, err) : 0;

	if (ret == 0 && w.dirs == 1)
		cmd_message(c, "%s came into '%s' after all else there was marked keep: '%s mark keep DIR' keeps %s, too",
		            num_show_things(w.files, "file", "files", text), buf_str(&w.first), prog_name(), w.files == 1 ? "it" : "them");
	else if (ret == 0 && w.dirs > 1)
		cmd_message(c, "%s came into %lld directories after all else there was marked keep, the first is '%s': '%s mark keep DIR' keeps them, too",
		            num_show_things(w.files, "file", "files", text), (long long)w.dirs, buf_str(&w.first), prog_name());
	buf_release(&w.first);
	return ret;
}
