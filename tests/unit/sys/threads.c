/* SPDX-License-Identifier: MIT */
/* pool, crew and tree: what runs in threads runs once, and all of it. */
#include "base/base.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "sys/fs.h"
#include "sys/tasks.h"
#include "sys/walk.h"
#include "unit.h"

struct work {
	_Atomic int begun, ended, ran;
	int *taken;
	size_t n_taken, stop_at;
	pthread_t caller;
	int wrong;
};

/* A thread's state: the pieces that it was told to get under way. */
struct work_state {
	size_t first, n;
};

static void *
work_begin(void *arg)
{
	atomic_fetch_add(&((struct work *)arg)->begun, 1);
	return mem_zalloc(1, sizeof(struct work_state));
}

static void
work_ahead(void *arg, void *state, size_t first, size_t n)
{
	(void)arg;
	*(struct work_state *)state = (struct work_state){ first, n };
}

static void
work_run(void *arg, void *state, size_t i, void *result)
{
	(void)state;
	atomic_fetch_add(&((struct work *)arg)->ran, 1);
	*(size_t *)result = i * 3 + 1;
}

/* As work_run; a piece that was not announced in this thread gets a wrong result. */
static void
work_run_announced(void *arg, void *state, size_t i, void *result)
{
	const struct work_state *s = state;

	atomic_fetch_add(&((struct work *)arg)->ran, 1);
	*(size_t *)result = i >= s->first && i - s->first < s->n ? i * 3 + 1 : 0;
}

static void
work_end(void *arg, void *state)
{
	atomic_fetch_add(&((struct work *)arg)->ended, 1);
	free(state);
}

static int
work_done(void *arg, size_t i, const void *result, struct err *err)
{
	struct work *w = arg;

	if (*(const size_t *)result != i * 3 + 1 || !pthread_equal(w->caller, pthread_self()))
		w->wrong++;
	w->taken[i]++;
	if (++w->n_taken == w->stop_at)
		return err_set(err, ERR_DB, "enough");
	return 0;
}

static const struct {
	size_t n;
	int threads;
	size_t stop_at;
} pools[] = {
	{ 0, 1, 0 }, { 1, 1, 0 }, { 1, 8, 0 }, { 15, 2, 0 }, { 16, 2, 0 }, { 17, 2, 0 }, { 1000, 1, 0 }, { 1000, 3, 0 },
	{ 50000, 8, 0 }, { 50000, 64, 0 }, { 1000, 4, 1 }, { 50000, 8, 77 }, { 50000, 1, 49999 }, { 50000, 8, 50000 },
};

static void
take_all(int _i, bool ahead)
{
	struct work w = { .taken = mem_zalloc(pools[_i].n + 1, sizeof(int)), .stop_at = pools[_i].stop_at,
	                  .caller = pthread_self() };
	const struct tasks_map work = {
		.arg = &w, .result_size = sizeof(size_t), .begin = work_begin, .ahead = ahead ? work_ahead : NULL,
		.run = ahead ? work_run_announced : work_run, .end = work_end, .done = work_done,
	};
	struct err err = { 0 };
	int ret = tasks_map_run(&work, pools[_i].n, pools[_i].threads, &err);

	ck_assert_int_eq(w.wrong, 0);
	ck_assert_int_eq(w.begun, w.ended);
	ck_assert_int_le(w.begun, pools[_i].threads);
	if (pools[_i].stop_at != 0) {
		ck_assert_int_eq(ret, -1);
		ck_assert_int_eq(err.code, ERR_DB);
		ck_assert_uint_eq(w.n_taken, pools[_i].stop_at);
	} else {
		ck_assert_int_eq(ret, 0);
		ck_assert_uint_eq(w.n_taken, pools[_i].n);
		ck_assert_int_eq(w.ran, (int)pools[_i].n);
	}
	for (size_t i = 0; i < pools[_i].n; i++) {
		if (w.taken[i] > 1 || (pools[_i].stop_at == 0 && w.taken[i] != 1))
			ck_abort_msg("piece %zu was taken %d times", i, w.taken[i]);
	}
	free(w.taken);
}

START_TEST(map_takes_all)
{
	take_all(_i, false);
}
END_TEST

START_TEST(map_announces_all)
{
	take_all(_i, true);
}
END_TEST

static char top[64];

static int
tick_fails(void *arg, struct err *err)
{
	(void)arg;
	return err_set(err, ERR_INTERRUPTED, "out of time");
}

START_TEST(map_stops_by_tick)
{
	struct work w = { .taken = mem_zalloc(100000, sizeof(int)), .caller = pthread_self() };
	const struct tasks_map work = {
		.arg = &w, .result_size = sizeof(size_t), .run = work_run, .begin = work_begin, .end = work_end,
		.done = work_done, .tick = tick_fails,
	};
	struct err err = { 0 };

	ck_assert_int_eq(tasks_map_run(&work, 100000, 4, &err), -1);
	ck_assert_int_eq(err.code, ERR_INTERRUPTED);
	free(w.taken);
}
END_TEST

struct piece {
	struct tasks_piece piece;
	_Atomic int done;
	int taken;
};

