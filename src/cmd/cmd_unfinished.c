/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_unfinished.h"

#include "index/index.h"
#include "index/journal.h"
#include "index/roots.h"

int
cmd_unfinished_text(const struct index *ix, const char *program, struct buf *b, struct err *err)
{
	const bool unmet = ix->pending == INDEX_UNMET;
	struct journal_entry e = { .state = "" };
	struct roots roots = { 0 };
	bool finished, none, never = false;

	if (ix->pending == INDEX_WHOLE)
		return 0;
	if (roots_load(&roots, ix->db, err) < 0)
		return -1;
	none = roots.n == 0;
	for (size_t i = 0; i < roots.n; i++)
		never |= roots.v[i].scan == 0;
	roots_release(&roots);
	if (journal_recent(ix, 0, &e, err) < 0)
		return -1;
	finished = strcmp(e.state, "finished") == 0;
	if (strcmp(e.state, "running") == 0) {
		buf_addf(b, "a scan is running and has not %s yet", unmet ? "met every file" : "read all that it must");
		return 1;
	}
	if (none) {
		buf_adds(b, "nothing was scanned yet");
		if (program != NULL)
			buf_addf(b, "; '%s scan DIR' begins", program);
		return 1;
	}
	if (unmet)
		buf_adds(b, finished && never ? "a root was never scanned to its end" : "a scan was cut off before it had met every file");
	else
		buf_adds(b, finished ? "files that may be copies could not be read yet" : "a scan was cut off before it had read all that it must");
	if (program != NULL)
		buf_addf(b, "; '%s scan' %s", program, finished ? "looks again" : "goes on");
	return 1;
}
