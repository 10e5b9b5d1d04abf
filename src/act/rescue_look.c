/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/rescue_look.h"

#include <unistd.h>

#include "act/locked_dir.h"
#include "act/locked_file.h"
#include "act/rescue_target.h"
#include "act/verdict.h"
#include "index/index.h"
#include "index/own_files.h"
#include "sys/content.h"
#include "sys/stop.h"
#include "sys/volume.h"

/* What a file takes of a disk beside its bytes. */
enum { RESCUE_LOOK_BLOCK = 4096 };

/* Room on the disk of `to`. */
struct rescue_look_room {
	uint64_t dev;
	bool shares;             /* copies of files of dev share their blocks, and take no room */
	int64_t available;       /* bytes; INT64_MAX where nobody knows */
};

/* Ask for the room on the disk of `to`, or of the directory that it is to be made in. */
static struct rescue_look_room
rescue_look_ask(const struct rescue *r)
{
	struct rescue_look_room room = { .available = INT64_MAX };
	char *above = mem_dup(r->to, path_parent_len(r->to));
	int fd = fs_open_dir_below(r->to, 1);
	struct buf disk = { 0 };
	struct fs_stat st;
	int64_t capacity;

	if (fd < 0)
		fd = fs_open_dir_below(above, 1);
	free(above);
	if (fd < 0)
		return room;
	if (fs_stat_fd(fd, &st) == 0) {
		room.dev = st.dev;
		room.shares = volume_shares_blocks(fd, st.dev, &disk);
	}
	if (volume_room(fd, &capacity, &room.available) < 0)
		room.available = INT64_MAX;
	buf_release(&disk);
	close(fd);
	return room;
}

/* A look at all files. */
struct rescue_look {
	const struct rescue *r;
	bool compare;
	struct rescue_sums *sums;
	struct rescue_look_room room;
	struct locked_file_dirs dirs;
	struct content_reader reader;
	struct own_files own;
	uint64_t inode;          /* of the last file */
	int64_t need;            /* bytes that copies take */
};

/* One file, whose copy would have the path to. */
static void
rescue_look_one(struct rescue_look *l, const struct rescue_file *f, const char *to)
{
	struct verdict v = { .outcome = ACT_PENDING };
	struct locked_file held;
	struct rescue_told told = { .file = f, .to = to, .outcome = RESCUE_FAILED, .size = -1 };

	if (locked_file_open(&held, f->path, &l->dirs, &v) == 0) {
		told.outcome = rescue_target_judge(&l->own, &held, to, l->compare, &l->reader, &v);
		told.size = held.st.size;
		/* Names of one inode mostly come one after another. */
		if (told.outcome == RESCUE_PLANNED && (held.st.nlink == 1 || held.st.inode != l->inode) &&
		    !(l->room.shares && held.st.dev == l->room.dev)) {
			const int64_t allocated = num_mul(held.st.blocks, 512);

			l->need = num_add(l->need, num_add(allocated < held.st.size ? allocated : held.st.size, RESCUE_LOOK_BLOCK));
		}
		l->inode = held.st.inode;
		locked_file_close(&held);
	}
	told.why = v.why.len > 0 ? buf_str(&v.why) : NULL;
	rescue_tell(l->r, l->sums, &told);
	verdict_release(&v);
}

int
rescue_look(const struct rescue *r, const char *away, bool compare, struct rescue_sums *sums, struct err *err)
{
	struct rescue_look l = { .r = r, .compare = compare, .sums = sums, .room = rescue_look_ask(r) };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret = 0;

	*sums = (struct rescue_sums){ .rows = 0 };
	own_files_find(&l.own, r->ix->path);
	content_reader_init(&l.reader, r->ix->secret, (struct fs_time){ 0, 0 });
	for (size_t i = 0; ret == 0 && i < r->n; i++) {
		char *to = rescue_target_path(r, &r->files[i]);

		r->tick(r->arg, (int64_t)i, sums->bytes[RESCUE_THERE]);
		if (path_is_below(to, away))
			ret = err_set(err, ERR_USAGE, "'%s' would be copied to '%s', and go with '%s'", r->files[i].path, to, away);
		else {
			rescue_look_one(&l, &r->files[i], to);
			ret = stop_check(err);
		}
		free(to);
	}
	if (ret == 0 && l.need > l.room.available) {
		ret = err_set(err, ERR_SYS, "'%s' has no room: the files need %s, and %s are free there; nothing is copied", r->to,
		              num_show_size(l.need, NUM_IEC, x), num_show_size(l.room.available, NUM_IEC, y));
		err->sys = ENOSPC;
	}
	content_reader_release(&l.reader);
	locked_file_dirs_release(&l.dirs);
	return ret;
}
