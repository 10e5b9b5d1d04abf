/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

struct point {
	int x, y;
};

START_TEST(push_and_add)
{
	VEC(struct point) v = { 0 };

	for (int i = 0; i < 1000; i++) {
		if (i % 2)
			*vec_add(&v) = (struct point){ i, -i };
		else
			vec_push(&v, ((struct point){ i, -i }));
	}
	ck_assert_uint_eq(v.n, 1000);
	ck_assert_uint_ge(v.cap, v.n);
	for (int i = 0; i < 1000; i++) {
		ck_assert_int_eq(v.v[i].x, i);
		ck_assert_int_eq(v.v[i].y, -i);
	}
	vec_release(&v);
}
END_TEST

START_TEST(release_empties)
{
	VEC(int) v = { 0 };

	vec_release(&v);
	vec_push(&v, 7);
	vec_release(&v);
	ck_assert_ptr_null(v.v);
	ck_assert_uint_eq(v.n, 0);
	ck_assert_uint_eq(v.cap, 0);
	vec_push(&v, 8);
	ck_assert_int_eq(v.v[0], 8);
	vec_release(&v);
}
END_TEST

Suite *
suite_vec(void)
{
	Suite *s = suite_create("vec");
	TCase *tc = tcase_create("vec");

	tcase_add_test(tc, push_and_add);
	tcase_add_test(tc, release_empties);
	suite_add_tcase(s, tc);
	return s;
}
