/* SPDX-License-Identifier: MIT */
/*
 * Hides the order in which an index is opened: it makes nothing beside a foreign file, changes
 * nothing in a damaged one, and a reader sees one state.
 *
 *   writer   probe, lock, open, identify, db_start; then schema_create or schema_upgrade
 *   reader   wait for a new index, probe, open (in the worst case the file alone, with writers
 *            barred), begin a read transaction, identify; again if a writer was killed meanwhile
 *
 * One thread opens, uses and closes an index.  The lock file is taken before SQLite's own locks.
 */
#include "base/base.h"

#include "index/index.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/db.h"
#include "db/bulk_insert.h"
#include "db/filter.h"
#include "db/lock.h"
#include "db/probe.h"
#include "db/stmt.h"
#include "index/contents.h"
#include "index/meta.h"
#include "index/schema.h"
#include "sys/fs.h"
#include "sys/random.h"
#include "sys/resolve.h"
#include "sys/volume.h"

/* Most times that a reader begins again because a writer was killed. */
#define INDEX_AGAIN 3

int
index_default_path(struct buf *b, struct err *err)
{
	const char *db = getenv("TWINDEX_DB");

	if (db != NULL && *db != '\0')
		buf_adds(b, db);
	else if (!resolve_own_file(b, "XDG_STATE_HOME", ".local/state", "index.db"))
		return err_set(err, ERR_USAGE, "no place for the index: set HOME or use --db FILE");
	return 0;
}

/*
 * WAL needs memory shared by all users of the file, which network
 * file systems do not have (sqlite.org/wal.html).
 */
static bool
index_on_network(const char *path)
{
	char *parent = mem_dup(path, path_parent_len(path));
	const int fd = fs_open_dir(AT_FDCWD, parent);
	const bool network = fd >= 0 && volume_is_network(fd);

	if (fd >= 0)
		close(fd);
	free(parent);
	return network;
}

/* Get the secret of the index at path. */
static int
index_read_secret(const char *path, uint8_t secret[CONTENT_SECRET_SIZE], struct err *err)
{
	struct index *other = NULL;

	if (index_open(&other, path, 0, NULL, err) < 0)
		return -1;
	memcpy(secret, other->secret, CONTENT_SECRET_SIZE);
	index_close(other);
	return 0;
}

/* Ask a statement without parameters for the truth value in its first row.  Returns 1, 0 or -1. */
static int
index_ask(struct index *ix, enum sql_id id, struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);

	return stmt_truth(&st);
}

/* As probe_index, and the version is not too new. */
static int
index_probe(const char *path, bool write, bool create, struct err *err)
{
	int64_t version;

	return probe_index(path, write, create, &version, err) < 0 ? -1 : schema_not_too_new(path, version, err);
}

/*
 * Find out what the file is, without a change to it.  Sets ix->version
 * (0: the file is empty), content_index and lacks.
 */
static int
index_identify(struct index *ix, enum index_flags flags, struct err *err)
{
	struct schema_state schema = { 0 };
	int64_t id, pages;
	int ret;

	if (db_pragma_get(ix->db, "user_version", &ix->version, err) < 0 ||
	    db_pragma_get(ix->db, "application_id", &id, err) < 0 || db_pragma_get(ix->db, "page_count", &pages, err) < 0)
		return -1;
	/* Empty, or its creation was cut off. */
	if (ix->version == 0 && id == 0 && pages <= 1)
		return 0;
	if (id != DB_APPLICATION_ID)
		return err_set(err, ERR_BAD_INDEX, "'%s' is another program's database", ix->path);
	if (schema_not_too_new(ix->path, ix->version, err) < 0)
		return -1;
	if (ix->version < 1)
		return db_damaged(ix->db, err, "it has version %lld", (long long)ix->version);
	ret = schema_check(ix->db, ix->version, &schema, err);
	ix->content_index = schema.contents;
	ix->validated = schema.validated;
	ix->digests = schema.digests;
	ix->payloads = schema.payloads;
	ix->claims = schema.claims;
	ix->drawer.made = schema.drawer;
	ix->names = schema.names;
	ix->archives = schema.archives;
	ix->fleeting_view = schema.fleeting;
	if (ret == 0 && schema.lacks.len > 0 && (flags & INDEX_LACKING) == 0)
		ret = db_damaged(ix->db, err, "it lacks indexes on its rows (%s): '%s check --repair' rebuilds them", buf_str(&schema.lacks), prog_name());
	free(ix->lacks);
	ix->lacks = schema.lacks.len > 0 ? buf_take(&schema.lacks) : NULL;
	buf_release(&schema.lacks);
	return ret;
}

