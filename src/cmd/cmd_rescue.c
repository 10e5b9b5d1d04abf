/* SPDX-License-Identifier: MIT */
/*
 * What is missing was found by cmd_safe; act/rescue copies it; this file checks where to, asks and
 * tells.
 *
 * Nobody waits for the index while a person thinks: the files are looked at without the writer's
 * lock, for the question and the room on the disk, and looked at again as they are copied.
 */
#include "base/base.h"

#include "cmd/cmd_rescue.h"

#include <sys/stat.h>
#include <unistd.h>

#include "act/rescue.h"
#include "act/rescue_look.h"
#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_steps.h"
#include "index/index.h"
#include "sys/fs.h"
#include "sys/mounted.h"
#include "sys/resolve.h"
#include "sys/stop.h"
#include "ui/doc.h"
#include "ui/width.h"

/* Files that a question lists (-n: all), and taken names that a terminal is told of (-v: all). */
enum { RESCUE_ASK_LISTS = 12, RESCUE_TAKEN_LISTS = 5 };

/* Whether a directory is the same by another mount. */
struct cmd_rescue_mount {
	const char *to;
	bool shown;
};

/* mounted_path_fn */
static void
cmd_rescue_mounted(void *arg, const char *path)
{
	struct cmd_rescue_mount *m = arg;

	m->shown |= path_is_below(m->to, path);
}

/* Check where TO lies. */
static int
cmd_rescue_check_to(const struct cmd_rescue *r, struct err *err)
{
	struct cmd_rescue_mount mount = { .to = r->to };
	char *above;
	struct fs_stat st;
	int ret = 0;

	if (path_is_below(r->to, r->dir))
		return err_set(err, ERR_USAGE, "'%s' lies in '%s', and would go with it", r->a->to, r->c->operands[0]);
	mounted_also(r->dir, cmd_rescue_mounted, &mount);
	if (mount.shown)
		return err_set(err, ERR_USAGE, "'%s' is a part of '%s' seen through another mount, and would go with it", r->a->to, r->c->operands[0]);
	if (fs_stat_path(r->to, &st) == 0)
		return S_ISDIR(st.mode) ? 0 : err_set(err, ERR_NO_PATH, "'%s' is not a directory", r->a->to);
	if (!fs_is_absent(errno))
		return err_sys(err, "look at '%s'", r->a->to);
	above = mem_dup(r->to, path_parent_len(r->to));
	if (fs_stat_path(above, &st) < 0 || !S_ISDIR(st.mode))
		ret = err_set(err, ERR_NO_PATH, "'%s' is not a directory: --rescue makes '%s', but nothing above it", above, path_base(r->to));
	free(above);
	return ret;
}

int
cmd_rescue_open(struct cmd_rescue *r, const struct cmd_call *c, const struct cmd_rescue_args *a, const char *dir, bool is_file,
                struct err *err)
{
	struct buf to = { 0 };

	r->c = c;
	r->a = a;
	r->dir = dir;
	own_files_find(&r->own, c->ix->path);
	r->base = mem_dup(dir, is_file ? path_parent_len(dir) : strlen(dir));
	if (c->listing->format != OUT_TEXT && c->listing->format != OUT_JSON)
		return err_set(err, ERR_USAGE, "--rescue tells what it copies as text, or with --json");
	if (!a->dry_run && !a->yes && (isatty(0) != 1 || isatty(fileno(c->msg)) != 1))
		return err_set(err, ERR_USAGE, "there is no terminal to ask on: use --yes to go on, or -n to see what would be done");
	if (resolve_path(&to, a->to, c->base, err) < 0) {
		buf_release(&to);
		return -1;
	}
	r->to = buf_take(&to);
	return cmd_rescue_check_to(r, err);
}

void
cmd_rescue_add(struct cmd_rescue *r, const char *path, bool unsure)
{
	struct rescue_file *last = r->files.n > 0 ? &r->files.v[r->files.n - 1] : NULL;
	struct fs_stat st;

	if (last != NULL && strcmp(last->path, path) == 0) {
		last->unsure &= unsure;
		return;
	}
	/* One that cannot be looked at is told of when its turn comes. */
	if (fs_stat_path(path, &st) < 0 || (S_ISREG(st.mode) && st.size > 0))
		vec_push(&r->files, ((struct rescue_file){ arena_str(&r->paths, path), unsure }));
	else if (S_ISDIR(st.mode) && strcmp(path, r->dir) == 0)
		/* It was a file when it was scanned.  One below DIR is a gap of its own. */
		cmd_rescue_add_dir(r, path, GAP_NEW, "");
}

