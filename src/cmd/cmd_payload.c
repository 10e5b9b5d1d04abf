/* SPDX-License-Identifier: MIT */
/*
 * Two files with one payload have one picture, one sound or one film; where their contents differ,
 * their tags do.  Each is looked at before it is named.  They are no copies for any other question.
 *
 * A group, all files of one payload that are there, is put together in memory from rows that come
 * payload by payload.  Groups that are wanted are kept, for their order must not depend on the
 * secret of the index.
 */
#include "base/base.h"

#include "cmd/cmd_payload.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_progress.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/payloads.h"
#include "index/presence.h"
#include "scan/payload_files.h"
#include "sys/stop.h"
#include "ui/doc.h"

/* Blanks before lines below a file, those of its copies; lines of one; directories of a group. */
enum { PAYLOAD_INDENT = 12, PAYLOAD_SHOWN = 5, PAYLOAD_DIRS = 64 };

/* payload_files_options.problem */
static void
cmd_payload_problem(void *arg, const char *path, const char *why)
{
	struct cmd_progress *p = arg;

	progress_clear(&p->line);
	if (p->problems == NULL)
		cmd_message(p->c, "payload of '%s': %s", path, why);
}

int
cmd_payload_scan(const struct cmd_call *c, struct index *ix, const struct cmd_payload_scan *s, struct doc *d, struct err *err)
{
	struct payload_files_report r;
	struct cmd_progress progress = { .problems = d };
	const struct payload_files_options opts = {
		.threads = s->threads, .racy_window_ns = s->racy_window_ns, .max_time_ns = s->max_time_ns,
		.problem = cmd_payload_problem, .tick = cmd_progress_count, .arg = &progress,
	};
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret;

	cmd_progress_begin_count(&progress, c, "payload");
	progress.problems = d;
	ret = payload_files_run(ix, &opts, &r, err);
	progress_clear(&progress.line);
	if (r.failed + r.left > 0)
		c->verdict->undone = true;
	if (d != NULL) {
		doc_object(d, "payloads");
		doc_int(d, "computed", r.made);
		doc_int(d, "none", r.none);
		doc_int(d, "failed", r.failed);
		doc_int(d, "left", r.left);
		doc_object_end(d);
	} else if (!c->globals->quiet) {
		fprintf(c->out, "payloads    %s computed", num_show_count(r.made, x));
		if (r.none > 0)
			fprintf(c->out, ", %s without", num_show_things(r.none, "file", "files", y));
		if (r.failed > 0)
			fprintf(c->out, ", %s failed", num_show_count(r.failed, x));
		if (r.left > 0)
			fprintf(c->out, ", %s left for the next scan --payload", num_show_count(r.left, x));
		fputc('\n', c->out);
	}
	return ret;
}

/* A file of a group. */
struct payload_member {
	const char *path;
	struct file_row row;       /* without its name */
};

/* Files of one payload, while they come. */
struct payload_group {
	struct payloads_entry entry;
	VEC(struct payload_member) members;
	struct arena memory;             /* of paths, also of groups that were kept */
	const struct cmd_paths *exclude; /* as if what lies there did not exist */
	struct cmd_verdict *gaps;        /* gets what can't be judged; or NULL */
	struct presence_view view;
};

/* payloads_fn: add a file that is there. */
static int
payload_group_add(void *arg, const struct file_row *row, const struct payloads_entry *e, struct err *err)
{
	struct payload_group *g = arg;
	enum presence presence;
	const char *path;
	struct payload_member *m;

	(void)e;
	if (presence_row(&g->view, row, &presence, &path, err) < 0)
		return -1;
	if (g->gaps != NULL && (presence == PRESENCE_OFFLINE || presence == PRESENCE_UNREADABLE || presence == PRESENCE_CHANGED))
		cmd_count_gap(g->gaps, path, presence == PRESENCE_OFFLINE ? GAP_OFFLINE : presence == PRESENCE_CHANGED ? GAP_CHANGED : GAP_UNREADABLE,
		              false, presence == PRESENCE_UNREADABLE ? strerror(g->view.error) : presence == PRESENCE_OFFLINE ? "offline" : "changed");
	if (presence != PRESENCE_HERE || path_is_below_any(path, g->exclude->v, g->exclude->n))
		return 0;
	m = vec_add(&g->members);
	*m = (struct payload_member){ .path = arena_str(&g->memory, path), .row = *row };
	m->row.name = NULL;
	return 0;
}

static void
payload_group_release(struct payload_group *g)
{
	vec_release(&g->members);
	arena_release(&g->memory);
	presence_release(&g->view);
}

/*
 * Whether two files of one payload have other tags: another content, as far as that is known.  What
 * differs in its first bytes was never read whole.
 */
