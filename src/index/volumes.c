/* SPDX-License-Identifier: MIT */
/*
 * Hides how the device numbers of this moment map to the numbers that the index gave to file
 * systems: by a key that survives a remount (sys/volume).  Two devices with one key at the same
 * time are two volumes ("key#2"); volumes_recognize tells which of them has the old number, by the
 * inode of a directory that the index has there.
 *
 * struct volumes has a mutex, because threads of a walk ask for numbers.  It is held while a
 * device is described, and no other lock is taken below it.  Call volumes_load, _recognize, _look,
 * _note and _free only before and after the threads.
 */
#include "base/base.h"

#include "index/volumes.h"

#include <pthread.h>
#include <fcntl.h>
#include <unistd.h>
#include <time.h>

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/schema.h"
#include "sys/mounted.h"

struct volume_entry {
	int64_t id;
	char *key;               /* owned */
	char *ground;            /* owned: key of the file system of an image's file; or NULL */
	struct volume_facts facts; /* of the index only the type, until it is seen */
	uint64_t dev;
	bool seen;               /* dev and facts are of this moment */
	bool saved;
	bool known;              /* loaded from the index */
	char *point;             /* owned: where it is mounted, once volumes_look asked; or NULL */
	bool whole;              /* all of it is seen there, not one directory */
	bool memory;             /* it lies in memory, although its type does not say so */
};

struct volumes {
	pthread_mutex_t lock;
	VEC(struct volume_entry) entries;
	int64_t next;
};

int
volumes_load(struct volumes **result, struct db *db, struct err *err)
{
	struct volumes *v = mem_zalloc(1, sizeof(*v));
	struct stmt st = stmt_get(db, SQL_VOLUME_ALL, err);
	int ret;

	pthread_mutex_init(&v->lock, NULL);
	v->next = 1;
	while ((ret = stmt_step(&st)) == 1) {
		struct volume_entry *e;
		size_t len;
		const char *key = stmt_col_text(&st, 1, &len);

		if (stmt_col_int(&st, 0) < 1 || stmt_col_int(&st, 0) > SCHEMA_MAX_ID) {
			ret = db_corrupt(db, err, "volume", stmt_col_int(&st, 0), NULL, "has an invalid number");
			stmt_done(&st);
			break;
		}
		e = vec_add(&v->entries);
		memset(e, 0, sizeof(*e));
		e->id = stmt_col_int(&st, 0);
		e->key = mem_dup(key, len);
		key = stmt_col_text(&st, 3, &len);
		e->ground = len > 0 ? mem_dup(key, len) : NULL;
		snprintf(e->facts.type, sizeof(e->facts.type), "%s", stmt_col_text(&st, 2, &len));
		e->saved = e->known = true;
		if (e->id >= v->next)
			v->next = e->id + 1;
	}
	if (ret < 0) {
		volumes_free(v);
		return -1;
	}
	*result = v;
	return 0;
}

void
volumes_free(struct volumes *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; i < v->entries.n; i++) {
		free(v->entries.v[i].key);
		free(v->entries.v[i].ground);
		free(v->entries.v[i].point);
	}
	vec_release(&v->entries);
	pthread_mutex_destroy(&v->lock);
	free(v);
}

static struct volume_entry *
volumes_find_dev(struct volumes *v, uint64_t dev)
{
	for (size_t i = 0; i < v->entries.n; i++) {
		if (v->entries.v[i].seen && v->entries.v[i].dev == dev)
			return &v->entries.v[i];
	}
	return NULL;
}

static struct volume_entry *
volumes_find_key(struct volumes *v, const char *key)
{
	for (size_t i = 0; i < v->entries.n; i++) {
		if (strcmp(v->entries.v[i].key, key) == 0)
			return &v->entries.v[i];
	}
	return NULL;
}

static struct volume_entry *
volumes_find_id(struct volumes *v, int64_t id)
{
	for (size_t i = 0; i < v->entries.n; i++) {
		if (v->entries.v[i].id == id)
			return &v->entries.v[i];
	}
	return NULL;
}

/* Note the present device of a volume. */
static void
volumes_see(struct volume_entry *e, uint64_t dev, const struct volume_facts *facts)
{
	e->dev = dev;
	e->seen = true;
	e->facts = *facts;
}

