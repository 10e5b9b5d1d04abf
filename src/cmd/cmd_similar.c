/* SPDX-License-Identifier: MIT */
/*
 * twindex similar - which directories share content with each other.
 *
 * Pairs come from the index; those that are printed are looked at: what can't be judged in them
 * is counted, for each and altogether, and directories that are gone are left out.  Where there is
 * none, so is all in which one may lie.
 */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_archives.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_payload.h"
#include "cmd/cmd_records.h"
#include "index/dirs.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "query/indexes.h"
#include "query/joined.h"
#include "sys/stop.h"
#include "trees/similar.h"
#include "trees/disks.h"
#include "trees/similar_look.h"
#include "trees/similar_trash.h"

/* Defaults: the least share of a pair in percent; pairs shown on a terminal. */
enum { SIMILAR_SHARE = 50, SIMILAR_TOP = 20 };

struct cmd_similar_args {
	int64_t min_share, min_size, top;
	bool all, names, no_check, payload;
};

static const struct opt cmd_similar_opts[] = {
	OPT_INT_(0, "min-share", struct cmd_similar_args, min_share, "PERCENT", "one of the two has at least this share in the other (default 50)"),
	OPT_SIZE_('m', "min-size", struct cmd_similar_args, min_size, "SIZE", "both have at least SIZE in common"),
	OPT_FLAG_(0, "names", struct cmd_similar_args, names, "files must have the same name, too"),
	OPT_INT_('t', "top", struct cmd_similar_args, top, "N", "only the first N (0: all; default on a terminal: 20)"),
	OPT_FLAG_(0, "payload", struct cmd_similar_args, payload, "instead: pairs that have files which differ in their tags alone"),
	OPT_FLAG_('a', "all", struct cmd_similar_args, all, "the whole index, also in the shell, where no DIR means its directory"),
	OPT_FLAG_(0, "no-check", struct cmd_similar_args, no_check, "as of the last scan: do not look at the files"),
	OPT_END
};

/* A question on its way. */
struct cmd_similar {
	const struct cmd_call *c;
	const struct cmd_similar_args *a;
	struct index *ix;        /* the one of the command, or all joined */
	struct joined joined;    /* with other indexes */
	struct indexes archives; /* taken for directories, as other indexes */
	VEC(size_t) groups;      /* then: of which index each directory is that was asked for */
	struct similar s;
	struct similar_look look;
	struct disks disks;
	uint8_t *reasons;        /* by directory, of index/fleeting: of what lies at and below it */
	size_t shown;            /* of s.pairs, those that are printed */
	int64_t n_gone;          /* of these, left out because a directory is gone */
	int64_t n_trashed;       /* files in trashes of these, with content that is nowhere else */
	int64_t n_more;          /* not printed because of --top */
};

