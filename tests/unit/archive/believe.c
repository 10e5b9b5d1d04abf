/* SPDX-License-Identifier: MIT */
/* Which records of a process that reads an archive are believed: one that was taken over can write any. */
#include "base/base.h"

#include "archive/believe.h"
#include "unit.h"

/* A record and its name. */
struct told {
	uint8_t type, why, has_hash;
	int64_t size;
	const char *name;
};

/* Records, and the members that they give: number, name and outer_len, or a word for what else. */
static const struct {
	bool nested;
	struct told told[6];
	const char *found;
} tells[] = {
	{ true, { { RECORD_MEMBER, 0, 1, 5, "a" }, { RECORD_ALIVE, 0, 0, 0, "" }, { RECORD_MEMBER, 0, 0, 0, "b" }, { RECORD_END, 0, 0, 2, "ZIP" } },
	  "0 a 0; nothing; 1 b 0; end; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "d/x.zip" }, { RECORD_INNER, 0, 1, 5, "a" }, { RECORD_INNER, PACKED_DAMAGED, 0, -1, "" },
	          { RECORD_MEMBER, 0, 1, 9, "d/x.zip" }, { RECORD_MEMBER, 0, 1, 9, "e" }, { RECORD_END, 0, 0, 0, "" } },
	  "nothing; 1 d/x.zip!/a 7; 2 d/x.zip!/ 7; 0 d/x.zip 0; 3 e 0; end; " },
	/* A name with a mark is a name. */
	{ true, { { RECORD_MEMBER, 0, 1, 5, "x.zip!/a" }, { RECORD_WITHIN, 0, 0, 0, "x.zip!/b.zip" }, { RECORD_INNER, 0, 1, 5, "c!/d" }, { RECORD_MEMBER, 0, 1, 9, "x.zip!/b.zip" } },
	  "0 x.zip!/a 0; nothing; 2 x.zip!/b.zip!/c!/d 12; 1 x.zip!/b.zip 0; " },
	/* Nobody asked. */
	{ false, { { RECORD_WITHIN, 0, 0, 0, "x.zip" } }, "not; " },
	/* In none, in what is no archive, in two. */
	{ true, { { RECORD_INNER, 0, 1, 5, "a" } }, "not; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.txt" } }, "not; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "" } }, "not; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_WITHIN, 0, 0, 0, "y.zip" } }, "nothing; not; " },
	/* It is another one, or none. */
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_INNER, 0, 1, 5, "a" }, { RECORD_MEMBER, 0, 1, 9, "y.zip" } }, "nothing; 1 x.zip!/a 5; not; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_INNER, 0, 1, 5, "a" }, { RECORD_MEMBER, 0, 1, 9, "x.zip2" } }, "nothing; 1 x.zip!/a 5; not; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_END, 0, 0, 0, "" } }, "nothing; not; " },
	/* What is in it comes before it. */
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_MEMBER, 0, 1, 9, "x.zip" }, { RECORD_INNER, 0, 1, 5, "a" } }, "nothing; 0 x.zip 0; not; " },
	/* Not sound: a reason and a hash, neither, a size without, no name, no such reason or record. */
	{ true, { { RECORD_MEMBER, PACKED_DAMAGED, 1, 5, "a" } }, "unsound; " },
	{ true, { { RECORD_MEMBER, 0, 0, 5, "a" } }, "unsound; " },
	{ true, { { RECORD_MEMBER, 0, 1, 0, "a" } }, "unsound; " },
	{ true, { { RECORD_MEMBER, 0, 1, -1, "a" } }, "unsound; " },
	{ true, { { RECORD_MEMBER, PACKED_DAMAGED, 0, -2, "a" } }, "unsound; " },
	{ true, { { RECORD_MEMBER, 0, 1, 5, "" } }, "unsound; " },
	{ true, { { RECORD_MEMBER, PACKED_WHYS, 0, 5, "a" } }, "unsound; " },
	{ true, { { RECORD_INNER + 1, 0, 0, 0, "a" } }, "unsound; " },
	{ true, { { RECORD_WITHIN, 0, 1, 5, "x.zip" } }, "unsound; " },
	/* A rest has a reason, and nothing else. */
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_INNER, 0, 0, 0, "" } }, "nothing; unsound; " },
	{ true, { { RECORD_WITHIN, 0, 0, 0, "x.zip" }, { RECORD_INNER, PACKED_DAMAGED, 0, 5, "" } }, "nothing; unsound; " },
};

START_TEST(records)
{
	struct believe b = { .nested = tells[_i].nested };
	struct buf found = { 0 };

	for (size_t i = 0; i < 6 && tells[_i].told[i].type != 0; i++) {
		const struct told *t = &tells[_i].told[i];
		const struct record r = { .magic = RECORD_MAGIC, .type = t->type, .why = t->why, .has_hash = t->has_hash, .size = t->size,
		                          .name_len = (uint32_t)strlen(t->name) };
		enum believed what;
		struct packed m;

		if (!believe_sound(&r)) {
			buf_adds(&found, "unsound; ");
			break;
		}
		what = believe_next(&b, &r, t->name, &m);
		if (what == BELIEVED_MEMBER) {
			ck_assert_uint_eq(m.name_len, strlen(m.name));
			ck_assert_int_eq(packed_is_rest(&m), t->name[0] == '\0');
			buf_addf(&found, "%lld %s %zu; ", (long long)m.number, m.name, m.outer_len);
		} else
			buf_adds(&found, what == BELIEVED_NOT ? "not; " : what == BELIEVED_END ? "end; " : "nothing; ");
	}
	ck_assert_str_eq(buf_str(&found), tells[_i].found);
	believe_release(&b);
	buf_release(&found);
}
END_TEST

/* A NUL in a name would be taken for the mark between two. */
START_TEST(names_with_nul)
{
	const struct record r = { .magic = RECORD_MAGIC, .type = RECORD_MEMBER, .has_hash = 1, .size = 5, .name_len = 3 };
	struct believe b = { .nested = true };
	struct packed m;

	ck_assert(believe_sound(&r));
	ck_assert_int_eq(believe_next(&b, &r, "a\0b", &m), BELIEVED_NOT);
	believe_release(&b);
}
END_TEST

Suite *
suite_believe(void)
{
	Suite *s = suite_create("believe");
	TCase *tc = tcase_create("records");

	tcase_add_loop_test(tc, records, 0, (int)(sizeof(tells) / sizeof(tells[0])));
	tcase_add_test(tc, names_with_nul);
	suite_add_tcase(s, tc);
	return s;
}
