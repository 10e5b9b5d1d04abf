/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <errno.h>

#include "act/verdict.h"
#include "unit.h"

/* Steps in which a verdict is reached: letters of say(); and what comes of it. */
static const struct {
	const char *steps;
	enum act_outcome outcome;
	const char *why;
} verdicts[] = {
	{ "", ACT_PENDING, "" },
	{ "s", ACT_STAYS, "unique: 'a%s'" },
	{ "u", ACT_UNSURE, "changed" },
	{ "e", ACT_UNSURE, "cannot be opened: Permission denied" },
	{ "c", ACT_UNSURE, "the copy '/k': changed" },
	/* The first reason stands. */
	{ "su", ACT_STAYS, "unique: 'a%s'" },
	{ "us", ACT_UNSURE, "changed" },
	{ "ue", ACT_UNSURE, "changed" },
	{ "ce", ACT_UNSURE, "the copy '/k': changed" },
	{ "ec", ACT_UNSURE, "cannot be opened: Permission denied" },
	/* What is added stands behind it. */
	{ "ea", ACT_UNSURE, "cannot be opened: Permission denied; 'x' is left" },
	{ "uasa", ACT_UNSURE, "changed; 'x' is left; 'x' is left" },
	/* What is released begins anew. */
	{ "sru", ACT_UNSURE, "changed" },
	{ "earr", ACT_PENDING, "" },
};

static void
say(struct verdict *v, char step)
{
	struct verdict keeper = { .outcome = ACT_PENDING };

	switch (step) {
	case 's':
		ck_assert_int_eq(verdict_set(v, ACT_STAYS, "unique: '%s'", "a%s"), -1);
		break;
	case 'u':
		ck_assert_int_eq(verdict_set(v, ACT_UNSURE, "changed"), -1);
		break;
	case 'e':
		ck_assert_int_eq(verdict_errno(v, EACCES, "cannot be opened"), -1);
		break;
	case 'c':
		ck_assert_int_eq(verdict_set(&keeper, ACT_STAYS, "changed"), -1);
		ck_assert_int_eq(verdict_copy(v, "/k", &keeper), -1);
		ck_assert_int_eq(keeper.outcome, ACT_PENDING);
		ck_assert_str_eq(buf_str(&keeper.why), "");
		verdict_release(&keeper);
		break;
	case 'a':
		verdict_add(v, "; '%s' is left", "x");
		break;
	default:
		verdict_release(v);
	}
}

START_TEST(reached)
{
	struct verdict v = { .outcome = ACT_PENDING };

	for (const char *step = verdicts[_i].steps; *step != '\0'; step++)
		say(&v, *step);
	ck_assert_int_eq(v.outcome, verdicts[_i].outcome);
	ck_assert_str_eq(buf_str(&v.why), verdicts[_i].why);
	verdict_release(&v);
}
END_TEST

Suite *
suite_verdict(void)
{
	Suite *s = suite_create("verdict");
	TCase *tc = tcase_create("verdict");

	tcase_add_loop_test(tc, reached, 0, N_ROWS(verdicts));
	suite_add_tcase(s, tc);
	return s;
}
