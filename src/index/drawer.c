/* SPDX-License-Identifier: MIT */
/*
 * A row belongs to one volume.  Subvolumes of one btrfs are one disk to people: each of them has
 * what one of them has.  The table is small and read as a whole when an index is opened.
 */
#include "base/base.h"

#include "index/drawer.h"

#include <time.h>

#include "db/db.h"
#include "db/stmt.h"
#include "sys/volume.h"

/* A volume while the table is read. */
struct drawer_volume {
	int64_t id;
	char *key;               /* owned */
	bool has;                /* a row of its own, at this position in disks */
	size_t at;
};

static const char *
drawer_text(struct drawer *d, const struct stmt *st, int col)
{
	size_t len;
	const char *text = stmt_col_text(st, col, &len);

	return len > 0 ? arena_dup(&d->memory, text, len) : NULL;
}

/* What is said of a disk, without its words, and around them. */
static const struct { const char *plain, *before, *behind; } drawer_phrases[DRAWER_PHRASES] = {
	[DRAWER_OFFLINE] = { "offline", "offline: ", "" },
	[DRAWER_AS_OF] = { "offline: as of the last scan", "offline: ", "; as of the last scan" },
	[DRAWER_COPY] = { "another copy is offline", "another copy is offline: ", "" },
};

/* Make the words of a disk, and the phrases with them. */
static void
drawer_put_words(struct drawer *d, struct drawer_disk *disk)
{
	struct buf b = { 0 };

	if (disk->name == NULL || disk->place == NULL)
		disk->words = disk->name != NULL ? disk->name : disk->place;
	else {
		buf_addf(&b, "%s, %s", disk->name, disk->place);
		disk->words = arena_str(&d->memory, buf_str(&b));
	}
	for (int i = 0; i < DRAWER_PHRASES && disk->words != NULL; i++) {
		buf_cut(&b, 0);
		buf_addf(&b, "%s%s%s", drawer_phrases[i].before, disk->words, drawer_phrases[i].behind);
		disk->says[i] = arena_str(&d->memory, buf_str(&b));
	}
	buf_release(&b);
}

/* Give volumes without a row what another one of their disk has. */
static void
drawer_share(struct drawer *d, const struct drawer_volume *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n && !v[i].has; j++) {
			if (v[j].has && volume_keys_share_disk(v[i].key, v[j].key)) {
				struct drawer_disk disk = d->disks.v[v[j].at];

				disk.volume = v[i].id;
				vec_push(&d->disks, disk);
				break;
			}
		}
	}
}

static int
drawer_cmp(const void *a, const void *b)
{
	const struct drawer_disk *x = a, *y = b;

	return (x->volume > y->volume) - (x->volume < y->volume);
}

int
drawer_load(struct drawer *d, struct db *db, struct err *err)
{
	VEC(struct drawer_volume) all = { 0 };
	struct stmt st;
	size_t len;
	int ret;

	d->disks.n = 0;
	arena_clear(&d->memory);
	if (!d->made)
		return 0;
	st = stmt_get(db, SQL_DRAWER_ALL, err);
	while ((ret = stmt_step(&st)) == 1) {
		struct drawer_volume v = { .id = stmt_col_int(&st, 0), .has = stmt_col_int(&st, 2) != 0, .at = d->disks.n };
		const char *key = stmt_col_text(&st, 1, &len);

		v.key = mem_dup(key, len);
		vec_push(&all, v);
		if (v.has) {
			struct drawer_disk disk = { .volume = v.id, .named = v.id, .name = drawer_text(d, &st, 3), .place = drawer_text(d, &st, 4),
			                            .note = drawer_text(d, &st, 5) };

			drawer_put_words(d, &disk);
			vec_push(&d->disks, disk);
		}
	}
	if (ret == 0) {
		drawer_share(d, all.v, all.n);
		if (d->disks.n > 1)
			qsort(d->disks.v, d->disks.n, sizeof(*d->disks.v), drawer_cmp);
	}
	for (size_t i = 0; i < all.n; i++)
		free(all.v[i].key);
	vec_release(&all);
	return ret;
}

