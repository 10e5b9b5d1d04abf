/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "index/dirs.h"
#include "index/index.h"
#include "unit.h"

char fixture_top[64];
int fixture_at;
struct index *fixture_ix;

/* A name for mkdtemp or mkstemp; that of a directory which is too long is not used. */
static void
fixture_template(char *path, size_t size)
{
	const char *tmp = getenv("TMPDIR");
	const int n = snprintf(path, size, "%s/twindex-unit.XXXXXX", tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");

	if (n < 0 || (size_t)n >= size)
		snprintf(path, size, "/tmp/twindex-unit.XXXXXX");
}

void
fixture_temp_dir(char *path, size_t size)
{
	fixture_template(path, size);
	ck_assert_ptr_nonnull(mkdtemp(path));
}

void
fixture_temp_file(char *path, size_t size)
{
	int fd;

	fixture_template(path, size);
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

void
fixture_remove_db(const char *path)
{
	char journal[PATH_MAX];

	unlink(path);
	snprintf(journal, sizeof(journal), "%s-journal", path);
	unlink(journal);
}

void
fixture_setup(void)
{
	fixture_temp_dir(fixture_top, sizeof(fixture_top));
	fixture_at = open(fixture_top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fixture_at, 0);
}

static void
fixture_remove(int at, const char *name)
{
	const struct dirent *e;
	DIR *d = NULL;
	int fd;

	if (unlinkat(at, name, 0) == 0)
		return;
	if (fchmodat(at, name, 0700, 0) == 0 && (fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0)
		d = fdopendir(fd);
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			fixture_remove(dirfd(d), e->d_name);
	}
	if (d != NULL)
		closedir(d);
	if (unlinkat(at, name, AT_REMOVEDIR) < 0)
		perror(name);
}

void
fixture_remove_tree(const char *path)
{
	fixture_remove(AT_FDCWD, path);
}

void
fixture_teardown(void)
{
	close(fixture_at);
	fixture_remove_tree(fixture_top);
}

void
fixture_file(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		ck_abort_msg("cannot make %s: %s", name, strerror(errno));
	close(fd);
}

/* The bytes of an index without rows, from before any test: to make one takes three times as long as to open it. */
static char *fixture_empty;
static size_t fixture_empty_len;

bool
fixture_every(void)
{
	const char *every = getenv("EVERY_KIND");

	return every != NULL && *every != '\0';
}

bool
fixture_prepare(void)
{
	struct err err = { 0 };
	struct stat st;
	char path[96];
	int fd = -1;

	fixture_template(fixture_top, sizeof(fixture_top));
	if (mkdtemp(fixture_top) == NULL)
		return false;
	snprintf(path, sizeof(path), "%s/index.db", fixture_top);
	if (index_open(&fixture_ix, path, INDEX_WRITE, NULL, &err) == 0) {
		index_close(fixture_ix);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd >= 0 && fstat(fd, &st) == 0) {
		fixture_empty = mem_alloc((size_t)st.st_size);
		if (read(fd, fixture_empty, (size_t)st.st_size) == st.st_size)
			fixture_empty_len = (size_t)st.st_size;
	}
	if (fd >= 0)
		close(fd);
	fixture_remove_tree(fixture_top);
	return fixture_empty_len > 0;
}

void
fixture_index_setup(void)
{
	struct err err = { 0 };
	char path[96];
	int fd;

	fixture_setup();
	snprintf(path, sizeof(path), "%s/index.db", fixture_top);
	fd = openat(fixture_at, "index.db", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, fixture_empty, fixture_empty_len) != (ssize_t)fixture_empty_len)
		ck_abort_msg("%s: %s", path, strerror(errno));
	close(fd);
	if (index_open(&fixture_ix, path, INDEX_WRITE, NULL, &err) < 0 || db_publish(fixture_ix->db, &err) < 0)
		ck_abort_msg("%s", err.text);
}

void
fixture_index_teardown(void)
{
	index_close(fixture_ix);
	fixture_teardown();
}

const char *
fixture_ask(const char *sql)
{
	static char value[256];
	sqlite3_stmt *s;

	ck_assert_msg(sqlite3_prepare_v2(fixture_ix->db->handle, sql, -1, &s, NULL) == SQLITE_OK, "%s",
	              sqlite3_errmsg(fixture_ix->db->handle));
	ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
	snprintf(value, sizeof(value), "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return value;
}

void
fixture_dir(int64_t id, int64_t parent, const char *name, int64_t volume, int64_t inode)
{
	struct buf text = { 0 };
	sqlite3_stmt *s;

	dirs_store_name(&text, name, strlen(name), parent);
	ck_assert_int_eq(sqlite3_prepare_v2(fixture_ix->db->handle, "INSERT INTO dir VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)", -1, &s, NULL),
	                 SQLITE_OK);
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, parent);
	sqlite3_bind_text(s, 3, text.data, (int)text.len, SQLITE_STATIC);
	if (strcmp(text.data, name) != 0)
		sqlite3_bind_blob(s, 4, name, (int)strlen(name), SQLITE_STATIC);
	sqlite3_bind_int64(s, 5, volume);
	sqlite3_bind_int64(s, 6, inode);
	if (sqlite3_step(s) != SQLITE_DONE)
		ck_abort_msg("%s", sqlite3_errmsg(fixture_ix->db->handle));
	sqlite3_finalize(s);
	buf_release(&text);
}

void
fixture_files(const char *rows)
{
	char *error = NULL;
	struct buf sql = { 0 };

	fixture_dir(1, 0, "/t", 1, 101);
	fixture_dir(3, 1, "a", 1, 102);
	fixture_dir(2, 1, "b", 1, 103);
	buf_addf(&sql, "CREATE TEMP TABLE r (dir, name, size, volume, inode, nlink, hash, error); INSERT INTO r VALUES %s;"
	         "INSERT INTO file " FILE_COLUMNS " SELECT dir, name, NULL, size, 8, volume, inode, nlink, 0, 0, 0, 0, NULL,"
	         " CASE WHEN hash > 0 THEN CAST(printf('%%016d', hash) AS BLOB) END, 0, NULL, error FROM r;", rows);
	sqlite3_exec(fixture_ix->db->handle, buf_str(&sql), NULL, NULL, &error);
	ck_assert_msg(error == NULL, "%s", error);
	buf_release(&sql);
}
