/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_page.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_sums.h"
#include "cmd/cmd_exit_status.h"
#include "index/gaps.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/own_files.h"
#include "query/answer.h"
#include "query/dirtree.h"
#include "query/sets.h"
#include "query/usage.h"
#include "query/usage_top.h"
#include "sys/fs.h"
#include "sys/replace.h"
#include "sys/resolve.h"
#include "trees/similar.h"
#include "ui/page.h"
#include "ui/quote.h"

/* Sets, and pairs of directories, on a page; percent of one of two directories in the other. */
enum { CMD_PAGE_SETS = 100, CMD_PAGE_PAIRS = 100, CMD_PAGE_SHARE = 50 };

/* The most files of an index in which pairs are searched: takes seconds, and 100 bytes a file. */
enum { CMD_PAGE_FILES = 2000000 };

/* What to do next. */
static const struct {
	const char *command, *what;
	bool of_asked;        /* about what the page is about, else about its first directory */
	bool excludes;        /* takes --exclude-path: else no answer to what was asked for */
} cmd_page_next[] = {
	{ "redundant", "directories that can go as a whole", true, true },
	{ "decide", "choose which copies to keep; deletes nothing", false, false },
	{ "safe", "would something be lost with this directory?", false, true },
};

/* sets_fn */
static int
cmd_page_set(void *arg, const struct set_answer *set)
{
	page_set(arg, set);
	return 0;
}

/* Note n things, if there are any. */
static void
cmd_page_count(struct page *p, int64_t n, const char *one, const char *many, const char *what)
{
	struct buf b = { 0 };
	char text[NUM_SHOW_MAX];

	if (n == 0)
		return;
	buf_addf(&b, "%s %s", num_show_things(n, one, many, text), what);
	page_note(p, buf_str(&b));
	buf_release(&b);
}

/* Note what may be missing. */
static int
cmd_page_notes(const struct cmd_call *c, struct page *p, const struct set_totals *totals, struct err *err)
{
	struct buf b = { 0 };
	/* The page may be read on another machine: use the program's own name. */
	int ret = cmd_unfinished_text(c->ix, "twindex", &b, err);

	if (ret > 0)
		page_note(p, buf_str(&b));
	buf_cut(&b, 0);
	gaps_show(&b, &c->verdict->gaps);
	if (b.len > 0)
		page_note(p, buf_str(&b));
	cmd_page_count(p, totals->n_stale, "copy", "copies", "gone or changed since the last scan: run twindex scan");
	cmd_page_count(p, totals->n_offline, "copy", "copies", "offline: not counted in the sets");
	cmd_page_count(p, totals->n_trash, "name", "names", "in a trash, which will be emptied: not counted");
	buf_release(&b);
	return ret < 0 ? -1 : 0;
}

static struct similar_answer_side
cmd_page_side(const struct similar *s, const struct similar_side *side, struct buf *path)
{
	const struct holding *h = &s->h.v[side->dir];

	dirtree_path(s->h.map.dirs, side->dir, path);
	return (struct similar_answer_side){ .path = buf_str(path), .files = h->files, .bytes = (int64_t)h->bytes,
	                                     .shared_files = side->files, .shared_bytes = (int64_t)side->bytes };
}

/* Add the pairs of directories with one at or below path, or NULL, as indexed. */
static int
cmd_page_pairs(const struct cmd_call *c, struct page *p, const char *path, struct err *err)
{
	const struct similar_query q = { .dirs = &path, .n_dirs = path != NULL, .exclude = c->target->exclude.v,
	                                 .n_exclude = c->target->exclude.n, .min_share = CMD_PAGE_SHARE };
	struct similar s = { .dirs = NULL };
	struct buf left = { 0 }, right = { 0 };
	int ret;

	if (usage_below(p->usage, 0).files > CMD_PAGE_FILES) {
		page_note(p, "directories were not compared with each other, for too many files are in the index: see twindex similar");
		return 0;
	}
	ret = similar_load(&s, c->ix, &q, err);
	p->n_pairs = (int64_t)s.pairs.n;
	for (size_t i = 0; ret == 0 && i < s.pairs.n && i < CMD_PAGE_PAIRS; i++) {
		const struct similar_pair *pair = &s.pairs.v[i];

		buf_cut(&left, 0);
		buf_cut(&right, 0);
		page_pair(p, &(struct similar_answer){ .contents = pair->contents, .bytes = (int64_t)pair->bytes,
		                                       .left = cmd_page_side(&s, &pair->left, &left),
		                                       .right = cmd_page_side(&s, &pair->right, &right) });
	}
	similar_release(&s);
	buf_release(&left);
	buf_release(&right);
	return ret;
}

/*
 * Add what to do next, about the directory with most of what can go: the program by its own name,
 * for the page may be read elsewhere, with the index that it was told and without what is excluded.
 */
