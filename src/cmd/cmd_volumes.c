/* SPDX-License-Identifier: MIT */
/* twindex volumes - the file systems of the index: where they are, what each alone holds. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "index/dirs.h"
#include "index/index.h"
#include "query/answer.h"
#include "query/volume_list.h"
#include "query/volume_pick.h"
#include "ui/labels.h"

struct cmd_volumes_args {
	const char *name, *place, *note;
	bool labels;
};

static const struct opt cmd_volumes_opts[] = {
	OPT_STRING_(0, "name", struct cmd_volumes_args, name, "NAME", "call DISK so; '' drops the name"),
	OPT_STRING_(0, "place", struct cmd_volumes_args, place, "PLACE", "it is kept there, as in 'shelf 2'; '' drops that"),
	OPT_STRING_(0, "note", struct cmd_volumes_args, note, "TEXT", "more about it; '' drops that"),
	OPT_FLAG_(0, "labels", struct cmd_volumes_args, labels, "print an HTML page with a label for each disk"),
	OPT_END
};

/* A listing on its way. */
struct cmd_volumes {
	const struct cmd_call *c;
	struct out *out;
	int64_t n;
	int64_t only;            /* the volume to be shown; 0: all */
	struct buf sheet;        /* of labels */
	enum num_units units;
};

/* volume_list_fn: print one. */
static int
cmd_volumes_print(void *arg, const struct volume_answer *a)
{
	struct cmd_volumes *v = arg;

	if (v->only != 0 && a->volume != v->only)
		return 0;
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

/* volume_list_fn: add a label. */
static int
cmd_volumes_label(void *arg, const struct volume_answer *a)
{
	struct cmd_volumes *v = arg;

	v->n++;
	labels_add(&v->sheet, a, v->units);
	return 0;
}

/* Print the sheet. */
static int
cmd_volumes_labels(struct cmd_volumes *v, struct err *err)
{
	int ret;

	labels_begin(&v->sheet);
	ret = volume_list_each(v->c->ix, v->c->listing->online, cmd_volumes_label, v, err);
	labels_end(&v->sheet);
	if (ret == 0)
		fwrite(v->sheet.data, 1, v->sheet.len, v->c->out);
	buf_release(&v->sheet);
	return ret;
}

/* List the volumes, or one, of an index. */
static int
cmd_volumes_list(struct cmd_volumes *v, struct index *ix, struct err *err)
{
	const struct out_style style = cmd_style(v->c, OUT_VOLUMES);
	int ret;

	v->out = out_open(v->c->out, &style);
	ret = volume_list_each(ix, v->c->listing->online, cmd_volumes_print, v, err);
	return out_close(v->out, ret, err);
}

/* Name a disk, and show what is said of it then. */
static int
cmd_volumes_name(struct cmd_volumes *v, struct err *err)
{
	const struct cmd_volumes_args *a = v->c->args;
	struct index *ix = NULL;
	struct cmd_paths abs = { 0 };
	int ret;

	if (v->c->n_operands != 1)
		return err_set(err, ERR_USAGE, "--name, --place and --note are about one disk: DISK is its name, its label, or a directory on it");
	ret = cmd_paths_add(v->c, (const char *const *)v->c->operands, 1, &abs, err);
	if (ret == 0)
		ret = cmd_open(v->c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err);
	if (ret == 0)
		ret = volume_pick(ix, v->c->operands[0], abs.v[0], &v->only, err);
	if (ret == 0)
		ret = drawer_put(&ix->drawer, ix->db, v->only, a->name, a->place, a->note, err);
	if (ret == 0)
		ret = cmd_volumes_list(v, ix, err);
	index_close(ix);
	cmd_paths_release(&abs);
	return ret;
}

static int
cmd_volumes_check(const struct cmd_call *c, struct err *err)
{
	const struct cmd_volumes_args *a = c->args;
	const bool names = a->name != NULL || a->place != NULL || a->note != NULL;

	if (c->listing->exclude.n > 0)
		return err_set(err, ERR_USAGE, "volumes takes no --exclude-path: it is about all that a disk holds");
	if (a->labels && (names || c->listing->format != OUT_TEXT))
		return err_set(err, ERR_USAGE, "--labels prints an HTML page of all disks: no format, name, place or note");
	if (c->n_operands > 0 && !names)
		return err_set(err, ERR_USAGE, "volumes takes an operand only with --name, --place or --note: '%s'", c->operands[0]);
	return 0;
}

static int
cmd_volumes_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_volumes_args *a = c->args;
	struct cmd_volumes v = { .c = c, .units = cmd_style(c, OUT_VOLUMES).units };
	int ret;

	if (cmd_volumes_check(c, err) < 0)
		return -1;
	if (a->name != NULL || a->place != NULL || a->note != NULL)
		return cmd_volumes_name(&v, err);
	ret = a->labels ? cmd_volumes_labels(&v, err) : cmd_volumes_list(&v, c->ix, err);
	if (ret == 0 && v.n > 0 && c->tty && !a->labels && c->listing->format == OUT_TEXT)
		cmd_notice(c, "as of the last scan: 'uniques -x DIR DIR' judges what would be lost now");
	if (ret == 0 && v.n == 0 && c->listing->format == OUT_TEXT)
		cmd_notice(c, "the index has no files");
	return ret < 0 ? -1 : dirs_unread(c->ix->db, cmd_volumes_unread, &v, err);
}

const struct cmd cmd_volumes = {
	.name = "volumes",
	.operands = "[DISK]",
	.summary = "list the disks of the index, and what exists only on each",
	.help = "It answers which disks the index knows, and what would be lost with one of them; 'safe DIR'\n"
	        "answers the same of a directory.  Shows each disk with its label, type, capacity and free\n"
	        "bytes, and where it is mounted.  As of the last scan: its files and their bytes (hard links\n"
	        "count once), and what exists only there: the files whose content is on no other disk, and\n"
	        "the bytes of these contents, each counted once.  An image in a file is on the disk of that\n"
	        "file.  A file that could not be read counts as existing only there; a directory that could\n"
	        "not be read makes the exit status 3.\n\n"
	        "With --name, --place or --note the index keeps what people call DISK: a name or label that\n"
	        "volumes shows, or a directory on the disk.  Answers name it where its files are offline.",
	.opts = cmd_volumes_opts,
	.args_size = sizeof(struct cmd_volumes_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_OF_VOLUMES,
	.run = cmd_volumes_run,
};
