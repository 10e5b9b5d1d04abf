/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/rescue_told.h"

void
rescue_tell(const struct rescue *r, struct rescue_sums *sums, const struct rescue_told *told)
{
	sums->n[told->outcome]++;
	sums->bytes[told->outcome] = num_add(sums->bytes[told->outcome], told->size > 0 ? told->size : 0);
	sums->unsure += told->file->unsure && told->outcome <= RESCUE_COPIED;
	sums->lacking += told->lacks != NULL;
	r->fn(r->arg, told);
}