/*
 * Begin the read transaction, and find out whether a run that the journal calls running was killed:
 * it was if its lock was free before this state of the index was taken.
 */
static int
index_begin_read(struct index *ix, enum index_flags flags, struct err *err)
{
	int lock = -1, ret;
	bool free_lock = false;

	for (;;) {
		if (db_begin_read(ix->db, err) < 0)
			return -1;
		ret = index_identify(ix, flags, err);
		if (ret == 0 && ix->version == 0)
			ret = err_set(err, ERR_NO_INDEX, "index '%s' is empty: run %s scan first", ix->path, prog_name());
		if (ret == 0)
			ret = index_ask(ix, SQL_SCAN_RUNNING, err);
		if (ret != 1 || free_lock || lock_is_beside(ix->path) || lock_look(ix->path, &lock) == 0)
			break;
		free_lock = true;
		if (db_end(ix->db, 0, err) < 0) {
			ret = -1;
			break;
		}
	}
	lock_release(lock);
	ix->killed = ret == 1 && free_lock;
	if (ret < 0 || (ix->version >= SCHEMA_HISTORY && ix->version < SCHEMA_ENTRIES && db_exec_temp(ix->db, SQL_BEFORE_FILES_4, err) < 0))
		return -1;
	if ((flags & INDEX_VIEWS) == 0)
		return 0;
	return (ix->killed && db_exec_temp(ix->db, SQL_VIEWS_KILLED, err) < 0) ||
	       (!ix->drawer.made && db_exec_temp(ix->db, SQL_VIEWS_DRAWER_NONE, err) < 0) ||
	       (!ix->fleeting_view && db_exec_temp(ix->db, SQL_VIEWS_FLEETING, err) < 0) ? -1 : 0;
}

/* Begin to write: an empty file gets its schema. */
static int
index_begin_write(struct index *ix, enum index_flags flags, const uint8_t *secret, struct err *err)
{
	if (index_identify(ix, flags, err) < 0 || db_start(ix->db, err) < 0)
		return -1;
	if (ix->version > 0)
		return 0;
	/* An own secret makes constructed collisions useless (xxHash issue 1127, and measured). */
	if (secret != NULL)
		memcpy(ix->secret, secret, sizeof(ix->secret));
	else if (random_fill(ix->secret, sizeof(ix->secret)) < 0)
		return err_sys(err, "get random bytes");
	if (schema_create(ix->db, ix->secret, err) < 0)
		return -1;
	ix->version = SCHEMA_VERSION;
	ix->fleeting_view = true;
	/* A first scan that is cut off before it meets a root leaves this behind. */
	return db_begin(ix->db, err) < 0 ? -1 : db_end(ix->db, index_set_pending(ix, INDEX_UNMET, err), err);
}

/*
 * Read the index's meta values, upgrade it for a writer, and refuse ids that readers do not expect.
 */
static int
index_load_meta(struct index *ix, enum index_flags flags, const uint8_t *secret, struct err *err)
{
	int64_t pending, compared;
	int ret = 0;

	if (meta_check_algorithm(ix->db, err) < 0 ||
	    meta_blob(ix->db, "secret", ix->secret, sizeof(ix->secret), err) < 0 ||
	    meta_int(ix->db, "pending", &pending, err) < 0 || meta_int(ix->db, "compared", &compared, err) < 0)
		return -1;
	/* Treat an unknown number as the most cautious state. */
	ix->pending = pending == INDEX_WHOLE || pending == INDEX_UNREAD ? (enum index_pending)pending : INDEX_UNMET;
	/* No state but that one has it; in another it proves nothing. */
	ix->compared = ix->pending == INDEX_UNREAD && compared > 0 ? compared : INT64_MAX;
	ix->compared_noted = compared != 0;
	/* Its hashes mean nothing with another secret. */
	if (secret != NULL && memcmp(ix->secret, secret, sizeof(ix->secret)) != 0)
		return err_set(err, ERR_USAGE, "index '%s' has a secret of its own already: --secret-from is for a new index", ix->path);
	if ((ix->version < SCHEMA_VERSION || !ix->fleeting_view) && (flags & (INDEX_WRITE | INDEX_AS_IS)) == INDEX_WRITE) {
		if (schema_upgrade(ix->db, ix->version, ix->content_index, err) < 0)
			return -1;
		ix->version = SCHEMA_VERSION;
		ix->fleeting_view = true;
	}
	ret = index_ask(ix, SQL_DIR_ANY_UNNUMBERED, err);
	if (ret == 1)
		return db_corrupt(ix->db, err, "dir", 0, NULL, "has a number below 1");
	if (ret == 0 && ix->version >= 2) {
		ret = index_ask(ix, SQL_MARK_ANY, err);
		ix->marks = ret == 1;
	}
	return ret < 0 ? -1 : drawer_load(&ix->drawer, ix->db, err);
}