/* Add the files of a directory, and its subdirectories to those that are to be listed. */
static void
cmd_rescue_add_listed(struct cmd_rescue *r, const char *path, int fd, const struct fs_list *list, uint64_t dev, struct cmd_paths *dirs)
{
	struct buf at = { 0 };
	struct fs_stat st;

	for (size_t i = 0; i < list->n; i++) {
		const char *name = fs_list_name(list, &list->v[i]);

		if (fs_stat_at(fd, name, &st) < 0 || own_files_has(&r->own, st.dev, st.inode))
			continue;
		buf_cut(&at, 0);
		buf_adds(&at, path);
		path_append(&at, name, strlen(name));
		if (!S_ISDIR(st.mode))
			cmd_rescue_add(r, buf_str(&at), true);
		else if (st.dev == dev)
			vec_push(dirs, mem_str(buf_str(&at)));
		else
			cmd_count_gap(r->c->verdict, buf_str(&at), (enum gap)SKIP_OTHER_FS, true, skip_name(SKIP_OTHER_FS));
	}
	buf_release(&at);
}

void
cmd_rescue_add_dir(struct cmd_rescue *r, const char *path, enum gap gap, const char *why)
{
	struct cmd_paths dirs = { 0 };
	struct fs_list list = { 0 };
	struct fs_stat top;
	/* Is nothing but a scan lacking?  What is on another file system, say, is left alone. */
	const bool unmet = gap == GAP_NEW || gap == GAP_NEVER || gap == (enum gap)SKIP_HIDDEN || gap == (enum gap)SKIP_EXCLUDED;

	if (!unmet || fs_stat_path(path, &top) < 0) {
		cmd_count_gap(r->c->verdict, path, gap, true, why);
		return;
	}
	vec_push(&dirs, mem_str(path));
	for (size_t i = 0; i < dirs.n && stop_signal() == 0; i++) {
		const int fd = fs_open_dir_below(dirs.v[i], 1);

		if (fd < 0 || fs_list_read(&list, fd) < 0)
			cmd_count_gap(r->c->verdict, dirs.v[i], GAP_UNREADABLE, true, strerror(errno));
		else {
			fs_list_sort(&list);
			cmd_rescue_add_listed(r, dirs.v[i], fd, &list, top.dev, &dirs);
		}
		if (fd >= 0)
			close(fd);
	}
	fs_list_release(&list);
	cmd_paths_release(&dirs);
}

/* Add a file to the document. */
static void
cmd_rescue_doc(struct doc *d, const struct rescue_told *t)
{
	static const char *const words[] = {
		[RESCUE_PLANNED] = "planned", [RESCUE_COPIED] = "copied", [RESCUE_THERE] = "there", [RESCUE_TAKEN] = "taken",
		[RESCUE_FAILED] = "failed",
	};

	doc_object(d, NULL);
	doc_path(d, "path", t->file->path);
	doc_path(d, "to", t->to);
	doc_text(d, "outcome", words[t->outcome]);
	doc_bool(d, "judged", !t->file->unsure);
	doc_size(d, "size", t->size);
	doc_text(d, "lacks", t->lacks);
	doc_text(d, "why", t->why);
	doc_object_end(d);
}

/* Print a line: a word and a path. */
static void
cmd_rescue_line(const struct cmd_call *c, FILE *f, const char *word, const char *path)
{
	struct buf b = { 0 };

	buf_addf(&b, "%s: ", word);
	cmd_add_path(c, &b, path);
	buf_addc(&b, '\n');
	fwrite(b.data, 1, b.len, f);
	buf_release(&b);
}