static bool
payload_differs(const struct file_row *a, const struct file_row *b)
{
	if (inode_same(a->inode, b->inode))
		return false;
	return a->size != b->size || (a->has_hash && b->has_hash && memcmp(a->hash, b->hash, HASH_SIZE) != 0) ||
	       (a->has_head && b->has_head && a->head != b->head);
}

/* Append the path, size and time of a file. */
static void
payload_add_file(const struct cmd_call *c, struct buf *b, const char *path, int64_t size, struct fs_time mtime)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	cmd_add_path(c, b, path);
	buf_addf(b, " (%s, %s)\n", num_show_size(size, cmd_style(c, OUT_STATES).units, x), num_show_local(mtime.sec, y));
}

static int
payload_cmp_member(const void *a, const void *b)
{
	return strcmp(((const struct payload_member *)a)->path, ((const struct payload_member *)b)->path);
}

int
cmd_payload_find(const struct cmd_call *c, const struct file_answer *a, struct cmd_payload_found *found, struct err *err)
{
	struct payload_group g = { .exclude = &c->target->exclude };
	struct file_row row;
	int ret;

	if (a->size <= 0 || a->state == STATE_CHANGED || a->state == STATE_GONE)
		return 0;
	ret = dirs_find_file(c->ix->db, a->path, &row, err);
	/* What was written since the scan has another payload than its row. */
	if (ret == 1)
		ret = row.size == a->size && row.inode.number == a->inode && row.mtime.sec == a->mtime.sec && row.mtime.nsec == a->mtime.nsec ?
		      payloads_get(c->ix, &row, &g.entry, err) : 0;
	if (ret == 1 && g.entry.format != PAYLOAD_NONE) {
		ret = presence_open(&g.view, c->ix, err);
		if (ret == 0)
			ret = payloads_same(c->ix, g.entry.hash, payload_group_add, &g, err);
	}
	if (g.members.n > 0)
		qsort(g.members.v, g.members.n, sizeof(*g.members.v), payload_cmp_member);
	for (size_t i = 0; i < g.members.n; i++) {
		const struct payload_member *m = &g.members.v[i];

		if (payload_differs(&row, &m->row))
			vec_push(found, ((struct file_tags){ arena_str(&found->paths, m->path), m->row.size, m->row.mtime }));
	}
	payload_group_release(&g);
	return ret < 0 ? -1 : 0;
}

void
cmd_payload_lines(const struct cmd_call *c, const struct cmd_payload_found *found)
{
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < found->n && i < PAYLOAD_SHOWN; i++) {
		buf_addf(&b, "%*ssame content, other tags: ", PAYLOAD_INDENT, "");
		payload_add_file(c, &b, found->v[i].path, found->v[i].size, found->v[i].mtime);
	}
	if (found->n > PAYLOAD_SHOWN)
		buf_addf(&b, "%*sand %s more\n", PAYLOAD_INDENT, "", num_show_count((int64_t)found->n - PAYLOAD_SHOWN, x));
	fwrite(buf_str(&b), 1, b.len, c->out);
	buf_release(&b);
}

void
cmd_payload_found_release(struct cmd_payload_found *found)
{
	vec_release(found);
	arena_release(&found->paths);
}

/* Two directories, and what they share but for tags. */
struct payload_pair {
	const char *a, *b;
	int64_t files, bytes;
};

/* A group that is told. */
struct payload_kept {
	struct payloads_entry entry;
	struct payload_member *members;  /* by path */
	size_t n;
};

/* Go through all groups. */
struct payload_walk {
	const struct cmd_call *c;
	const struct cmd_paths *paths;   /* only groups of a file there; none: all */
	struct payload_group group;
	VEC(struct payload_kept) kept;
	struct doc *d;
	/** Called for each group of two contents or more, in order. */
	void (*take)(struct payload_walk *w, const struct payload_kept *g);
	int64_t files;             /* in all of these */
	/* Of pairs: */
	VEC(struct payload_pair) pairs;
	struct table by_dirs;
	struct arena dirs;
};

/* The group is complete: keep it, if it is wanted. */
static void
payload_walk_end(struct payload_walk *w)
{
	const struct payload_group *g = &w->group;
	bool differ = false, asked = w->paths->n == 0;
	struct payload_kept *k;

	for (size_t i = 0; i < g->members.n; i++) {
		differ |= payload_differs(&g->members.v[0].row, &g->members.v[i].row);
		asked |= path_is_below_any(g->members.v[i].path, w->paths->v, w->paths->n);
	}
	if (differ && asked) {
		k = vec_add(&w->kept);
		*k = (struct payload_kept){ .entry = g->entry, .n = g->members.n };
		k->members = arena_alloc(&w->group.memory, k->n * sizeof(*k->members));
		memcpy(k->members, g->members.v, k->n * sizeof(*k->members));
		qsort(k->members, k->n, sizeof(*k->members), payload_cmp_member);
		w->files += (int64_t)k->n;
	}
	w->group.members.n = 0;
}