static int64_t
cmd_similar_bytes(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* The path of a directory, in memory. */
static const char *
cmd_similar_path(const struct cmd_similar *w, uint32_t dir, struct arena *memory)
{
	struct buf path = { 0 };
	const char *copy;

	dirtree_path(w->s.h.map.dirs, dir, &path);
	copy = arena_dup(memory, path.data, path.len);
	buf_release(&path);
	return copy;
}

static bool
cmd_similar_is_gone(const struct cmd_similar *w, uint32_t dir)
{
	return w->look.gone != NULL && w->look.gone[dir];
}

/* Whether a directory is one of members of an archive: nothing of it is looked at. */
static bool
cmd_similar_is_archive(const struct cmd_similar *w, uint32_t dir)
{
	return w->archives.others.n > 0 && joined_of(&w->joined, dirtree_id(w->s.h.map.dirs, dir)) > 0;
}

static int64_t
cmd_similar_unjudged(const struct cmd_similar *w, uint32_t dir)
{
	return cmd_similar_is_archive(w, dir) ? w->s.h.v[dir].unjudged : similar_look_unjudged(&w->look, &w->s.h, dir);
}

/* The other twins of a directory, but those that are gone, or in which something is not judged. */
static void
cmd_similar_twins(const struct cmd_similar *w, uint32_t dir, uint32_t other, struct similar_dirs *dirs)
{
	size_t n = 0;

	similar_twins(&w->s, dir, other, dirs);
	for (size_t i = 0; i < dirs->n; i++) {
		if (!cmd_similar_is_gone(w, dirs->v[i]) && cmd_similar_unjudged(w, dirs->v[i]) == 0)
			dirs->v[n++] = dirs->v[i];
	}
	dirs->n = n;
}

static struct similar_answer_side
cmd_similar_side(const struct cmd_similar *w, const struct similar_side *side, uint32_t other, struct arena *memory)
{
	const struct holding *h = &w->s.h.v[side->dir];
	const size_t of = w->c->with != NULL ? joined_of(&w->joined, dirtree_id(w->s.h.map.dirs, side->dir)) : 0;
	struct similar_dirs twins = { 0 };
	struct similar_answer_side a = {
		.index = of > 0 ? indexes_nth(w->c->with, of)->name : NULL,
		.path = cmd_similar_path(w, side->dir, memory), .files = h->files, .bytes = cmd_similar_bytes(h->bytes),
		.shared_files = side->files, .shared_bytes = cmd_similar_bytes(side->bytes),
		.unjudged = cmd_similar_unjudged(w, side->dir),
		.fleeting = dirtree_fleeting(w->s.h.map.dirs, side->dir) & ~dirtree_fleeting(w->s.h.map.dirs, other),
		.partly = w->reasons[side->dir] & ~(dirtree_fleeting(w->s.h.map.dirs, side->dir) | dirtree_fleeting(w->s.h.map.dirs, other)),
	};

	cmd_similar_twins(w, side->dir, other, &twins);
	a.twins = (int64_t)twins.n;
	vec_release(&twins);
	return a;
}

/* Tell of two directories, of a pair or of twins, that may be one, seen in two places. */
static void
cmd_similar_tell_view(struct cmd_similar *w, uint32_t left, uint32_t right)
{
	const struct dirtree *t = w->s.h.map.dirs;
	struct buf path = { 0 };

	if (!disks_dirs_may_share(&w->disks, t, left, right) &&
	    !contents_map_mirrors(&w->s.h.map, left, dirtree_end(t, left), right, dirtree_end(t, right)))
		return;
	dirtree_path(t, w->disks.of[right] < 0 ? right : left, &path);
	cmd_count_gap(w->c->verdict, buf_str(&path), GAP_UNPROVEN, true,
	                      "the directories of a pair may be two views of the same files (an overlay, or a FUSE program)");
	buf_release(&path);
}

/* Print a pair, unless a directory of it is gone. */
static int
cmd_similar_print(struct cmd_similar *w, struct out *o, const struct similar_pair *p)
{
	struct arena memory = { 0 };
	VEC(struct similar_twin) twins = { 0 };
	const bool left = p->left.files == w->s.h.v[p->left.dir].files, right = p->right.files == w->s.h.v[p->right.dir].files;
	struct similar_answer a = { .kind = dir_digest_are_twins(&w->s.h, p->left.dir, p->right.dir) ? SIMILAR_TWINS : left && right ? SIMILAR_SAME :
	                                    left || right ? SIMILAR_CONTAINED : SIMILAR_OVERLAP,
	                            .contents = p->contents, .bytes = cmd_similar_bytes(p->bytes),
	                            .linked = p->linked, .linked_bytes = cmd_similar_bytes(p->linked_bytes) };
	int ret;

	cmd_similar_tell_view(w, p->left.dir, p->right.dir);
	a.left = cmd_similar_side(w, &p->left, p->right.dir, &memory);
	a.right = cmd_similar_side(w, &p->right, p->left.dir, &memory);
	if (a.kind == SIMILAR_TWINS) {
		struct similar_dirs dirs = { 0 };

		cmd_similar_twins(w, p->left.dir, p->right.dir, &dirs);
		for (size_t i = 0; i < dirs.n; i++) {
			cmd_similar_tell_view(w, p->left.dir, dirs.v[i]);
			vec_push(&twins, ((struct similar_twin){ cmd_similar_path(w, dirs.v[i], &memory),
			                                         dirtree_fleeting(w->s.h.map.dirs, dirs.v[i]) & ~dirtree_fleeting(w->s.h.map.dirs, p->left.dir) }));
		}
		vec_release(&dirs);
	}
	a.twins = twins.v;
	a.n_twins = twins.n;
	ret = out_similar(o, &a);
	vec_release(&twins);
	arena_release(&memory);
	return ret;
}

/* similar_trash_fn */
static void
cmd_similar_trashed(void *arg, const char *path)
{
	struct cmd_similar *w = arg;

	w->n_trashed++;
	if (w->c->globals->verbose > 0 && !w->c->globals->quiet)
		cmd_message(w->c, "'%s' lies in a trash, and nowhere else: not compared", path);
}

/* list_gap_fn: count what lies where an offline disk belongs, and in whose directory. */
static void
cmd_similar_gap_beside(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct cmd_similar *w = arg;

	similar_look_note(&w->look, &w->s.h, path, gap);
	cmd_count_gap(w->c->verdict, path, gap, dir, why);
}

/* Look at directories, but for those of members, and at what lies where an offline disk belongs. */
static int
cmd_similar_look(struct cmd_similar *w, struct similar_dirs *dirs, struct err *err)
{
	const struct cmd_target *t = w->c->target;
	size_t n = 0;

	for (size_t i = 0; i < dirs->n; i++) {
		if (!cmd_similar_is_archive(w, dirs->v[i]))
			dirs->v[n++] = dirs->v[i];
	}
	dirs->n = n;
	if (w->a->no_check || n == 0)
		return 0;
	if (cmd_gaps_of_offline(w->c, t->paths.v, t->paths.n, cmd_similar_gap_beside, w, err) < 0)
		return -1;
	return similar_look_load(&w->look, &w->s.h, w->ix, dirs, t->exclude.v, t->exclude.n, cmd_count_gap, w->c->verdict, err);
}

/* Look at the directories of the pairs shown, and note why files there may go by themselves. */
static int
cmd_similar_check(struct cmd_similar *w, struct err *err)
{
	const struct dirtree *t = w->s.h.map.dirs;
	struct similar_dirs dirs = { 0 };
	int ret;

	for (size_t i = 0; i < w->shown; i++) {
		const struct similar_pair *p = &w->s.pairs.v[i];

		vec_push(&dirs, p->left.dir);
		vec_push(&dirs, p->right.dir);
		if (dir_digest_are_twins(&w->s.h, p->left.dir, p->right.dir))
			similar_twins(&w->s, p->left.dir, p->right.dir, &dirs);
	}
	ret = disks_load(&w->disks, w->ix, w->s.h.map.dirs, err);
	/*
	 * Why files at and below each directory may go by themselves.  Those below it have greater
	 * numbers.
	 */
	w->reasons = mem_zalloc(dirtree_count(t), sizeof(*w->reasons));
	for (uint32_t dir = dirtree_count(t); dir-- > 0;) {
		if (w->s.h.v[dir].files > 0)
			w->reasons[dir] |= (uint8_t)(dirtree_fleeting(t, dir) & ~FLEETING_TRASH);
		w->reasons[dirtree_parent(t, dir)] |= w->reasons[dir];
	}
	if (ret == 0)
		ret = cmd_similar_look(w, &dirs, err);
	if (ret == 0)
		ret = similar_trash_each(&w->s.h, w->ix, &dirs, w->c->target->exclude.v, w->c->target->exclude.n, cmd_similar_trashed, w, err);
	vec_release(&dirs);
	return ret;
}

/* Add a directory, and what the index has at and below it. */
static void
cmd_similar_add_tops(const struct dirtree *t, uint32_t top, struct similar_dirs *dirs)
{
	if (top > 0)
		vec_push(dirs, top);
	for (uint32_t dir = top + 1; dir < dirtree_end(t, top); dir++) {
		if (dirtree_id(t, dir) != 0 && dirtree_id(t, dirtree_parent(t, dir)) == 0)
			vec_push(dirs, dir);
	}
}

/* There is no pair: look at all directories that could have made one. */
static int
cmd_similar_check_none(struct cmd_similar *w, struct err *err)
{
	const struct cmd_paths *paths = &w->c->target->paths;
	struct dirtree *t = w->s.h.map.dirs;
	struct similar_dirs dirs = { 0 };
	int ret;

	/* With one directory the other of a pair may lie anywhere. */
	if (paths->n < 2 || (w->c->with != NULL && w->groups.v[0] > 0))
		cmd_similar_add_tops(t, 0, &dirs);
	for (size_t i = 0; i < paths->n; i++) {
		const uint32_t dir = dirtree_find(t, paths->v[i]);

		if (cmd_similar_is_archive(w, dir))
			dirtree_exclude(t, paths->v[i]);
		cmd_similar_add_tops(t, dir, &dirs);
	}
	ret = cmd_similar_look(w, &dirs, err);
	vec_release(&dirs);
	return ret;
}

static int
cmd_similar_print_all(struct cmd_similar *w, struct err *err)
{
	struct out_style style = cmd_style(w->c, OUT_SIMILAR);
	struct out *o;
	int ret = 0;

	o = out_open(w->c->out, &style);
	for (size_t i = 0; ret == 0 && i < w->shown; i++) {
		const struct similar_pair *p = &w->s.pairs.v[i];

		if (cmd_similar_is_gone(w, p->left.dir) || cmd_similar_is_gone(w, p->right.dir))
			w->n_gone++;
		else
			ret = cmd_similar_print(w, o, p);
		if (ret == 0)
			ret = stop_check(err);
	}
	return out_close(o, ret, err);
}

/* Say what the listing does not; lacks: something was not judged. */
static void
cmd_similar_tell(const struct cmd_similar *w, bool lacks)
{
	const struct cmd_call *c = w->c;
	char text[NUM_SHOW_MAX];

	if (w->s.pairs.n == 0)
		cmd_notice(c, "no two directories%s %sshare so much", c->n_operands > 0 ? " there" : "", lacks ? "are known to " : "");
	if (w->s.h.map.n_trash > 0)
		cmd_notice(c, "%s left out: name it to compare it", num_show_things((int64_t)w->s.h.map.n_trash, "trash", "trashes", text));
	if (w->n_trashed > 0)
		cmd_notice(c, "%s in a trash of a directory shown, with content that is nowhere else: not compared (-v names them)",
		           num_show_things(w->n_trashed, "file", "files", text));
	if (w->n_more > 0)
		cmd_notice(c, "%s more: --top 0 shows all", num_show_things(w->n_more, "pair", "pairs", text));
	if (w->n_gone > 0)
		cmd_notice(c, "%s left out: a directory is gone; '%s refresh' forgets it",
		           num_show_things(w->n_gone, "pair", "pairs", text), prog_name());
}

/* Ask about this index and others as one. */
static int
cmd_similar_join(struct cmd_similar *w, struct indexes *with, struct err *err)
{
	const struct cmd_target *t = w->c->target;
	const struct sets_query q = {
		.with = with, .exclude = t->exclude.v, .n_exclude = t->exclude.n, .min_size = 1,
		.no_check = w->a->no_check, .gap = cmd_count_gap, .gap_arg = w->c->verdict,
	};
	const int ret = joined_open(&w->joined, w->c->ix, &q, err);

	w->ix = w->joined.ix;
	return ret;
}

/* Join the indexes, and ask for pairs of the paths, or all of this index, and all of others. */
static int
cmd_similar_with(struct cmd_similar *w, struct cmd_target *t, struct err *err)
{
	struct dirs dirs = { .db = NULL };
	const size_t n = t->paths.n;
	int ret = cmd_similar_join(w, w->c->with, err);

	for (size_t i = 0; i < n; i++)
		vec_push(&w->groups, 0);
	for (size_t i = 0; ret == 0 && i < w->joined.tops.n; i++) {
		const struct joined_top *top = &w->joined.tops.v[i];
		struct buf path = { 0 };

		if (n > 0 && top->of == 0)
			continue;
		dirs.db = w->joined.ix->db;
		ret = dirs_path(&dirs, top->id, &path, err);
		vec_push(&t->paths, buf_take(&path));
		vec_push(&w->groups, top->of);
	}
	dirs_release(&dirs);
	return ret;
}

/* Take archives among the paths for directories: join their members with this index. */
static int
cmd_similar_open(struct cmd_similar *w, struct cmd_target *t, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < t->paths.n; i++) {
		struct inside in = { .path = NULL };

		ret = inside_find(w->c->ix, t->paths.v[i], &in, err);
		if (ret == 1 && w->c->with != NULL)
			ret = err_set(err, ERR_USAGE, "'%s' is an archive: its members are compared with this index alone, without --with", in.path);
		else if (ret == 1)
			ret = cmd_archives_add(w->c, &in, true, &w->archives, &t->paths.v[i], err);
		inside_release(&in);
	}
	if (ret == 0 && w->archives.others.n > 0) {
		ret = cmd_similar_join(w, &w->archives, err);
		cmd_archives_tell_opened(w->c, w->archives.others.n);
	}
	return ret;
}