/* rescue_fn */
static void
cmd_rescue_told(void *arg, const struct rescue_told *t)
{
	struct cmd_rescue *r = arg;
	const struct cmd_call *c = r->c;
	const bool text = r->d == NULL && !c->globals->quiet;

	/* What is asked about is told of as it is done. */
	if (r->looking && !r->a->dry_run) {
		if (!r->a->yes && t->outcome == RESCUE_PLANNED && r->asked++ < RESCUE_ASK_LISTS) {
			progress_clear(&r->progress.line);
			cmd_rescue_line(c, c->msg, "would copy", t->file->path);
		}
		return;
	}
	progress_clear(&r->progress.line);
	if (r->d != NULL)
		cmd_rescue_doc(r->d, t);
	if (t->outcome == RESCUE_PLANNED && text)
		cmd_rescue_line(c, c->out, "would copy", t->file->path);
	else if (t->outcome == RESCUE_COPIED && text && c->globals->verbose > 0)
		cmd_rescue_line(c, c->out, "copied", t->to);
	else if (t->outcome == RESCUE_THERE && text && c->globals->verbose > 0)
		cmd_rescue_line(c, c->out, "there already", t->to);
	else if (t->outcome == RESCUE_TAKEN && c->tty && c->globals->verbose == 0 && r->taken++ >= RESCUE_TAKEN_LISTS)
		return;
	else if (t->outcome == RESCUE_TAKEN)
		cmd_message(c, "'%s' is not copied: %s, '%s'", t->file->path, t->why, t->to);
	else if (t->outcome == RESCUE_FAILED)
		cmd_message(c, "'%s' is not copied: %s", t->file->path, t->why);
	if (t->lacks != NULL)
		cmd_message(c, "'%s' is copied without %s", t->file->path, t->lacks);
}

/* rescue_tick_fn */
static void
cmd_rescue_tick(void *arg, int64_t files, int64_t bytes)
{
	cmd_progress_act(&((struct cmd_rescue *)arg)->progress, files, bytes);
}

/* Ask.  Returns 1: go on, 0, or -1 after a signal. */
static int
cmd_rescue_ask(struct cmd_rescue *r, struct err *err)
{
	const struct cmd_call *c = r->c;
	struct buf question = { 0 };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], answer;

	if (r->asked > RESCUE_ASK_LISTS)
		fprintf(c->msg, "and %s more: -n lists all\n", num_show_count(r->asked - RESCUE_ASK_LISTS, x));
	if (r->sums.n[RESCUE_TAKEN] > 0)
		fprintf(c->msg, "%s not copied: something else has the name there\n", num_show_things(r->sums.n[RESCUE_TAKEN], "file is", "files are", x));
	fflush(c->out);
	buf_addf(&question, "copy %s, %s, to ", num_show_things(r->sums.n[RESCUE_PLANNED], "file", "files", x),
	         num_show_size(r->sums.bytes[RESCUE_PLANNED], NUM_IEC, y));
	cmd_add_path(c, &question, r->to);
	buf_adds(&question, "? [y/N] ");
	answer = cmd_answer(c, stdin, buf_str(&question));
	buf_release(&question);
	if (stop_check(err) < 0)
		return -1;
	if (answer != 'y')
		cmd_message(c, "nothing is copied");
	return answer == 'y';
}

/* Copy, with the writer's lock. */
static int
cmd_rescue_copy(struct cmd_rescue *r, struct rescue *run, struct err *err)
{
	const int64_t bytes = num_add(r->sums.bytes[RESCUE_PLANNED], r->sums.bytes[RESCUE_THERE]);
	struct index *ix = NULL;
	int ret;

	if (cmd_open(r->c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err) < 0)
		return -1;
	run->ix = ix;
	run->bytes = bytes;
	r->looking = false;
	cmd_progress_begin_act(&r->progress, r->c, "copy", (int64_t)r->files.n, bytes);
	ret = rescue_run(run, &r->sums, err);
	progress_clear(&r->progress.line);
	index_close(ix);
	return ret;
}