static int
cmd_page_steps(const struct cmd_call *c, struct page *p, const char *path, struct buf *program, struct err *err)
{
	const struct cmd_paths *exclude = &c->target->exclude;
	struct usage_place places[PAGE_PLACES];
	struct buf dir = { 0 }, index = { 0 }, command = { 0 };
	int ret = 0;

	buf_adds(program, "twindex ");
	if (c->globals->db != NULL) {
		ret = cmd_index_path(c->globals, &index, err);
		buf_adds(program, "--db ");
		quote_sh_word(program, buf_str(&index));
		buf_addc(program, ' ');
	}
	if (ret == 0 && usage_top(p->usage, p->dir, USAGE_PORTION, places, PAGE_PLACES) > 0) {
		dirtree_path(usage_dirs(p->usage), places[0].dir, &dir);
		for (size_t i = 0; i < sizeof(cmd_page_next) / sizeof(*cmd_page_next); i++) {
			if (exclude->n > 0 && !cmd_page_next[i].excludes)
				continue;
			buf_cut(&command, 0);
			buf_addf(&command, "%s%s", buf_str(program), cmd_page_next[i].command);
			for (size_t x = 0; x < exclude->n; x++) {
				buf_adds(&command, " -x ");
				quote_sh_word(&command, exclude->v[x]);
			}
			page_step(p, buf_str(&command), cmd_page_next[i].of_asked ? path != NULL ? path : "" : buf_str(&dir), cmd_page_next[i].what);
		}
		buf_adds(program, "decide");
		p->command = exclude->n == 0 ? buf_str(program) : NULL;
	}
	buf_release(&dir);
	buf_release(&index);
	buf_release(&command);
	return ret;
}

/* Write to an existing file that is not regular: a pipe, a device. */
static int
cmd_page_pour(const char *path, const struct buf *page)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int ret, error;

	if (fd < 0)
		return -1;
	ret = fs_write_all(fd, page->data, page->len);
	error = errno;
	if (close(fd) < 0 && ret == 0)
		return -1;
	errno = error;
	return ret;
}

/* Refuse a file of the index. */
static int
cmd_page_own(const struct cmd_call *c, const char *path, const struct fs_stat *st, struct err *err)
{
	struct own_files own;
	struct fs_stat dir;
	struct buf index = { 0 }, parent = { 0 };
	int ret = cmd_index_path(c->globals, &index, err);

	if (ret == 0) {
		own_files_find(&own, buf_str(&index));
		buf_add(&parent, path, path_parent_len(path));
		if ((st != NULL && own_files_has(&own, st->dev, st->inode)) ||
		    (fs_stat_path(buf_str(&parent), &dir) == 0 && dir.dev == own.dir_dev && dir.inode == own.dir_inode &&
		     own_files_has_name(&own, path_base(path))))
			ret = err_set(err, ERR_USAGE, "'%s' is a file of the index", path);
	}
	buf_release(&index);
	buf_release(&parent);
	return ret;
}

/* Write the page where it belongs. */
static int
cmd_page_put(const struct cmd_call *c, const char *file, const struct buf *page, struct err *err)
{
	struct buf typed = { 0 }, path = { 0 };
	struct fs_stat st, out;
	bool there;
	int ret;

	if (c->base != NULL && *file != '/')
		buf_adds(&typed, c->base);
	path_append(&typed, file, strlen(file));
	there = fs_stat_through(AT_FDCWD, buf_str(&typed), &st) == 0;
	fflush(c->out);
	if (strcmp(file, "-") == 0 || (there && fs_stat_fd(fileno(c->out), &out) == 0 && out.dev == st.dev && out.inode == st.inode))
		ret = fwrite(page->data, 1, page->len, c->out) == page->len && fflush(c->out) == 0 ? 0 : -1;
	else if (there && !S_ISREG(st.mode))
		ret = cmd_page_pour(buf_str(&typed), page);
	else {
		if (resolve_path(&path, file, c->base, err) < 0 || cmd_page_own(c, buf_str(&path), there ? &st : NULL, err) < 0) {
			ret = 1;
			goto out;
		}
		ret = replace_file(buf_str(&path), page->data, page->len, 0);
	}
	if (ret < 0)
		err_sys(err, "write '%s'", file);
out:
	buf_release(&typed);
	buf_release(&path);
	return ret != 0 ? -1 : 0;
}

int
cmd_page(const struct cmd_call *c, const struct sets_query *q, const char *file,
         struct set_totals *totals, struct err *err)
{
	const char *path = q->n_dirs > 0 ? q->dirs[0] : NULL;
	struct page p = { .units = cmd_style(c, OUT_SETS).units, .checked = !q->no_check };
	struct sets_query first = *q;
	struct cmd_sums sums;
	struct journal_entry last = { .finished = 0 };
	struct buf text = { 0 }, program = { 0 };
	int64_t run = 0;
	int ret = cmd_sums_open(&sums, c, path, !q->no_check, true, err);

	p.usage = sums.u;
	p.dir = sums.dir;
	p.n_roots = sums.n_roots;
	if (ret == 0 && p.dir == DIRTREE_NONE)
		ret = path == NULL ? err_set(err, ERR_USAGE, "nothing was scanned yet: scan a directory first") :
		                     err_set(err, ERR_USAGE, "--html: '%s' is no directory of the index", path);
	first.top = CMD_PAGE_SETS;
	if (ret == 0)
		ret = sets_each(c->ix, &first, cmd_page_set, &p, totals, err);
	if (ret == 0)
		ret = cmd_page_pairs(c, &p, path, err);
	if (ret == 0)
		ret = cmd_page_notes(c, &p, totals, err);
	if (ret == 0)
		ret = journal_finished(c->ix, &run, err);
	if (ret == 0 && run > 0)
		ret = journal_find(c->ix, run, &last, err);
	if (ret >= 0)
		ret = cmd_page_steps(c, &p, path, &program, err);
	if (ret >= 0) {
		p.scanned = last.finished;
		page_write(&p, totals, &text);
		ret = cmd_page_put(c, file, &text, err);
	}
	cmd_sums_close(&sums);
	buf_release(&text);
	buf_release(&program);
	page_release(&p);
	return ret;
}