/* The largest first, then by path. */
static int
payload_cmp_kept(const void *x, const void *y)
{
	const struct payload_kept *a = x, *b = y;

	ORDER_CMP(b->entry.bytes, a->entry.bytes);
	return strcmp(a->members[0].path, b->members[0].path);
}

/* payloads_fn */
static int
payload_walk_add(void *arg, const struct file_row *row, const struct payloads_entry *e, struct err *err)
{
	struct payload_walk *w = arg;

	if (memcmp(w->group.entry.hash, e->hash, HASH_SIZE) != 0) {
		payload_walk_end(w);
		w->group.entry = *e;
	}
	return stop_check(err) < 0 ? -1 : payload_group_add(&w->group, row, e, err);
}

/* Check what was asked, and begin. */
static int
payload_walk_begin(struct payload_walk *w, const char *list, struct err *err)
{
	const struct out_style style = cmd_style(w->c, OUT_STATES);

	if (style.format != OUT_TEXT && style.format != OUT_JSON)
		return err_set(err, ERR_USAGE, "--payload lists as text, or with --json");
	if (w->c->with != NULL)
		return err_set(err, ERR_USAGE, "--payload asks this index alone, not those of --with");
	if (!w->c->ix->payloads)
		return err_set(err, ERR_USAGE, "--payload: there are no payloads yet (%s scan --payload)", prog_name());
	if (style.format == OUT_JSON) {
		w->d = doc_open(w->c->out, &style, w->c->cmd->name);
		doc_list(w->d, list);
	}
	return 0;
}

static int
payload_walk_run(struct payload_walk *w, struct err *err)
{
	int ret = presence_open(&w->group.view, w->c->ix, err);

	int64_t lacking = 0;
	char x[NUM_SHOW_MAX];

	w->group.exclude = &w->c->target->exclude;
	w->group.gaps = w->c->verdict;
	if (ret == 0)
		ret = payloads_shared(w->c->ix, payload_walk_add, w, err);
	if (ret == 0) {
		payload_walk_end(w);
		if (w->kept.n > 0)
			qsort(w->kept.v, w->kept.n, sizeof(*w->kept.v), payload_cmp_kept);
		for (size_t i = 0; i < w->kept.n; i++)
			w->take(w, &w->kept.v[i]);
	}
	if (ret == 0)
		ret = payload_files_lacking(w->c->ix, &lacking, err);
	if (ret == 0 && lacking > 0)
		cmd_notice(w->c, "the payload of %s is not known: '%s scan --payload' reads them", num_show_things(lacking, "file", "files", x), prog_name());
	w->c->verdict->undone = lacking > 0;
	return ret;
}

/* End the document, and free. */
static int
payload_walk_close(struct payload_walk *w, int ret, struct err *err)
{
	if (w->d != NULL && ret == 0) {
		doc_list_end(w->d);
		doc_int(w->d, "groups", (int64_t)w->kept.n);
		doc_int(w->d, "group_files", w->files);
	}
	if (w->d != NULL)
		ret = doc_close(w->d, ret, err);
	payload_group_release(&w->group);
	vec_release(&w->kept);
	vec_release(&w->pairs);
	table_release(&w->by_dirs);
	arena_release(&w->dirs);
	return ret < 0 ? -1 : CMD_OK;
}

/* take of struct payload_walk: print a group. */
static void
payload_report_take(struct payload_walk *w, const struct payload_kept *g)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf b = { 0 };

	if (w->d == NULL) {
		buf_addf(&b, "%s, %s without tags, in %s\n", payload_format_name(g->entry.format),
		         num_show_size(g->entry.bytes, cmd_style(w->c, OUT_STATES).units, x), num_show_things((int64_t)g->n, "file", "files", y));
		for (size_t i = 0; i < g->n; i++) {
			buf_adds(&b, "    ");
			payload_add_file(w->c, &b, g->members[i].path, g->members[i].row.size, g->members[i].row.mtime);
		}
		fwrite(buf_str(&b), 1, b.len, w->c->out);
		buf_release(&b);
		return;
	}
	doc_object(w->d, NULL);
	doc_text(w->d, "format", payload_format_name(g->entry.format));
	doc_int(w->d, "bytes", g->entry.bytes);
	doc_list(w->d, "files");
	for (size_t i = 0; i < g->n; i++) {
		const struct payload_member *m = &g->members[i];

		doc_object(w->d, NULL);
		doc_path(w->d, "path", m->path);
		doc_int(w->d, "size", m->row.size);
		doc_int(w->d, "mtime", m->row.mtime.sec);
		doc_hash(w->d, m->row.has_hash ? m->row.hash : NULL);
		doc_object_end(w->d);
	}
	doc_list_end(w->d);
	doc_object_end(w->d);
}