void
drawer_release(struct drawer *d)
{
	vec_release(&d->disks);
	arena_release(&d->memory);
}

const struct drawer_disk *
drawer_find(const struct drawer *d, int64_t volume)
{
	size_t at;

	ORDER_FIRST(at, d->disks.n, d->disks.v[at].volume < volume);
	return at < d->disks.n && d->disks.v[at].volume == volume ? &d->disks.v[at] : NULL;
}

const char *
drawer_words(const struct drawer *d, int64_t volume)
{
	const struct drawer_disk *disk = drawer_find(d, volume);

	return disk != NULL ? disk->words : NULL;
}

const char *
drawer_say(const struct drawer *d, int64_t volume, enum drawer_phrase phrase)
{
	const struct drawer_disk *disk = drawer_find(d, volume);

	return disk != NULL && disk->words != NULL ? disk->says[phrase] : drawer_phrases[phrase].plain;
}

int
drawer_volume_of_dir(struct db *db, int64_t dir, int64_t *volume, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_VOLUME, err);
	int ret;

	stmt_int(&st, ":dir", dir);
	ret = stmt_step(&st);
	*volume = ret == 1 ? stmt_col_int(&st, 0) : 0;
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

int
drawer_words_of_dir(const struct drawer *d, struct db *db, int64_t dir, const char **words, struct err *err)
{
	int64_t volume;

	*words = NULL;
	if (d->disks.n == 0)
		return 0;
	if (drawer_volume_of_dir(db, dir, &volume, err) < 0)
		return -1;
	*words = drawer_words(d, volume);
	return 0;
}

/* Refuse what would be no line of text. */
static int
drawer_check(const char *what, const char *text, size_t most, struct err *err)
{
	const size_t len = text != NULL ? strlen(text) : 0;

	if (len > most)
		return err_set(err, ERR_USAGE, "the %s of a disk has at most %zu bytes, not %zu", what, most, len);
	if (len > 0 && (!name_is_utf8(text, len) || name_is_hostile(text, len)))
		return err_set(err, ERR_USAGE, "the %s of a disk is a line of UTF-8 text, without control characters", what);
	return 0;
}

/* Write the row of the volume.  Inside a transaction. */
static int
drawer_write(struct db *db, bool make, int64_t volume, const char *name, const char *place, const char *note, struct err *err)
{
	struct stmt st;

	if (make && (db_exec(db, SQL_SCHEMA_DRAWER, err) < 0 || db_exec(db, SQL_VIEWS_DRAWER, err) < 0))
		return -1;
	st = stmt_get(db, SQL_DRAWER_PUT, err);
	stmt_int(&st, ":volume", volume);
	if (name != NULL)
		stmt_text(&st, ":name", name, strlen(name));
	if (place != NULL)
		stmt_text(&st, ":place", place, strlen(place));
	if (note != NULL)
		stmt_text(&st, ":note", note, strlen(note));
	stmt_int(&st, ":changed", (int64_t)time(NULL));
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(db, SQL_DRAWER_DROP_EMPTY, err);
	stmt_int(&st, ":volume", volume);
	return stmt_run(&st);
}

int
drawer_put(struct drawer *d, struct db *db, int64_t volume, const char *name, const char *place, const char *note, struct err *err)
{
	const struct drawer_disk *had = drawer_find(d, volume);

	if (drawer_check("name", name, DRAWER_NAME_MOST, err) < 0 || drawer_check("place", place, DRAWER_NAME_MOST, err) < 0 ||
	    drawer_check("note", note, DRAWER_NOTE_MOST, err) < 0)
		return -1;
	for (size_t i = 0; name != NULL && *name != '\0' && i < d->disks.n; i++) {
		const struct drawer_disk *other = &d->disks.v[i];

		if (other->name != NULL && strcmp(other->name, name) == 0 && (had == NULL || other->named != had->named))
			return err_set(err, ERR_USAGE, "another disk has the name '%s'", name);
	}
	if (db_begin(db, err) < 0 ||
	    db_end(db, drawer_write(db, !d->made, had != NULL ? had->named : volume, name, place, note, err), err) < 0)
		return -1;
	d->made = true;
	return drawer_load(d, db, err);
}