void
volumes_recognize(struct volumes *v, int64_t number, const char *path, int64_t inode)
{
	struct volume_entry *e = volumes_find_id(v, number);
	struct volume_facts facts;
	uint64_t dev;

	if (e != NULL && !e->seen && volume_is_at(path, inode, e->key, &dev, &facts) && volumes_find_dev(v, dev) == NULL)
		volumes_see(e, dev, &facts);
}

bool
volumes_differ(struct volumes *v, int64_t a, int64_t b)
{
	const struct volume_entry *x, *y;
	bool differ;

	pthread_mutex_lock(&v->lock);
	x = volumes_find_id(v, a);
	y = volumes_find_id(v, b);
	differ = x != NULL && y != NULL && volume_keys_differ(x->key, y->key);
	pthread_mutex_unlock(&v->lock);
	return differ;
}

bool
volumes_mirrors(struct volumes *v, int64_t number)
{
	const struct volume_entry *e;
	bool mirrors;

	pthread_mutex_lock(&v->lock);
	e = volumes_find_id(v, number);
	mirrors = e != NULL && volume_key_mirrors(e->key);
	pthread_mutex_unlock(&v->lock);
	return mirrors;
}

static struct volume_entry *
volumes_add(struct volumes *v, int fd, uint64_t dev)
{
	struct volume_facts facts;
	struct volume_entry *e;
	struct buf key = { 0 };
	size_t len;

	if (volume_describe(fd, dev, &facts, &key) < 0)
		return NULL;
	len = key.len;
	for (int n = 2; (e = volumes_find_key(v, buf_str(&key))) != NULL && e->seen; n++) {
		buf_cut(&key, len);
		buf_addf(&key, "#%d", n);
	}
	if (e == NULL) {
		e = vec_add(&v->entries);
		memset(e, 0, sizeof(*e));
		e->id = v->next++;
		e->key = buf_take(&key);
	}
	volumes_see(e, dev, &facts);
	buf_release(&key);
	return e;
}

int64_t
volumes_number(struct volumes *v, int fd, uint64_t dev, struct volume_facts *facts)
{
	struct volume_entry *e;
	int64_t id;

	pthread_mutex_lock(&v->lock);
	e = volumes_find_dev(v, dev);
	if (e == NULL)
		e = volumes_add(v, fd, dev);
	id = e != NULL ? e->id : -1;
	if (e != NULL && facts != NULL)
		*facts = e->facts;
	pthread_mutex_unlock(&v->lock);
	return id;
}

int64_t
volumes_known(struct volumes *v, uint64_t dev)
{
	const struct volume_entry *e;
	int64_t id;

	pthread_mutex_lock(&v->lock);
	e = volumes_find_dev(v, dev);
	id = e != NULL ? e->id : 0;
	pthread_mutex_unlock(&v->lock);
	return id;
}

int
volumes_save(struct volumes *v, struct db *db, struct err *err)
{
	int ret = 0;

	pthread_mutex_lock(&v->lock);
	for (size_t i = 0; ret == 0 && i < v->entries.n; i++) {
		struct volume_entry *e = &v->entries.v[i];
		struct stmt st;

		if (e->saved)
			continue;
		st = stmt_get(db, SQL_VOLUME_PUT, err);
		stmt_int(&st, ":id", e->id);
		stmt_text(&st, ":key", e->key, strlen(e->key));
		stmt_text(&st, ":type", e->facts.type, strlen(e->facts.type));
		ret = stmt_run(&st);
		e->saved = ret == 0;
	}
	pthread_mutex_unlock(&v->lock);
	return ret;
}

int
volumes_recognize_all(struct volumes *v, struct db *db, struct err *err)
{
	struct dirs_rows r = dirs_rows(db, SQL_VOLUME_PLACES, err);
	int ret;

	while ((ret = dirs_rows_next(&r)) == 1)
		volumes_recognize(v, stmt_col_int(&r.st, 1), buf_str(&r.path), stmt_col_int(&r.st, 2));
	return ret;
}

