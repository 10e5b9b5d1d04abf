/* SPDX-License-Identifier: MIT */
/*
 * Other bytes under an unchanged signature are corruption only where nothing else explains them:
 * the row is not racy, nobody has the file open for writing, and its times are still the same
 * after it was read.
 */
#include "base/base.h"

#include "scan/validate_verdict.h"

#include <unistd.h>

#include "index/file.h"
#include "index/presence.h"
#include "scan/hash_plan.h"
#include "sys/fs.h"
#include "sys/lease.h"

static const char *const validate_verdict_names[VALIDATE_VERDICTS] = {
	[VALIDATE_UNREAD] = "unread",
	[VALIDATE_FINE] = "fine",
	[VALIDATE_CHANGED] = "changed",
	[VALIDATE_GONE] = "gone",
	[VALIDATE_OFFLINE] = "offline",
	[VALIDATE_UNREADABLE] = "unreadable",
	[VALIDATE_CORRUPT] = "corrupt",
};

const char *
validate_verdict_name(enum validate_verdict verdict)
{
	assert((unsigned)verdict < VALIDATE_VERDICTS);
	return validate_verdict_names[verdict];
}

/* What other bytes under the signature of their row mean.  *why is set unless they are corrupt. */
static enum validate_verdict
validate_verdict_suspect(struct presence_view *view, const struct file_row *row, const char *path, const char **why)
{
	const struct root *root = roots_of_file(&view->roots, path);
	enum validate_verdict verdict = VALIDATE_CHANGED;
	struct fs_stat st;
	int fd;

	if (row->racy) {
		*why = "the index read it right after a change: it may have changed once more at that time";
		return VALIDATE_CHANGED;
	}
	fd = fs_open_file_below(path, root != NULL ? strlen(root->path) : 1);
	/* The lease first: who had it open for writing until then has left other times. */
	if (fd >= 0 && lease_take(fd) == LEASE_LOST)
		*why = "it is open for writing";
	else if (fd < 0 || fs_stat_fd(fd, &st) < 0 || !presence_same(view, row, path, &st))
		*why = "it changed while it was read";
	else
		verdict = VALIDATE_CORRUPT;
	if (fd >= 0)
		close(fd);
	return verdict;
}

int
validate_verdict_of(struct presence_view *view, const struct file_row *row, const struct hash_plan_result *res, bool *same_bytes,
                    struct validate_told *told, struct err *err)
{
	const struct content_result *c = &res->content;
	enum presence presence;

	*same_bytes = c->error == 0 && c->has_hash && memcmp(c->hash, row->hash, HASH_SIZE) == 0;
	told->verdict = VALIDATE_CHANGED;
	if (c->error == CONTENT_CHANGING) {
		told->why = file_error_text(FILE_CHANGING);
		return 0;
	}
	if (presence_stat(view, row, told->path, c->error > 0 ? c->error : 0, c->error == CONTENT_NO_FILE ? NULL : &res->st,
	                  &presence, err) < 0)
		return -1;
	switch (presence) {
	case PRESENCE_HERE:
		assert(c->has_hash);
		told->verdict = *same_bytes ? VALIDATE_FINE : validate_verdict_suspect(view, row, told->path, &told->why);
		break;
	case PRESENCE_CHANGED:
		told->why = *same_bytes ? "its times alone: the bytes are those that the index knows" : "the next scan reads it";
		break;
	case PRESENCE_OFFLINE:
		told->verdict = VALIDATE_OFFLINE;
		told->why = "its root or volume is not there";
		break;
	case PRESENCE_UNREADABLE:
		told->verdict = VALIDATE_UNREADABLE;
		told->why = strerror(view->error);
		break;
	default:
		told->verdict = VALIDATE_GONE;
	}
	return 0;
}

bool
validate_verdict_is_of_inode(enum validate_verdict verdict, const struct file_row *row, const struct hash_plan_result *res)
{
	const int error = res->content.error;

	switch (verdict) {
	case VALIDATE_GONE:
	case VALIDATE_OFFLINE:
		return false;
	case VALIDATE_CHANGED:
		return error == CONTENT_CHANGING || (error == 0 && res->st.inode == (uint64_t)row->inode.number);
	case VALIDATE_UNREADABLE:
		return error != EACCES && error != EPERM && error != ELOOP;
	default:
		return true;
	}
}

int
validate_verdict_error(const struct presence_view *view, enum validate_verdict verdict, bool same_bytes)
{
	if (same_bytes)
		return 0;
	return verdict == VALIDATE_UNREADABLE && view->error > 0 ? view->error : FILE_CHANGING;
}