/*
 * Open to read.  To read a log SQLite makes a small file beside it, which a full disk
 * prevents.  Without a log, and with writers barred, the database file alone suffices.
 */
static int
index_open_reader(struct index *ix, enum db_flags how, struct err *err)
{
	struct err ignored = { 0 };

	if (lock_await_publish(ix->path, err) < 0 || index_probe(ix->path, false, false, err) < 0)
		return -1;
	if (db_open(&ix->db, ix->path, how, err) == 0)
		return 0;
	if (err->code != ERR_DB)
		return -1;
	ix->bar = lock_bar(ix->path);
	if (ix->bar >= 0 && probe_log_is_empty(ix->path))
		return db_open(&ix->db, ix->path, how | DB_IMMUTABLE, &ignored);
	if (!probe_log_is_empty(ix->path) && probe_no_room(ix->path))
		return err_set(err, ERR_DB, "index '%s': its log, '%s-wal', can't be read while the disk is full: make room for 32 KiB",
		               ix->path, ix->path);
	return -1;
}

/* Register the functions and tables that statements need. */
static int
index_register(struct index *ix, struct err *err)
{
	return bulk_insert_register(ix->db, err) < 0 || filter_register(ix->db, err) < 0 ? -1 : 0;
}

/* Open to read: one state of the index until it is closed, even while a scan writes. */
static int
index_read(struct index *ix, enum db_flags how, enum index_flags flags, const uint8_t *secret, struct err *err)
{
	for (int again = 0;; again++) {
		if (index_open_reader(ix, how, err) == 0 && index_register(ix, err) == 0 && index_begin_read(ix, flags, err) == 0 &&
		    index_load_meta(ix, flags, secret, err) == 0)
			return 0;
		/* A writer without a log was killed meanwhile: db_open plays its journal back. */
		if (err->code != ERR_DB || again == INDEX_AGAIN || !probe_journal_is_hot(ix->path))
			return -1;
		db_close(ix->db);
		ix->db = NULL;
		lock_release(ix->bar);
		ix->bar = -1;
		*err = (struct err){ 0 };
	}
}

int
index_open(struct index **result, const char *path, enum index_flags flags, const char *secret_from,
           struct err *err)
{
	struct index *ix = mem_zalloc(1, sizeof(*ix));
	uint8_t secret[CONTENT_SECRET_SIZE];
	const uint8_t *from = secret_from != NULL ? secret : NULL;
	enum db_flags how = 0;
	int ret = -1;

	ix->lock = ix->bar = -1;
	ix->path = mem_str(path);
	/* Before taking the lock, because both may be the same file. */
	if (secret_from != NULL && index_read_secret(secret_from, secret, err) < 0)
		goto out;
	if ((flags & INDEX_WRITE) != 0) {
		how |= DB_WRITE | ((flags & INDEX_EXISTING) != 0 ? 0 : DB_CREATE);
		if ((how & DB_CREATE) != 0 && fs_make_parents(path) < 0) {
			err_sys(err, "make the directory of '%s'", path);
			goto out;
		}
		/* Leave nothing beside a file that is not an index, not even a lock. */
		if (index_probe(path, true, (how & DB_CREATE) != 0, err) < 0)
			goto out;
		ix->lock = lock_acquire(path, (flags & INDEX_WAIT) != 0, err);
		if (ix->lock < 0)
			goto out;
	}
	if ((flags & INDEX_EXCLUSIVE) != 0)
		how |= DB_EXCLUSIVE;
	if ((flags & INDEX_VIEWS) != 0)
		how |= DB_VIEWS;
	if (index_on_network(path))
		how |= DB_NO_WAL;
	if ((flags & INDEX_WRITE) != 0 ? db_open(&ix->db, path, how, err) < 0 || index_register(ix, err) < 0 ||
	                                 index_begin_write(ix, flags, from, err) < 0 || index_load_meta(ix, flags, from, err) < 0
	                               : index_read(ix, how, flags, from, err) < 0)
		goto out;
	/* Now, because reading has made the files beside it. */
	db_shun(ix->db);
	*result = ix;
	ix = NULL;
	ret = 0;
out:
	index_close(ix);
	return ret;
}

