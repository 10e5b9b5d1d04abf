/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/verdict.h"

int
verdict_set(struct verdict *v, enum act_outcome outcome, const char *fmt, ...)
{
	va_list ap;

	assert(outcome == ACT_STAYS || outcome == ACT_UNSURE);
	if (v->outcome != ACT_PENDING)
		return -1;
	v->outcome = outcome;
	va_start(ap, fmt);
	buf_vaddf(&v->why, fmt, ap);
	va_end(ap);
	return -1;
}

int
verdict_errno(struct verdict *v, int error, const char *what)
{
	return verdict_set(v, ACT_UNSURE, "%s: %s", what, strerror(error));
}

int
verdict_copy(struct verdict *v, const char *path, struct verdict *keeper)
{
	verdict_set(v, ACT_UNSURE, "the copy '%s': %s", path, buf_str(&keeper->why));
	verdict_release(keeper);
	return -1;
}

void
verdict_add(struct verdict *v, const char *fmt, ...)
{
	va_list ap;

	assert(v->outcome == ACT_STAYS || v->outcome == ACT_UNSURE);
	va_start(ap, fmt);
	buf_vaddf(&v->why, fmt, ap);
	va_end(ap);
}

void
verdict_release(struct verdict *v)
{
	buf_release(&v->why);
	v->outcome = ACT_PENDING;
}
