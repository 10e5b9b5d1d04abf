/* SPDX-License-Identifier: MIT */
/* sys/watch */
#include "base/base.h"

#include <time.h>

#include "sys/watch.h"
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
	struct watch *w = watch_new(20000000);
	struct watch_post *held = watch_join(w), *moving = watch_join(w), *idle = watch_join(w);
	struct told t = { 0, "" };

	watch_begin(held, "/dir", "sub/file");
	watch_begin(moving, "/other", "");
	watch_begin(idle, "/third", "");
	watch_end(idle);
	watch_look(w, tell, &t);
	ck_assert_int_eq(t.n, 0);
	for (int i = 0; i < 2; i++) {
		wait_ms(30);
		watch_step(moving);
		watch_look(w, tell, &t);
		ck_assert_int_eq(t.n, 1);
		ck_assert_str_eq(t.path, "/dir/sub/file");
	}
	watch_step(held);
	watch_step(moving);
	watch_look(w, tell, &t);
	ck_assert_int_eq(t.n, 1);
	wait_ms(30);
	watch_step(held);
	watch_look(w, tell, &t);
	ck_assert_int_eq(t.n, 2);
	ck_assert_str_eq(t.path, "/other");
	watch_free(w);
}
END_TEST

/* An entry is named as long as it is worked on. */
START_TEST(entry)
{
	static const char *const names[] = { "one", "two", NULL };
	struct watch *w = watch_new(20000000);
	struct watch_post *p = watch_join(w);
	struct told t = { 0, "" };

	watch_begin(p, "/dir", "sub");
	for (int i = 0; i < 3; i++) {
		char want[64];

		snprintf(want, sizeof(want), "/dir/sub%s%s", names[i] != NULL ? "/" : "", names[i] != NULL ? names[i] : "");
		watch_entry(p, names[i]);
		watch_look(w, tell, &t);
		ck_assert_int_eq(t.n, i);
		wait_ms(30);
		watch_look(w, tell, &t);
		ck_assert_int_eq(t.n, i + 1);
		ck_assert_str_eq(t.path, want);
	}
	watch_entry(p, "two");
	watch_begin(p, "/", "");
	watch_look(w, tell, &t);
	wait_ms(30);
	watch_look(w, tell, &t);
	ck_assert_str_eq(t.path, "/");
	watch_free(w);
}
END_TEST

/* Without a watch there are no posts. */
START_TEST(none)
{
	struct watch_post *p = watch_join(NULL);

	ck_assert_ptr_null(p);
	watch_begin(p, "/dir", "");
	watch_entry(p, "entry");
	watch_step(p);
	watch_end(p);
	watch_free(NULL);
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
