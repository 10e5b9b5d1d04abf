/* SPDX-License-Identifier: MIT */
/* mark_effect - whether a decision counts: the file has its content, what is dropped survives. */
#ifndef INDEX_MARK_EFFECT_H
#define INDEX_MARK_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include "index/mark.h"
#include "sys/fs.h"

struct presence_view;
struct err;

/** Whether a decision counts. */
enum mark_state {
	MARK_EFFECTIVE,   /* the file has the content that was marked; what is dropped survives */
	MARK_STALE,       /* the path has another content now, or is gone: why says so */
	MARK_OFFLINE,     /* the file can't be looked at now */
	MARK_LAST,        /* to be dropped, but no copy is left that is not */
	MARK_STATES
};

/** The word for such a state ("effective", "stale", ...). */
const char *mark_state_name(enum mark_state state);

/** Contents that are remembered: files of one content mostly come one after another. */
#define MARK_EFFECT_CONTENTS 64

/** What a query has found out so far; zero it.  No marks may be written while it is in use. */
struct mark_effect {
	struct mark_effect_content {
		int64_t size;
		uint8_t hash[HASH_SIZE];
		bool known, survives;
	} contents[MARK_EFFECT_CONTENTS];
};

/**
 * Whether a content is in the index by a name that is not marked to be dropped, lies in no trash,
 * and is there with its signature.  Returns 1, 0 or -1.
 */
int mark_effect_survives(struct mark_effect *e, struct presence_view *check, int64_t size, const uint8_t *hash, struct err *err);

/**
 * Find the decision about the file at path, which is there with this content
 * (hash may be NULL): *mark is MARK_NONE without one, or where it has no effect.
 * What check has last given is no longer valid.  Returns 0 or -1.
 */
int mark_effect_of(struct mark_effect *e, struct presence_view *check, const char *path, int64_t size, struct fs_time mtime,
              const uint8_t *hash, enum mark_decision *mark, struct err *err);

#endif
