/* SPDX-License-Identifier: MIT */
/* drawer - what people call the disks of the index, and where they keep them. */
#ifndef INDEX_DRAWER_H
#define INDEX_DRAWER_H

struct db;

/** The longest name, place or note, in bytes. */
enum { DRAWER_NAME_MOST = 80, DRAWER_NOTE_MOST = 400 };

/** What is said of files whose disk is not there. */
enum drawer_phrase {
	DRAWER_OFFLINE,        /* "offline" */
	DRAWER_AS_OF,          /* "offline: as of the last scan" */
	DRAWER_COPY,           /* "another copy is offline" */
	DRAWER_PHRASES
};

/** What is known of one volume.  All texts are UTF-8 without control characters, or NULL. */
struct drawer_disk {
	int64_t volume;
	int64_t named;             /* the volume of the same disk at which it is kept */
	const char *name, *place, *note;
	const char *words;         /* name and place: "blue disk, shelf 2"; or NULL */
	const char *says[DRAWER_PHRASES]; /* with its words; NULL without any */
};

/** Disks with a name, a place or a note.  Zero it, drawer_load() it, drawer_release() it. */
struct drawer {
	VEC(struct drawer_disk) disks;   /* by their volumes; each subvolume for itself */
	struct arena memory;
	bool made;                       /* the table is there */
};

/** Read them anew.  Sets nothing where the table is missing: made says so.  Returns 0 or -1. */
int drawer_load(struct drawer *d, struct db *db, struct err *err);
void drawer_release(struct drawer *d);

/** What is known of a volume, or NULL. */
const struct drawer_disk *drawer_find(const struct drawer *d, int64_t volume);
/** Its words, or NULL: neither a name nor a place. */
const char *drawer_words(const struct drawer *d, int64_t volume);
/** A phrase with the words of a volume, if it has any: "offline: blue disk, shelf 2". */
const char *drawer_say(const struct drawer *d, int64_t volume, enum drawer_phrase phrase);
/** The volume of a directory of the index, or 0.  Returns 0 or -1. */
int drawer_volume_of_dir(struct db *db, int64_t dir, int64_t *volume, struct err *err);
/** The words for that, in *words, or NULL.  Returns 0 or -1. */
int drawer_words_of_dir(const struct drawer *d, struct db *db, int64_t dir, const char **words, struct err *err);

/**
 * Set name, place and note of a volume's disk: NULL keeps what there is, "" drops it.  Makes the
 * table; begins and ends a transaction.  Returns 0, or -1: ERR_USAGE when a text can't be one, or
 * another disk has that name.
 */
int drawer_put(struct drawer *d, struct db *db, int64_t volume, const char *name, const char *place, const char *note, struct err *err);

#endif
