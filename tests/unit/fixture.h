/* SPDX-License-Identifier: MIT */
/* fixture - what several suites stand on: a directory of their own, and an index with rows made by hand. */
#ifndef UNIT_FIXTURE_H
#define UNIT_FIXTURE_H

struct index;

/** Make an empty directory, or a file, in TMPDIR or /tmp; path, of size bytes, is to hold its name. */
void fixture_temp_dir(char *path, size_t size);
void fixture_temp_file(char *path, size_t size);

/** Remove a database and the journal that it keeps. */
void fixture_remove_db(const char *path);

/** Remove a directory and all that is in it, whatever its permissions became: a shell and rm take ten times as long. */
void fixture_remove_tree(const char *path);

/** The directory: its path, and a descriptor of it. */
extern char fixture_top[64];
extern int fixture_at;

void fixture_setup(void);
void fixture_teardown(void);
/** Make an empty file that was not there. */
void fixture_file(int dir, const char *name);

/** Whether all of many like cases are tried, not a third of them: EVERY_KIND=1, as .ci/run has it. */
bool fixture_every(void);

/** Before the tests: make the index that each begins with.  Returns whether it is made. */
bool fixture_prepare(void);

/** An open index in such a directory. */
extern struct index *fixture_ix;

void fixture_index_setup(void);
void fixture_index_teardown(void);
/** Insert a row of dir; the stored form of the name is made as the scan makes it. */
void fixture_dir(int64_t id, int64_t parent, const char *name, int64_t volume, int64_t inode);

/** What rows store, in the order in which the values of hand-made ones stand. */
#define FILE_COLUMNS \
	"(dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)"

/** Insert /t (1), with b (2) and a (3) in it, and files: rows of dir, name, size, volume, inode, nlink, hash, error in SQL. */
void fixture_files(const char *rows);

/** The first value that a query gives of the index, as text; until the next call. */
const char *fixture_ask(const char *sql);

#endif
