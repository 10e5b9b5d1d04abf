/* SPDX-License-Identifier: MIT */
/* sys/stall */
#include "base/base.h"

#include <time.h>

#include "sys/stall.h"
#include "unit.h"

struct told {
	int n;
	char path[64];
};

static void
tell(void *arg, const char *path)
{
	struct told *t = arg;

	t->n++;
	snprintf(t->path, sizeof(t->path), "%s", path);
}

static void
wait_ms(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
}

/* What does not move is told once, whatever moves is not, and what moves again may be told again. */
START_TEST(stuck)
{
	struct stall *w = stall_new(20000000);
	struct stall_post *held = stall_join(w), *moving = stall_join(w), *idle = stall_join(w);
	struct told t = { 0, "" };

	stall_begin(held, "/dir", "sub/file");
	stall_begin(moving, "/other", "");
	stall_begin(idle, "/third", "");
	stall_end(idle);
	stall_look(w, tell, &t);
	ck_assert_int_eq(t.n, 0);
	for (int i = 0; i < 2; i++) {
		wait_ms(30);
		stall_step(moving);
		stall_look(w, tell, &t);
		ck_assert_int_eq(t.n, 1);
		ck_assert_str_eq(t.path, "/dir/sub/file");
	}
	stall_step(held);
	stall_step(moving);
	stall_look(w, tell, &t);
	ck_assert_int_eq(t.n, 1);
	wait_ms(30);
	stall_step(held);
	stall_look(w, tell, &t);
	ck_assert_int_eq(t.n, 2);
	ck_assert_str_eq(t.path, "/other");
	stall_free(w);
}
END_TEST

/* An entry is named as long as it is worked on. */
START_TEST(entry)
{
	static const char *const names[] = { "one", "two", NULL };
	struct stall *w = stall_new(20000000);
	struct stall_post *p = stall_join(w);
	struct told t = { 0, "" };

	stall_begin(p, "/dir", "sub");
	for (int i = 0; i < 3; i++) {
		char want[64];

		snprintf(want, sizeof(want), "/dir/sub%s%s", names[i] != NULL ? "/" : "", names[i] != NULL ? names[i] : "");
		stall_entry(p, names[i]);
		stall_look(w, tell, &t);
		ck_assert_int_eq(t.n, i);
		wait_ms(30);
		stall_look(w, tell, &t);
		ck_assert_int_eq(t.n, i + 1);
		ck_assert_str_eq(t.path, want);
	}
	stall_entry(p, "two");
	stall_begin(p, "/", "");
	stall_look(w, tell, &t);
	wait_ms(30);
	stall_look(w, tell, &t);
	ck_assert_str_eq(t.path, "/");
	stall_free(w);
}
END_TEST

/* Without a watch there are no posts. */
START_TEST(none)
{
	struct stall_post *p = stall_join(NULL);

	ck_assert_ptr_null(p);
	stall_begin(p, "/dir", "");
	stall_entry(p, "entry");
	stall_step(p);
	stall_end(p);
	stall_free(NULL);
}
END_TEST

Suite *
suite_watch(void)
{
	Suite *s = suite_create("watch");
	TCase *t = tcase_create("watch");

	tcase_add_test(t, stuck);
	tcase_add_test(t, entry);
	tcase_add_test(t, none);
	suite_add_tcase(s, t);
	return s;
}