int
index_open_memory(struct index **result, const struct index *like, struct err *err)
{
	struct index *ix = mem_zalloc(1, sizeof(*ix));

	ix->lock = ix->bar = -1;
	ix->path = mem_str(like->path);
	memcpy(ix->secret, like->secret, sizeof(ix->secret));
	ix->version = SCHEMA_VERSION;
	if (db_open(&ix->db, like->path, DB_WRITE | DB_NO_WAL | DB_MEMORY, err) < 0 || index_register(ix, err) < 0 ||
	    db_start(ix->db, err) < 0 || schema_create(ix->db, ix->secret, err) < 0) {
		index_close(ix);
		return -1;
	}
	*result = ix;
	return 0;
}

void
index_close(struct index *ix)
{
	struct err ignored = { 0 };

	if (ix == NULL)
		return;
	/* Ignore a failure: a writer that finished has called db_publish. */
	if (ix->lock >= 0 && ix->db != NULL && db_publish(ix->db, &ignored) == 0)
		db_checkpoint(ix->db, &ignored);
	db_close(ix->db);
	lock_release(ix->lock);
	lock_release(ix->bar);
	free(ix->lacks);
	free(ix->first_doubt);
	vec_release(&ix->doubts);
	backups_release(&ix->backups);
	drawer_release(&ix->drawer);
	free(ix->path);
	free(ix);
}

int
index_note_state(struct index *ix, struct index_state *state, struct err *err)
{
	struct fs_stat st;

	if (fs_stat_path(ix->path, &st) < 0)
		return err_sys(err, "look at index '%s'", ix->path);
	state->dev = st.dev;
	state->inode = st.inode;
	return db_pragma_get(ix->db, "data_version", &state->version, err);
}

bool
index_has_changed(struct index *ix, const struct index_state *state)
{
	struct err ignored = { 0 };
	struct index_state now;

	return index_note_state(ix, &now, &ignored) < 0 || now.version != state->version || now.dev != state->dev ||
	       now.inode != state->inode;
}

/* What was compared is not known any more. */
static int
index_forget_compared(struct index *ix, struct err *err)
{
	const bool noted = ix->compared_noted;

	ix->compared = INT64_MAX;
	ix->compared_noted = false;
	return noted ? meta_delete(ix->db, "compared", err) : 0;
}

int
index_set_pending(struct index *ix, enum index_pending pending, struct err *err)
{
	if (ix->pending == pending)
		return 0;
	if (index_forget_compared(ix, err) < 0)
		return -1;
	ix->pending = pending;
	return meta_put_int(ix->db, "pending", pending, err);
}

int
index_set_unread(struct index *ix, struct err *err)
{
	return ix->pending == INDEX_WHOLE ? index_set_pending(ix, INDEX_UNREAD, err) : index_forget_compared(ix, err);
}

int
index_set_compared(struct index *ix, int64_t size, struct err *err)
{
	assert(size > 0);
	if (ix->pending != INDEX_UNREAD || ix->compared == size)
		return 0;
	ix->compared = size;
	ix->compared_noted = true;
	return meta_put_int(ix->db, "compared", size, err);
}

bool
index_is_compared(const struct index *ix, int64_t size)
{
	return ix->pending == INDEX_WHOLE || (ix->pending == INDEX_UNREAD && size >= ix->compared);
}

int
index_make_contents(struct index *ix, struct err *err)
{
	if (ix->content_index)
		return 0;
	if (contents_index(ix->db, err) < 0)
		return -1;
	ix->content_index = true;
	return 0;
}