static int
cmd_similar_run(const struct cmd_call *c, struct err *err)
{
	struct cmd_similar w = { .c = c, .a = c->args, .ix = c->ix };
	struct cmd_target *t = c->target;
	const int64_t top = w.a->top >= 0 ? w.a->top : c->tty && c->listing->format == OUT_TEXT ? SIMILAR_TOP : 0;
	int ret = -1;

	if (w.a->min_share < 1 || w.a->min_share > 100)
		return err_set(err, ERR_USAGE, "option '--min-share': a percentage is from 1 to 100");
	if (w.a->payload && (w.a->names || w.a->min_size > 0 || w.a->top >= 0))
		return err_set(err, ERR_USAGE, "--payload lists all pairs: no option chooses among them");
	if (w.a->payload)
		return cmd_payload_similar(c, &t->paths, err);
	if (cmd_similar_open(&w, t, err) < 0 || (c->with != NULL && cmd_similar_with(&w, t, err) < 0))
		goto out;
	{
		const struct similar_query q = {
			.dirs = t->paths.v, .n_dirs = t->paths.n, .groups = w.groups.v, .exclude = t->exclude.v,
			.n_exclude = t->exclude.n, .min_share = w.a->min_share, .min_size = w.a->min_size, .by_name = w.a->names,
		};

		if (similar_load(&w.s, w.ix, &q, err) < 0)
			goto out;
	}
	w.shown = top > 0 && (uint64_t)top < w.s.pairs.n ? (size_t)top : w.s.pairs.n;
	w.n_more = (int64_t)(w.s.pairs.n - w.shown);
	if ((w.shown > 0 ? cmd_similar_check(&w, err) : cmd_similar_check_none(&w, err)) < 0 || cmd_similar_print_all(&w, err) < 0)
		goto out;
	c->verdict->told.files[GAP_UNPROVEN] = w.n_trashed;
	c->verdict->told.files[GAP_GONE] = w.n_gone;
	ret = cmd_lacks(c, err);
	if (ret >= 0)
		cmd_similar_tell(&w, ret > 0);
	if (ret == 0 && w.s.pairs.n == 0)
		cmd_paths_hint_all(c);
	ret = ret < 0 ? -1 : CMD_OK;
out:
	similar_look_release(&w.look);
	disks_release(&w.disks);
	free(w.reasons);
	similar_release(&w.s);
	joined_close(&w.joined);
	indexes_close(&w.archives);
	vec_release(&w.groups);
	return ret;
}

const struct cmd cmd_similar = {
	.name = "similar",
	.operands = "[DIR...]",
	.summary = "list pairs of directories that share content",
	.help = "Shows how much both have in common, what share of each that is, and what only one of them\n"
	        "has; most shared bytes first.  With one DIR, pairs with a directory there or below it; with\n"
	        "several, pairs between them.  A pair also stands for pairs of its subdirectories that add\n"
	        "nothing.  Twins have the same content under the same names.  Empty files are not counted.\n"
	        "A DIR may be an archive that was opened.  With --with, pairs of a directory of this index and\n"
	        "one of another.",
	.opts = cmd_similar_opts,
	.args_size = sizeof(struct cmd_similar_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_NUMBERS | CMD_JOINS | CMD_PATHS | CMD_HERE | CMD_DIRS | CMD_KNOWN | CMD_NESTED,
	.defaults = &(const struct cmd_similar_args){ .min_share = SIMILAR_SHARE, .top = -1 },
	.run = cmd_similar_run,
};