static void
piece_work(void *arg, void *state, struct tasks_piece *piece)
{
	(void)arg, (void)state;
	atomic_fetch_add(&((struct piece *)(void *)piece)->done, 1);
}

static const struct tasks_kind piece_kind = { .work = piece_work };

static void
piece_taken(struct tasks_piece *piece)
{
	struct piece *p = (struct piece *)(void *)piece;

	if (p->done != 1 || p->taken++ != 0)
		ck_abort_msg("done %d times, taken %d times", p->done, p->taken);
}

static const struct {
	size_t n;
	int threads;
	size_t wait_at;   /* every so many pieces all are taken */
} crews[] = {
	{ 0, 2, 0 }, { 1, 1, 0 }, { 1, 4, 0 }, { 1000, 0, 0 }, { 1000, 0, 7 }, { 1000, 1, 0 }, { 20000, 2, 0 },
	{ 20000, 8, 0 }, { 20000, 8, 3 }, { 20000, 1, 1 }, { 20000, 64, 1000 },
};

START_TEST(tasks_do_all)
{
	const size_t n = crews[_i].n, wait_at = crews[_i].wait_at;
	struct piece *v = mem_zalloc(n + 1, sizeof(*v));
	struct tasks *c = tasks_new(&piece_kind, crews[_i].threads);
	struct tasks_piece *piece;
	size_t taken = 0;

	for (size_t i = 0; i < n; i++) {
		tasks_give(c, &v[i].piece);
		while ((piece = tasks_take(c, wait_at != 0 && i % wait_at == 0 ? TASKS_HELP : TASKS_READY)) != NULL) {
			piece_taken(piece);
			taken++;
		}
		if (wait_at != 0 && i % wait_at == 0 && taken != i + 1)
			ck_abort_msg("%zu taken of %zu", taken, i + 1);
	}
	while ((piece = tasks_take(c, TASKS_HELP)) != NULL) {
		piece_taken(piece);
		taken++;
	}
	ck_assert_uint_eq(taken, n);
	tasks_free(c);
	free(v);
}
END_TEST

/* What was not taken is left alone once the threads have ended. */
START_TEST(tasks_end_early)
{
	struct piece *v = mem_zalloc(5000, sizeof(*v));
	struct tasks *c = tasks_new(&piece_kind, 1 + _i);

	for (size_t i = 0; i < 5000; i++)
		tasks_give(c, &v[i].piece);
	tasks_free(c);
	for (size_t i = 0; i < 5000; i++) {
		if (v[i].done > 1)
			ck_abort_msg("piece %zu was done %d times", i, v[i].done);
	}
	free(v);
	tasks_free(NULL);
}
END_TEST

static void
make_top(void)
{
	fixture_temp_dir(top, sizeof(top));
}

static void
remove_top(void)
{
	fixture_remove_tree(top);
}

/* Make width directories in each of depth levels; returns how many. */
static int
make_dirs(int at, int width, int depth)
{
	int made = 0;

	for (int i = 0; depth > 0 && i < width; i++) {
		char name[16];
		int fd;

		snprintf(name, sizeof(name), "d%d", i);
		ck_assert_int_eq(mkdirat(at, name, 0700), 0);
		fd = openat(at, name, O_RDONLY | O_DIRECTORY);
		made += 1 + make_dirs(fd, width, depth - 1);
		close(fd);
	}
	return made;
}

struct walk {
	_Atomic int visited, failed, ended, wrong;
	mode_t mark;           /* the permissions that a visit leaves behind; no directory has them before */
	int cold;              /* a file whose pages every visit drops and reads again; 0: none */
	_Atomic int reserve;   /* visits by threads of the reserve */
	int n_threads;         /* without the reserve */
};

static void
walk_visit(struct walk_worker *w, const struct walk_dir *d, int fd)
{
	struct walk *walk = w->data;
	struct fs_list list = { 0 };
	struct fs_stat st, again;

	if (fd < 0) {
		atomic_fetch_add(&walk->failed, 1);
		return;
	}
	atomic_fetch_add(&walk->visited, 1);
	atomic_fetch_add(&walk->reserve, w->n >= walk->n_threads);
#ifdef HAVE_POSIX_FADVISE
	if (walk->cold != 0 && (posix_fadvise(walk->cold, 0, 0, POSIX_FADV_DONTNEED) != 0 || pread(walk->cold, (char[1]){ 0 }, 1, 0) != 1))
		atomic_fetch_add(&walk->wrong, 1);
#endif
	if (fs_stat_fd(fd, &st) < 0 || (st.mode & 07777) == walk->mark || fchmod(fd, walk->mark) < 0)
		atomic_fetch_add(&walk->wrong, 1);
	if (strcmp(d->path + d->name, d->path[0] != '\0' ? strrchr(d->path, '/') != NULL ?
	    strrchr(d->path, '/') + 1 : d->path : "") != 0)
		atomic_fetch_add(&walk->wrong, 1);
	if (fs_list_read(&list, fd) < 0)
		atomic_fetch_add(&walk->wrong, 1);
	for (size_t i = 0; i < list.n; i++) {
		if (fs_stat_at(fd, fs_list_name(&list, &list.v[i]), &again) < 0)
			atomic_fetch_add(&walk->wrong, 1);
		walk_push(w, d, fs_list_name(&list, &list.v[i]), NULL);
	}
	fs_list_release(&list);
}