/* The volume with this key that has no device yet, or NULL. */
static struct volume_entry *
volumes_find_unseen(struct volumes *v, const char *key)
{
	for (size_t i = 0; i < v->entries.n; i++) {
		if (!v->entries.v[i].seen && volume_key_fits(v->entries.v[i].key, key))
			return &v->entries.v[i];
	}
	return NULL;
}

/*
 * Whether mounts must be opened to identify volumes: a volume is not found yet, or its device
 * number may differ from its mount's (btrfs).
 */
static bool
volumes_lack_mounts(const struct volumes *v)
{
	for (size_t i = 0; i < v->entries.n; i++) {
		const struct volume_entry *e = &v->entries.v[i];

		if (!e->seen || (e->point == NULL && !volume_has_disk(e->dev)))
			return true;
	}
	return false;
}

/*
 * Find the volume that is mounted at path, or NULL.  A remote mount is identified by its device
 * alone, because its server may not answer.
 */
static struct volume_entry *
volumes_at(struct volumes *v, const struct mounted *m, const char *path)
{
	struct volume_entry *e = volumes_find_dev(v, m->dev);
	struct volume_facts facts;
	struct buf key = { 0 };
	struct fs_stat st;
	int fd;

	if (e != NULL || m->remote || !volumes_lack_mounts(v))
		return e;
	fd = fs_open_dir(AT_FDCWD, path);
	if (fd >= 0 && fs_stat_fd(fd, &st) == 0) {
		e = volumes_find_dev(v, st.dev);
		if (e == NULL && volume_describe(fd, st.dev, &facts, &key) == 0) {
			e = volumes_find_unseen(v, buf_str(&key));
			if (e != NULL)
				volumes_see(e, st.dev, &facts);
		}
	}
	if (fd >= 0)
		close(fd);
	buf_release(&key);
	return e;
}

/* mounted_fn: note where a volume is mounted; the first place that shows all of it. */
static bool
volumes_note_mount(void *arg, const struct mounted *m)
{
	const bool whole = strcmp(m->root, "/") == 0;
	struct buf path = { 0 };
	struct volume_entry *e;

	mounted_name(&path, m->point);
	e = volumes_at(arg, m, buf_str(&path));
	if (e != NULL && (e->point == NULL || (whole && !e->whole))) {
		free(e->point);
		e->point = buf_take(&path);
		e->whole = whole;
		e->memory = volume_mount_in_memory(m);
	}
	buf_release(&path);
	return false;
}

void
volumes_look(struct volumes *v)
{
	(void)mounted_each(volumes_note_mount, v);
}

bool
volumes_where(struct volumes *v, int64_t number, const char **point)
{
	const struct volume_entry *e = volumes_find_id(v, number);

	*point = e != NULL ? e->point : NULL;
	return e != NULL && e->seen;
}

/* Write on which disk an image lies, and whether it lies in memory; keep what can't be found. */
static int
volumes_note_ground(const struct volume_entry *e, struct db *db, struct err *err)
{
	struct buf ground = { 0 };
	int is = volume_ground(e->dev, &ground), ret = 0;

	/* Other volumes in memory have a ground of their own. */
	if (is == 0 && e->memory) {
		buf_addf(&ground, "ramfs:%s", e->key);
		is = 1;
	}
	if (is == 1 ? e->ground == NULL || strcmp(e->ground, buf_str(&ground)) != 0 : is == 0 && e->ground != NULL) {
		struct stmt st = stmt_get(db, is == 1 ? SQL_VOLUME_GROUND_PUT : SQL_VOLUME_GROUND_DELETE, err);

		stmt_int(&st, ":id", e->id);
		if (is == 1)
			stmt_text(&st, ":ground", buf_str(&ground), ground.len);
		ret = stmt_run(&st);
	}
	buf_release(&ground);
	return ret;
}

