/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_steps.h"

#include "cmd/cmd.h"
#include "ui/quote.h"
#include "ui/width.h"

/* The column of what steps are for, which a long step moves. */
enum { STEPS_COLUMN = 34 };

bool
cmd_add_typed(const struct cmd_call *c, struct buf *b, const char *path)
{
	struct buf shown = { 0 };
	const size_t begin = b->len;
	const char *text;
	bool typed = true;

	cmd_add_path(c, &shown, path);
	text = buf_str(&shown);
	/* In quotes ~ is a name. */
	if (strncmp(text, "~/", 2) == 0) {
		buf_adds(b, "~/");
		text += 2;
	}
	if (quote_sh_is_plain(text))
		buf_adds(b, text);
	else if (text[strcspn(text, "'!\\")] == '\0')
		buf_addf(b, "'%s'", text);
	else {
		buf_cut(b, begin);
		buf_adds(b, "DIR");
		typed = false;
	}
	buf_release(&shown);
	return typed;
}

void
cmd_add_steps(const struct cmd_call *c, struct buf *b, const struct cmd_step *steps, size_t n)
{
	/* In the shell a command is a line. */
	const char *program = c->env->ix != NULL ? "" : prog_name(), *blank = *program != '\0' ? " " : "";
	int column = STEPS_COLUMN;

	for (size_t i = 0; i < n; i++) {
		const int used = 2 + width_of(program) + (int)strlen(blank) + (int)strlen(steps[i].command) + 1 + width_of(steps[i].path) + 2;

		column = used > column ? used : column;
	}
	for (size_t i = 0; i < n; i++) {
		const char *path = steps[i].path;
		const size_t begin = b->len;

		buf_addf(b, "  %s%s%s%s%s", program, blank, steps[i].command, *path != '\0' ? " " : "", path);
		if (c->env->width == 0 || column + (int)strlen(steps[i].what) < c->env->width)
			buf_addf(b, "%*s%s", column - width_of(b->data + begin), "", steps[i].what);
		buf_addc(b, '\n');
	}
}
