/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/reread.h"

#include <fcntl.h>

#include "index/file.h"
#include "index/index.h"
#include "index/presence.h"

/* What was read of the inode of a row before, in the state that the row says; or NULL. */
static const struct reread_inode *
reread_find(const struct reread *r, const struct file_row *row)
{
	TABLE_EACH(i, &r->by_inode, inode_hash(row->inode)) {
		const struct reread_inode *d = &r->done.v[i];

		if (inode_same(d->inode, row->inode) && d->size == row->size && fs_time_cmp(d->mtime, row->mtime) == 0 &&
		    fs_time_cmp(d->ctime, row->ctime) == 0)
			return d;
	}
	return NULL;
}

int
reread_row(struct reread *r, const struct presence_view *view, const char *path, struct file_row *row)
{
	const struct reread_inode *known = reread_find(r, row);
	struct content_result res;
	struct reread_inode d;
	struct fs_stat st;

	if (view->ix->members)
		return 0;
	if (known == NULL) {
		if (!r->begun)
			content_reader_init(&r->reader, view->ix->secret, (struct fs_time){ 0, 0 });
		r->begun = true;
		content_read(&r->reader, AT_FDCWD, path, CONTENT_FULL, &st, &res);
		if (res.error == CONTENT_STOPPED)
			return 0;
		d = (struct reread_inode){ .inode = row->inode, .size = row->size, .mtime = row->mtime, .ctime = row->ctime,
		                           .read = res.error == 0 && presence_same(view, row, path, &st) };
		d.has_head = res.has_head;
		d.head = res.head;
		memcpy(d.hash, res.hash, HASH_SIZE);
		vec_push(&r->done, d);
		table_add(&r->by_inode, inode_hash(row->inode), r->done.n - 1);
		known = &r->done.v[r->done.n - 1];
	}
	if (known->read) {
		row->has_head = known->has_head;
		row->head = known->head;
		row->has_hash = true;
		memcpy(row->hash, known->hash, HASH_SIZE);
	}
	return known->read;
}

void
reread_release(struct reread *r)
{
	if (r->begun)
		content_reader_release(&r->reader);
	r->begun = false;
	vec_release(&r->done);
	table_release(&r->by_inode);
}
