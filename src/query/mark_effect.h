/* SPDX-License-Identifier: MIT */
/* mark_effect - whether a decision counts: the file has its content, what is dropped survives. */
#ifndef QUERY_MARK_EFFECT_H
#define QUERY_MARK_EFFECT_H

#include "index/mark.h"
#include "query/alias_volumes.h"
#include "sys/fs.h"

struct file_row;
struct keep;
struct presence_view;

/** Why a mark to drop is not in effect. */
extern const char mark_effect_none[];

/** Contents that are remembered: files of one content mostly come one after another. */
#define MARK_EFFECT_CONTENTS 64

/**
 * What a query has found out so far; zero it, mark_effect_release() it.  No marks may be written
 * while it is in use.
 */
struct mark_effect {
	const struct keep *keep;     /* what counts, what may go; NULL: as without options */
	struct mark_effect_content {
		int64_t size;
		uint8_t hash[HASH_SIZE];
		unsigned fleeting;       /* of the file that is dropped */
		int64_t view;            /* the volume that it lies on, if that is a view, else 0 */
		bool known, survives;
		bool spared;             /* it has copies in backups, which do not count */
	} contents[MARK_EFFECT_CONTENTS];
	struct alias_volumes views;
	bool viewed;                 /* they are loaded */
};

void mark_effect_release(struct mark_effect *e);

/**
 * Whether the file at path may go, and the content of its row, which has a hash, survives: by
 * another name that is there with its signature, is not marked to be dropped, counts as
 * keep_place() has it, may be relied on for this file (index/fleeting), and is not perhaps the same
 * file (query/alias_volumes).  Returns 1, 0 with the reason in *why, which may be NULL, or -1.
 */
int mark_effect_survives(struct mark_effect *e, struct presence_view *check, const char *path, const struct file_row *row,
                         const char **why, struct err *err);

/**
 * Find the decision about the file at path, which is there with this content
 * (hash may be NULL): *mark is MARK_NONE without one, or where it has no effect.
 * What check has last given is no longer valid.  Returns 0 or -1.
 */
int mark_effect_of(struct mark_effect *e, struct presence_view *check, const char *path, int64_t size, struct fs_time mtime,
              const uint8_t *hash, enum mark_decision *mark, struct err *err);

#endif
