/* SPDX-License-Identifier: MIT */
/* unit - the suites of the unit tests, and what they share. */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>

/** Those of src/bulk, which a build may lack. */
#ifdef WITH_BULK
#define UNIT_SUITES_BULK(X) \
	X(btree) \
	X(bulk) \
	X(content_index) \
	X(pages)
#else
#define UNIT_SUITES_BULK(X)
#endif

/** The same of src/browse. */
#ifdef UNIT_BROWSE
#define UNIT_SUITES_BROWSE(X) X(level)
#else
#define UNIT_SUITES_BROWSE(X)
#endif

/** Every suite: NAME is suite_NAME() in tests/unit/ROOM/NAME.c.  In the order of src/README. */
#define UNIT_SUITES(X) \
	X(err) \
	X(mem) \
	X(buf) \
	X(arena) \
	X(vec) \
	X(table) \
	X(order) \
	X(varint) \
	X(num) \
	X(name) \
	X(prog) \
	X(path) \
	X(pathset) \
	X(glob) \
	X(fs) \
	X(fs_list) \
	X(resolve) \
	X(mounted) \
	X(volume) \
	X(rename) \
	X(watch) \
	X(digest) \
	X(payload) \
	X(content) \
	X(threads) \
	X(countmap) \
	X(believe) \
	X(packed) \
	X(sql) \
	X(exclusive) \
	X(lock) \
	X(file) \
	X(fleeting) \
	X(wholes) \
	X(names) \
	X(dirs) \
	X(rules) \
	X(gaps) \
	X(mark) \
	UNIT_SUITES_BULK(X) \
	X(answer_sort) \
	X(subdirs) \
	X(prefix) \
	X(members) \
	X(state) \
	X(sets) \
	X(unhashed_by_size) \
	X(keep) \
	X(place_rank) \
	X(dirtree) \
	X(marked_inodes) \
	X(usage_portions) \
	X(joined) \
	X(decide_groups) \
	X(contents_map) \
	X(removal) \
	X(safe_dirs) \
	X(base64) \
	X(backup_name) \
	X(dirmap) \
	X(verify_inline) \
	X(listing) \
	X(merge) \
	X(import) \
	X(verdict) \
	X(locked_file) \
	X(compare) \
	X(prove) \
	X(opt) \
	X(typo) \
	X(progress) \
	X(ls_colors) \
	X(numbers) \
	X(out) \
	X(layouts) \
	X(cell) \
	X(sheet) \
	X(width) \
	X(treemap) \
	X(parquet) \
	X(thrift) \
	X(cmd_paths) \
	X(program) \
	X(words) \
	X(history) \
	X(line_chars) \
	X(complete) \
	UNIT_SUITES_BROWSE(X)

#define UNIT_DECLARE(name) Suite *suite_##name(void);
UNIT_SUITES(UNIT_DECLARE)
#undef UNIT_DECLARE

/** The number of rows of a table, as tcase_add_loop_test wants it. */
#define N_ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

#endif
