/* SPDX-License-Identifier: MIT */
/* twindex volumes - the file systems of the index: where they are, what each alone holds. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_records.h"
#include "index/dirs.h"
#include "index/index.h"
#include "query/volume_list.h"

/* A listing on its way. */
struct cmd_volumes {
	const struct cmd_call *c;
	struct out *out;
	int64_t n;
};

/* volume_list_fn: print one. */
static int
cmd_volumes_print(void *arg, const struct volume_answer *a)
{
	struct cmd_volumes *v = arg;

	v->n++;
	return out_volume(v->out, a);
}

/* dirs_unread_fn */
static void
cmd_volumes_unread(void *arg, const char *path)
{
	struct cmd_volumes *v = arg;

	if (path_is_below_any(path, (const char *const *)v->c->offline.v, v->c->offline.n))
		return;
	cmd_count_gap(v->c->verdict, path, GAP_UNREADABLE, true, "it could not be read: what its disk alone holds in it is not known");
}

static int
cmd_volumes_run(const struct cmd_call *c, struct err *err)
{
	const struct out_style style = cmd_style(c, OUT_VOLUMES);
	struct cmd_volumes v = { .c = c };
	int ret;

	if (c->listing->exclude.n > 0)
		return err_set(err, ERR_USAGE, "volumes takes no --exclude-path: it is about all that a disk holds");
	v.out = out_open(c->out, &style);
	ret = volume_list_each(c->ix, c->listing->online, cmd_volumes_print, &v, err);
	ret = out_close(v.out, ret, err);
	if (ret == 0 && v.n > 0 && c->tty && style.format == OUT_TEXT)
		cmd_notice(c, "as of the last scan: 'uniques -x DIR DIR' judges what would be lost now");
	if (ret == 0 && v.n == 0 && style.format == OUT_TEXT)
		cmd_notice(c, "the index has no files");
	return ret < 0 ? -1 : dirs_unread(c->ix->db, cmd_volumes_unread, &v, err);
}

const struct cmd cmd_volumes = {
	.name = "volumes",
	.operands = "",
	.summary = "list the disks of the index, and what exists only on each",
	.help = "It answers which disks the index knows, and what would be lost with one of them; 'safe DIR'\n"
	        "answers the same of a directory.  Shows each disk with its label, type, capacity and free\n"
	        "bytes, and where it is mounted.  As of the last scan: its files and their bytes (hard links\n"
	        "count once), and what exists only there: the files whose content is on no other disk, and\n"
	        "the bytes of these contents, each counted once.  An image in a file is on the disk of that\n"
	        "file.  A file that could not be read counts as existing only there; a directory that could\n"
	        "not be read makes the exit status 3.",
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_NO_PATHS,
	.run = cmd_volumes_run,
};