int
cmd_payload_report(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	struct payload_walk w = { .c = c, .paths = paths, .take = payload_report_take };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret = payload_walk_begin(&w, "payloads", err);

	if (ret == 0)
		ret = payload_walk_run(&w, err);
	if (ret == 0 && w.d == NULL && !c->globals->quiet)
		fprintf(c->out, "%s with other tags in %s; they are no copies: rm and link leave them\n",
		        num_show_things((int64_t)w.kept.n, "content", "contents", x), num_show_things(w.files, "file", "files", y));
	return payload_walk_close(&w, ret, err);
}

/* Count a group for a pair of directories, which come in the order of their paths. */
static void
payload_pair_add(struct payload_walk *w, const char *a, const char *b, int64_t bytes)
{
	const uint64_t hash = table_hash(table_hash_text(a), table_hash_text(b));
	struct payload_pair *p = NULL;

	TABLE_EACH(i, &w->by_dirs, hash) {
		if (strcmp(w->pairs.v[i].a, a) == 0 && strcmp(w->pairs.v[i].b, b) == 0) {
			p = &w->pairs.v[i];
			break;
		}
	}
	if (p == NULL) {
		p = vec_add(&w->pairs);
		*p = (struct payload_pair){ .a = arena_str(&w->dirs, a), .b = arena_str(&w->dirs, b) };
		table_add(&w->by_dirs, hash, w->pairs.n - 1);
	}
	p->files++;
	p->bytes = num_add(p->bytes, bytes);
}

static int
payload_cmp_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* take of struct payload_walk: count a group for each two directories that it lies in. */
static void
payload_similar_take(struct payload_walk *w, const struct payload_kept *g)
{
	const char *dirs[PAYLOAD_DIRS];
	struct arena memory = { 0 };
	size_t n = 0, left = 0;

	for (size_t i = 0; i < g->n && n < PAYLOAD_DIRS; i++)
		dirs[n++] = arena_dup(&memory, g->members[i].path, path_parent_len(g->members[i].path));
	qsort(dirs, n, sizeof(*dirs), payload_cmp_path);
	for (size_t i = 0; i < n; i++) {
		if (left == 0 || strcmp(dirs[left - 1], dirs[i]) != 0)
			dirs[left++] = dirs[i];
	}
	for (size_t i = 0; i < left; i++) {
		for (size_t j = i + 1; j < left; j++)
			payload_pair_add(w, dirs[i], dirs[j], g->entry.bytes);
	}
	arena_release(&memory);
}

/* Most files first, then most bytes, then by path. */
static int
payload_cmp_pair(const void *x, const void *y)
{
	const struct payload_pair *a = x, *b = y;

	ORDER_CMP(b->files, a->files);
	ORDER_CMP(b->bytes, a->bytes);
	return strcmp(a->a, b->a) != 0 ? strcmp(a->a, b->a) : strcmp(a->b, b->b);
}

static void
payload_similar_print(struct payload_walk *w)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf b = { 0 };

	for (size_t i = 0; i < w->pairs.n; i++) {
		const struct payload_pair *p = &w->pairs.v[i];

		if (w->d != NULL) {
			doc_object(w->d, NULL);
			doc_path(w->d, "a", p->a);
			doc_path(w->d, "b", p->b);
			doc_int(w->d, "files", p->files);
			doc_int(w->d, "bytes", p->bytes);
			doc_object_end(w->d);
			continue;
		}
		buf_addf(&b, "%s, %s without tags:\n    ", num_show_things(p->files, "file", "files", x),
		         num_show_size(p->bytes, cmd_style(w->c, OUT_STATES).units, y));
		cmd_add_path(w->c, &b, p->a);
		buf_adds(&b, "\n    ");
		cmd_add_path(w->c, &b, p->b);
		buf_addc(&b, '\n');
	}
	fwrite(buf_str(&b), 1, b.len, w->c->out);
	buf_release(&b);
}

int
cmd_payload_similar(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	struct payload_walk w = { .c = c, .paths = paths, .take = payload_similar_take };
	char x[NUM_SHOW_MAX];
	int ret = payload_walk_begin(&w, "payload_pairs", err);

	if (ret == 0)
		ret = payload_walk_run(&w, err);
	if (ret == 0) {
		if (w.pairs.n > 0)
			qsort(w.pairs.v, w.pairs.n, sizeof(*w.pairs.v), payload_cmp_pair);
		payload_similar_print(&w);
		if (w.d == NULL && !c->globals->quiet)
			fprintf(c->out, "%s with files of one content and other tags\n",
			        num_show_things((int64_t)w.pairs.n, "pair of directories", "pairs of directories", x));
	}
	return payload_walk_close(&w, ret, err);
}
