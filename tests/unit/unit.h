/* SPDX-License-Identifier: MIT */
/* unit - the suites of the unit tests, and what they share. */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>

/** Every suite: NAME is suite_NAME() in tests/unit/NAME.c or LAYER_NAME.c.  In the order of src/README. */
#define UNIT_SUITES(X) \
	X(err) \
	X(mem) \
	X(buf) \
	X(vec) \
	X(order) \
	X(num) \
	X(name) \
	X(words) \
	X(path) \
	X(pathset) \
	X(glob) \
	X(fs) \
	X(list) \
	X(resolve) \
	X(volume) \
	X(watch) \
	X(content) \
	X(threads) \
	X(sql) \
	X(unshared) \
	X(lock) \
	X(answers) \
	X(file) \
	X(dirs) \
	X(names) \
	X(rules) \
	X(gaps) \
	X(dirmap) \
	X(seen) \
	X(mark) \
	X(members) \
	X(copies) \
	X(sets) \
	X(dirtree) \
	X(bulk) \
	X(content_index) \
	X(leads) \
	X(load) \
	X(merge) \
	X(opt) \
	X(progress) \
	X(results) \
	X(out) \
	X(layouts) \
	X(history) \
	X(cell) \
	X(width) \
	X(line_view) \
	X(complete)

#define UNIT_DECLARE(name) Suite *suite_##name(void);
UNIT_SUITES(UNIT_DECLARE)
#undef UNIT_DECLARE

/** The number of rows of a table, as tcase_add_loop_test wants it. */
#define N_ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

#endif
