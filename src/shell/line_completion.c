/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/line_completion.h"

void
line_completion_release(struct line_completion *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->shown[i]);
	free(c->shown);
	free(c->insert);
	*c = (struct line_completion){ 0 };
}
