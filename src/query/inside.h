/* SPDX-License-Identifier: MIT */
/* inside - what an archive holds: each member beside the files of the index, and the reverse. */
#ifndef QUERY_INSIDE_H
#define QUERY_INSIDE_H

#include "index/archives.h"
#include "index/file.h"
#include "query/list.h"

struct index;

/** An archive whose members the index has, and that is as it was when they were read. */
struct inside {
	char *path;               /* owned; absolute */
	struct file_row row;      /* its name is the end of path */
	struct archives_row a;
};

/**
 * Find the members of the archive at an absolute path, after a look at it.  Returns 1 with *in, to
 * be released; 0 when it is no archive, was not opened, or is not as the index has it; or -1.
 */
int inside_find(struct index *ix, const char *path, struct inside *in, struct err *err);
void inside_release(struct inside *in);

/**
 * Deliver the members in the order of the archive, each with its state among the files of the
 * index, which q chooses from: dup where one has its content, unique where none can have, unknown
 * with the reason where that is not known.  Their paths are "ARCHIVE!/NAME", their archive is set.
 *
 * Behind a member that is an archive come its own members, where they are known, with within set:
 * of one that is a dup only with all, for its copy has them.  Where not all of them are known,
 * one that inside_is_rest() stands for these.
 *
 * What is not judged is counted in *gaps and told to gap.  Returns 0, what fn returned, or -1.
 */
int inside_each(struct index *ix, const struct inside *in, const struct state_query *q, bool all, list_gap_fn *gap, void *gap_arg,
                list_fn *fn, void *arg, struct gaps *gaps, struct err *err);
/** Whether an answer stands for those members of a member that are not known. */
bool inside_is_rest(const struct file_answer *f);

/** Whether an archive has the content of a file. */
enum inside_has { INSIDE_LACKS, INSIDE_HAS, INSIDE_UNSURE };
/**
 * Tell it, of a file of this size above 0; hash is NULL if the file was not read whole.  why is the
 * reason of INSIDE_UNSURE.  Returns 0 or -1.
 */
int inside_has(struct index *ix, const struct inside *in, int64_t size, const uint8_t *hash, enum inside_has *has, const char **why,
               struct err *err);

/** The members that have the content of files.  Zero it but for ix; inside_like_release() it. */
struct inside_like {
	struct index *ix;
	/* private */
	bool open;
	struct presence_view view;
	struct arena paths;
	VEC(struct archive_place) places;
};
/**
 * Set in *a the members that have its content, in archives that are there and unchanged, until the
 * next call.  Returns 0 or -1.
 */
int inside_like(struct inside_like *l, struct file_answer *a, struct err *err);
void inside_like_release(struct inside_like *l);

#endif