/* Write the facts of one mounted volume. */
static int
volumes_note_one(const struct volume_entry *e, struct db *db, struct err *err)
{
	const int fd = e->point != NULL ? fs_open_dir(AT_FDCWD, e->point) : -1;
	struct stmt st = stmt_get(db, SQL_VOLUME_SEEN, err);
	struct buf label = { 0 }, shown = { 0 }, place = { 0 };
	int64_t capacity, available;
	int ret;

	stmt_int(&st, ":id", e->id);
	stmt_int(&st, ":seen", (int64_t)time(NULL));
	if (e->point != NULL) {
		name_show(&place, e->point, strlen(e->point));
		stmt_text(&st, ":place", buf_str(&place), place.len);
	}
	if (fd >= 0) {
		volume_label(fd, e->dev, &label);
		name_show(&shown, buf_str(&label), label.len);
		stmt_text(&st, ":label", buf_str(&shown), shown.len);
		if (volume_room(fd, &capacity, &available) == 0) {
			stmt_int(&st, ":capacity", capacity);
			stmt_int(&st, ":free", available);
		}
		close(fd);
	}
	ret = stmt_run(&st);
	buf_release(&label);
	buf_release(&shown);
	buf_release(&place);
	return ret;
}

int
volumes_note(struct volumes *v, struct db *db, struct err *err)
{
	int ret = 0;

	volumes_look(v);
	for (size_t i = 0; ret == 0 && i < v->entries.n; i++) {
		const struct volume_entry *e = &v->entries.v[i];

		if (e->seen && e->saved && (volumes_note_one(e, db, err) < 0 || volumes_note_ground(e, db, err) < 0))
			ret = -1;
	}
	return ret;
}

int
volumes_note_all(struct db *db, struct err *err)
{
	struct volumes *volumes = NULL;
	int ret = volumes_load(&volumes, db, err);

	if (ret == 0)
		ret = volumes_recognize_all(volumes, db, err);
	if (ret == 0)
		ret = volumes_note(volumes, db, err);
	volumes_free(volumes);
	return ret;
}

int
volumes_of_file(struct db *db, const char *path, uint64_t dev, int64_t *number, bool *view, struct err *err)
{
	struct volumes *volumes = NULL;
	const struct volume_entry *e;
	int fd, ret = -1;

	if (volumes_load(&volumes, db, err) == 0 && volumes_recognize_all(volumes, db, err) == 0) {
		fd = fs_open_file(AT_FDCWD, path);
		if (fd >= 0) {
			*number = volumes_number(volumes, fd, dev, NULL);
			e = volumes_find_id(volumes, *number);
			*view = e != NULL && volume_key_is_view(e->key);
			close(fd);
		}
		ret = 0;
	}
	volumes_free(volumes);
	return ret;
}

bool
volumes_nth(const struct volumes *v, size_t i, struct volume_now *now)
{
	const struct volume_entry *e;

	if (i >= v->entries.n)
		return false;
	e = &v->entries.v[i];
	*now = (struct volume_now){
		.number = e->id, .key = e->key, .type = e->facts.type, .here = e->seen, .met_first = !e->known,
		.memory = volume_key_in_memory(e->ground != NULL ? e->ground : e->key), .dev = e->dev,
	};
	return true;
}

size_t
volumes_disk(const struct volumes *v, size_t i)
{
	size_t first = 0;

	while (first < i && !volume_keys_share_disk(v->entries.v[first].key, v->entries.v[i].key))
		first++;
	return first;
}

/* Whether two keys are of one disk, or of the same image. */
static bool
volumes_keys_are_one(const char *a, const char *b)
{
	const size_t len = volume_key_identity(a);

	return volume_keys_share_disk(a, b) || (volume_key_identity(b) == len && memcmp(a, b, len) == 0);
}

/* Whether two volumes are lost with one disk. */
static bool
volumes_are_one(const struct volume_entry *a, const struct volume_entry *b)
{
	return volumes_keys_are_one(a->key, b->key) ||
	       volumes_keys_are_one(a->ground != NULL ? a->ground : a->key, b->ground != NULL ? b->ground : b->key);
}

size_t *
volumes_grounds(const struct volumes *v)
{
	size_t *first = mem_zalloc(v->entries.n + 1, sizeof(*first));

	for (size_t i = 0; i < v->entries.n; i++) {
		first[i] = i;
		for (size_t j = 0; j < i; j++) {
			const size_t a = first[i] < first[j] ? first[i] : first[j], b = first[i] + first[j] - a;

			if (a == b || !volumes_are_one(&v->entries.v[i], &v->entries.v[j]))
				continue;
			for (size_t k = 0; k <= i; k++)
				first[k] = first[k] == b ? a : first[k];
		}
	}
	return first;
}
