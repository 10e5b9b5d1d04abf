/* SPDX-License-Identifier: MIT */
#include "base/base.h"

/* Longer paths would leave no room in a message.  Empty: nothing to show. */
static char program[200];

void
prog_set(const char *called)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+,@%:-";
	const size_t len = called != NULL ? strlen(called) : 0;
	bool bare;

	program[0] = '\0';
	/* Two quotes and the NUL besides. */
	if (len + 3 > sizeof(program) || strchr(called != NULL ? called : "", '/') == NULL)
		return;
	bare = called[strspn(called, plain)] == '\0';
	/* Not with characters that are special in double quotes; hints stand in single quotes. */
	if (bare || (called[strcspn(called, "\"$`\\!'")] == '\0' && !name_is_hostile(called, len)))
		snprintf(program, sizeof(program), bare ? "%s" : "\"%s\"", called);
}

const char *
prog_name(void)
{
	return program[0] != '\0' ? program : "twindex";
}