static void
walk_end(struct walk_worker *w)
{
	atomic_fetch_add(&((struct walk *)w->data)->ended, 1);
}

static void
walk(const char *const *tops, size_t n_tops, int threads, int reserve, struct walk *walk)
{
	void *datas[16], *top_datas[8] = { 0 };

	walk->n_threads = threads;
	for (int i = 0; i < threads + reserve; i++)
		datas[i] = walk;
	walk_finish(walk_start(tops, top_datas, n_tops, threads, reserve, datas, NULL, walk_visit, walk_end, NULL));
}

/* How many directories the tree has that tree_visits_all shares among its rows. */
static int made;

static void
make_tree(void)
{
	int fd;

	make_top();
	fd = open(top, O_RDONLY | O_DIRECTORY);
	made = 1 + make_dirs(fd, 3, 5);
	close(fd);
}

/* 1 to 8 threads, several times: every directory is visited once. */
START_TEST(tree_visits_all)
{
	const int threads = _i % 8 + 1;
	/* Each row leaves permissions of its own, which the next one finds. */
	struct walk w = { .mark = 0701 + (mode_t)_i };
	const char *tops[] = { top, "/nonexistent/top" };

	walk(tops, 1, threads, 2, &w);
	ck_assert_int_eq(w.visited, made);
	ck_assert_int_eq(w.ended, threads + 2);
	ck_assert_int_eq(w.wrong + w.failed, 0);
	/* A top that is not there is delivered as a failure. */
	w = (struct walk){ .mark = 0741 + (mode_t)_i };
	walk(tops, 2, threads, 0, &w);
	ck_assert_int_eq(w.visited, made);
	ck_assert_int_eq(w.failed, 1);
}
END_TEST

/* The reserve stays away from what is in memory, and comes when a disk has to be waited for. */
START_TEST(tree_calls_the_reserve)
{
	struct walk w = { .mark = 0710 };
	const char *tops[] = { top };
	struct rusage before, after;
	char data[4096] = { 1 }, name[] = "/tmp/twindex-unit.XXXXXX";

	make_tree();
	getrusage(RUSAGE_SELF, &before);
	walk(tops, 1, 2, 4, &w);
	ck_assert_int_eq(w.visited, made);
	getrusage(RUSAGE_SELF, &after);
	if (after.ru_inblock == before.ru_inblock)
		ck_assert_int_eq(w.reserve, 0);
	w = (struct walk){ .mark = 0750, .cold = mkstemp(name) };
	unlink(name);
	if (w.cold > 0 && write(w.cold, data, sizeof(data)) == sizeof(data) && fsync(w.cold) == 0) {
		walk(tops, 1, 2, 4, &w);
		ck_assert_int_eq(w.wrong, 0);
		getrusage(RUSAGE_SELF, &before);
		/* Else no disk is there to wait for, or nobody counts. */
#ifdef RUSAGE_THREAD
		if (before.ru_inblock - after.ru_inblock > 6 * made)
			ck_assert_int_gt(w.reserve, 0);
#endif
		close(w.cold);
	}
	remove_top();
}
END_TEST

/* Deeper than PATH_MAX. */
START_TEST(tree_goes_deep)
{
	struct walk w = { .mark = 0710 };
	const char *tops[] = { top };
	int fd, n = 1;

	make_top();
	fd = open(top, O_RDONLY | O_DIRECTORY);
	for (; n < 100; n++) {
		char name[101];
		int next;

		memset(name, 'a' + n % 26, 100);
		name[100] = '\0';
		ck_assert_int_eq(mkdirat(fd, name, 0700), 0);
		next = openat(fd, name, O_RDONLY | O_DIRECTORY);
		ck_assert_int_ge(next, 0);
		close(fd);
		fd = next;
	}
	close(fd);
	walk(tops, 1, 4, 0, &w);
	ck_assert_int_eq(w.visited, n);
	ck_assert_int_eq(w.failed + w.wrong, 0);
	remove_top();
}
END_TEST

Suite *
suite_threads(void)
{
	Suite *s = suite_create("threads");
	TCase *tc = tcase_create("threads"), *shared = tcase_create("one tree");

	tcase_add_loop_test(tc, map_takes_all, 0, N_ROWS(pools));
	tcase_add_loop_test(tc, map_announces_all, 0, N_ROWS(pools));
	tcase_add_test(tc, map_stops_by_tick);
	tcase_add_loop_test(tc, tasks_do_all, 0, N_ROWS(crews));
	tcase_add_loop_test(tc, tasks_end_early, 0, 4);
	tcase_add_test(tc, tree_calls_the_reserve);
	tcase_add_test(tc, tree_goes_deep);
	suite_add_tcase(s, tc);
	tcase_add_unchecked_fixture(shared, make_tree, remove_top);
	tcase_add_loop_test(shared, tree_visits_all, 0, 16);
	suite_add_tcase(s, shared);
	return s;
}