/* Tell of all in a line, and what to do next. */
static void
cmd_rescue_tell(const struct cmd_rescue *r)
{
	const struct cmd_call *c = r->c;
	const struct rescue_sums *s = &r->sums;
	const enum rescue_outcome done = r->a->dry_run ? RESCUE_PLANNED : RESCUE_COPIED;
	struct buf b = { 0 }, to = { 0 };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (r->files.n == 0 && !c->globals->quiet)
		fputs("nothing to copy: every file that could be judged also exists elsewhere\n", c->out);
	if (r->files.n == 0)
		return;
	buf_addf(&b, "%s %s, %s, to ", r->a->dry_run ? "would copy" : "copied", num_show_things(s->n[done], "file", "files", x),
	         num_show_size(s->bytes[done], NUM_IEC, y));
	cmd_add_path(c, &b, r->to);
	if (s->n[RESCUE_THERE] > 0)
		buf_addf(&b, "; %s there already", num_show_things(s->n[RESCUE_THERE], "is", "are", x));
	if (s->unsure > 0)
		buf_addf(&b, "; whether %s of these exist elsewhere is not known", num_show_count(s->unsure, x));
	buf_addc(&b, '\n');
	if (!c->globals->quiet)
		fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
	if (s->n[RESCUE_TAKEN] > 0)
		cmd_notice(c, "%s not copied: something else has the name there, another TO has room for them", num_show_things(s->n[RESCUE_TAKEN], "file is", "files are", x));
	if (r->a->dry_run || s->n[RESCUE_COPIED] == 0)
		return;
	if (s->rows < s->n[RESCUE_COPIED]) {
		(void)cmd_add_typed(c, &to, r->to);
		cmd_notice(c, "'%s scan %s' makes the copies count", prog_name(), buf_str(&to));
		buf_release(&to);
	}
	if (c->tty && !c->globals->quiet)
		width_print(c->out, "each was read back from the disk; 'undo' removes them while the originals are there\n", WIDTH_MORE, c->env->width);
}

/* Look, ask and copy.  Returns CMD_OK, CMD_NO or -1. */
static int
cmd_rescue_all(struct cmd_rescue *r, struct err *err)
{
	struct rescue run = {
		.ix = r->c->ix, .base = r->base, .to = r->to, .files = r->files.v, .n = r->files.n, .fn = cmd_rescue_told, .tick = cmd_rescue_tick,
		.arg = r,
	};
	int ret;

	r->looking = true;
	cmd_progress_begin_act(&r->progress, r->c, "look", (int64_t)r->files.n, 0);
	ret = rescue_look(&run, r->dir, r->a->dry_run, &r->sums, err);
	progress_clear(&r->progress.line);
	if (ret == 0 && !r->a->dry_run && !r->a->yes && r->sums.n[RESCUE_PLANNED] > 0) {
		ret = cmd_rescue_ask(r, err);
		if (ret <= 0) {
			r->sums = (struct rescue_sums){ .rows = 0 };
			return ret < 0 ? -1 : CMD_NO;
		}
		ret = 0;
	}
	if (ret == 0 && !r->a->dry_run)
		ret = cmd_rescue_copy(r, &run, err);
	if (r->d == NULL && (ret == 0 || r->sums.n[RESCUE_COPIED] > 0))
		cmd_rescue_tell(r);
	return ret < 0 ? -1 : r->sums.n[RESCUE_TAKEN] > 0 ? CMD_NO : CMD_OK;
}

int
cmd_rescue_run(struct cmd_rescue *r, struct err *err)
{
	const struct cmd_call *c = r->c;
	const struct out_style style = cmd_style(c, OUT_STATES);
	const struct rescue_sums *s = &r->sums;
	int status;

	c->verdict->end.yes = r->a->dry_run ? "can_be_rescued" : "rescued";
	c->verdict->end.no = "not_rescued";
	if (c->listing->format == OUT_JSON) {
		r->d = doc_open(c->out, &style, c->cmd->name);
		doc_list(r->d, "files");
	}
	status = cmd_rescue_all(r, err);
	c->verdict->unproven = s->n[RESCUE_FAILED];
	c->verdict->undone = s->lacking > 0;
	if (r->d != NULL) {
		const enum rescue_outcome done = r->a->dry_run ? RESCUE_PLANNED : RESCUE_COPIED;

		doc_list_end(r->d);
		doc_path(r->d, "rescued_to", r->to);
		doc_bool(r->d, "dry_run", r->a->dry_run);
		doc_int(r->d, "copied", s->n[done]);
		doc_int(r->d, "bytes", s->bytes[done]);
		doc_int(r->d, "there", s->n[RESCUE_THERE]);
		doc_int(r->d, "taken", s->n[RESCUE_TAKEN]);
		doc_int(r->d, "failed", s->n[RESCUE_FAILED]);
		doc_bool(r->d, "indexed", s->rows == s->n[RESCUE_COPIED]);
		if (doc_close(r->d, status < 0 ? -1 : 0, err) < 0)
			status = -1;
	}
	return status;
}

void
cmd_rescue_release(struct cmd_rescue *r)
{
	vec_release(&r->files);
	arena_release(&r->paths);
	free(r->base);
	free(r->to);
}
