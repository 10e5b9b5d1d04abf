/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_doc.h"

#include "cmd/cmd.h"

struct doc *
cmd_doc(const struct cmd_call *c)
{
	const struct out_style style = cmd_style(c, OUT_STATES);

	return (c->cmd->flags & CMD_TELLS) != 0 && c->listing->json ? doc_open(c->out, &style, c->cmd->name) : NULL;
}

void
cmd_doc_problem(struct doc *d, const char *path, const char *why)
{
	doc_object(d, NULL);
	doc_path(d, "path", path);
	doc_text(d, "why", why);
	doc_object_end(d);
}
