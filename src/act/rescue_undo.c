/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/rescue_undo.h"

#include "act/acts_read.h"
#include "act/compare_bytes.h"
#include "act/locked_file.h"
#include "act/remove.h"
#include "act/verdict.h"
#include "sys/sync.h"

/* Decide that the copy stays because of its original, whose verdict is released.  Returns -1. */
static int
rescue_undo_stays(const struct acts_line *l, struct verdict *original, struct verdict *v)
{
	verdict_set(v, ACT_UNSURE, "it may be the only copy: the original '%s': %s", l->keeper, buf_str(&original->why));
	verdict_release(original);
	return -1;
}

/* Check that the copy has what was written.  Returns 0, or -1 with the verdict. */
static int
rescue_undo_check(const struct acts_line *l, const struct locked_file *copy, struct content_reader *reader, struct verdict *v)
{
	struct content_result content;
	struct fs_stat st = copy->st;

	content_read_open(reader, copy->fd, CONTENT_FULL, &st, &content);
	if (content.error != 0 || !content.has_hash)
		return verdict_set(v, ACT_UNSURE, "it cannot be read");
	return memcmp(content.hash, l->hash, HASH_SIZE) == 0 ? 0 : verdict_set(v, ACT_UNSURE, "its content has changed since");
}

/* Compare it with the open original.  Returns 0, or -1 with the verdict. */
static int
rescue_undo_compare(const struct acts_line *l, const struct locked_file *original, const struct locked_file *copy, struct verdict *v)
{
	struct verdict o = { .outcome = ACT_PENDING };
	struct compare_bytes_with with = { copy, v, -1 };
	uint8_t *memory = mem_alloc(COMPARE_MEMORY);
	_Atomic int64_t compared = 0;
	int ret, error;

	content_from_disk(original->fd);
	ret = original->st.size != copy->st.size ? verdict_set(&o, ACT_UNSURE, "it has another content") :
	      compare_bytes_files(original, &o, &with, 1, memory, &compared);
	free(memory);
	if (ret == 0 && with.differs >= 0) {
		verdict_release(v);
		verdict_set(&o, ACT_UNSURE, "it has another content");
	}
	/* What stays is on the disk before anything goes. */
	if (ret == 0 && o.outcome == ACT_PENDING && ((error = sync_file(original->fd)) != 0 || (error = sync_file(original->dir)) != 0))
		verdict_errno(&o, error, "it cannot be written to the disk");
	if (o.outcome != ACT_PENDING)
		return rescue_undo_stays(l, &o, v);
	if (ret < 0)
		verdict_set(v, ACT_UNSURE, "a signal came");
	return v->outcome == ACT_PENDING ? 0 : -1;
}

int
rescue_undo(const struct acts_line *l, struct content_reader *reader, struct fs_stat *left, struct verdict *v)
{
	struct locked_file original = LOCKED_FILE_NONE, copy = LOCKED_FILE_NONE;
	struct verdict o = { .outcome = ACT_PENDING };
	struct fs_stat st;
	int ret = -1;

	if (fs_stat_path(l->victim, &st) < 0 && fs_is_absent(errno))
		return 0;
	if (locked_file_open(&copy, l->victim, NULL, v) == 0 && rescue_undo_check(l, &copy, reader, v) == 0) {
		if (locked_file_open(&original, l->keeper, NULL, &o) < 0)
			rescue_undo_stays(l, &o, v);
		else if (rescue_undo_compare(l, &original, &copy, v) == 0 && remove_file(&original, &copy, v) == 0) {
			/* Where it cannot be asked, no other name is known. */
			if (fs_stat_fd(copy.fd, left) < 0)
				*left = (struct fs_stat){ .nlink = 0 };
			ret = 1;
		}
	}
	/* The file of an open index, for one. */
	if (v->outcome == ACT_STAYS)
		v->outcome = ACT_UNSURE;
	locked_file_close(&original);
	locked_file_close(&copy);
	return ret;
}
