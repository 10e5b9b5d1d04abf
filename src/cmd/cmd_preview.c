/* SPDX-License-Identifier: MIT */
/*
 * Each file belongs to a line.  At first there is one for each volume: the deepest directory that
 * has all files of it.  Then the largest line is split, again and again: its files go to lines of
 * the subdirectories, and those directly in the directory to one of theirs, as long as all lines
 * together are few.  Where the first split makes too many, the smallest become one line, the rest.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/plan.h"
#include "cmd/cmd.h"
#include "cmd/cmd_preview.h"
#include "index/exclusive_extents.h"
#include "query/answer.h"
#include "sys/volume.h"
#include "trees/copy_dirs.h"
#include "ui/width.h"

/* The directories of copies that a line names. */
enum { PREVIEW_PLACES = 2 };
/* The columns before the text of a line: those of a size. */
enum { PREVIEW_INDENT = 12 };

/* A file that would go. */
struct preview_file {
	const char *path, *keeper;   /* borrowed */
	int64_t frees, volume;
	size_t line;                 /* its number */
	size_t part;                 /* while a line is split: where it would go */
};

struct preview_line {
	const char *dir;             /* absolute */
	enum {
		PREVIEW_BELOW,       /* files at any depth below dir */
		PREVIEW_DIRECT,      /* files directly in dir */
		PREVIEW_REST         /* files of subdirectories of dir that have no line */
	} kind;
	bool whole;                  /* it can't be split, or there is no room for that */
	int64_t volume, files, frees;
	int64_t dirs;                /* of PREVIEW_REST: subdirectories */
	size_t part;                 /* while a line is split: the number of this part */
};

struct preview {
	VEC(struct preview_file) files;
	VEC(struct preview_line) lines;
	bool several_volumes;
	struct arena paths;
};

/* By path, what lies in a directory one after the other. */
static int
preview_cmp_file(const void *a, const void *b)
{
	return path_order(((const struct preview_file *)a)->path, ((const struct preview_file *)b)->path);
}

/* Lines with more bytes before those with fewer, the rest last. */
static int
preview_cmp_line(const void *a, const void *b)
{
	const struct preview_line *x = a, *y = b;

	ORDER_CMP(x->kind == PREVIEW_REST, y->kind == PREVIEW_REST);
	ORDER_CMP(y->frees, x->frees);
	ORDER_CMP(y->files, x->files);
	ORDER_CMP(x->kind, y->kind);
	return strcmp(x->dir, y->dir);
}

/* Sum up where the copies of the files of a line lie. */
static void
preview_places(const struct preview *p, size_t number, struct copy_dirs *places)
{
	places->asked = p->lines.v[number].dir;
	for (size_t i = 0; i < p->files.n; i++) {
		const struct member keeper = { .path = p->files.v[i].keeper, .kind = MEMBER_COPY };

		if (p->files.v[i].line == number)
			copy_dirs_add(places, &(struct file_answer){ .path = p->files.v[i].path, .members = &keeper, .n_members = 1 });
	}
	copy_dirs_close(places);
}

/* Make the first lines, one for each volume, and count the files in them. */
static void
preview_begin(struct preview *p)
{
	for (size_t i = 0; i < p->files.n; i++) {
		struct preview_file *f = &p->files.v[i];
		struct preview_line *l;
		size_t n = 0;

		while (n < p->lines.n && p->lines.v[n].volume != f->volume)
			n++;
		if (n == p->lines.n)
			vec_push(&p->lines, ((struct preview_line){
				.dir = arena_dup(&p->paths, f->path, path_parent_len(f->path)), .volume = f->volume,
			}));
		l = &p->lines.v[n];
		if (!path_is_below(f->path, l->dir))
			l->dir = arena_dup(&p->paths, f->path, path_common_len(l->dir, f->path));
		f->line = n;
		l->files++;
		l->frees = num_add(l->frees, f->frees);
	}
}

/*
 * Find what a line can be split into: files directly in its directory, and those of each
 * subdirectory.  Each of its files is told in which part it is.
 */
static void
preview_parts(struct preview *p, size_t number, struct preview *parts)
{
	const struct preview_line l = p->lines.v[number];

	vec_push(&parts->lines, ((struct preview_line){ .dir = l.dir, .kind = PREVIEW_DIRECT, .whole = true, .volume = l.volume }));
	for (size_t i = 0; i < p->files.n; i++) {
		struct preview_file *f = &p->files.v[i];
		const char *end = f->line == number ? strchr(path_below(f->path, l.dir), '/') : NULL;
		const size_t next = parts->lines.n;
		struct preview_line *part;

		if (f->line != number)
			continue;
		if (end != NULL && (next == 1 || !path_is_below(f->path, parts->lines.v[next - 1].dir)))
			vec_push(&parts->lines, ((struct preview_line){
				.dir = arena_dup(&p->paths, f->path, (size_t)(end - f->path)), .volume = l.volume, .part = next,
			}));
		f->part = end != NULL ? parts->lines.n - 1 : 0;
		part = &parts->lines.v[f->part];
		part->files++;
		part->frees = num_add(part->frees, f->frees);
	}
}

/*
 * Put the parts of a line in its place, if there is room for all; of the line that is split first
 * the smaller ones become one line.
 */
static void
preview_split(struct preview *p, size_t number, bool first)
{
	const size_t room = p->lines.n > CMD_PREVIEW_LINES ? 0 : CMD_PREVIEW_LINES + 1 - p->lines.n;
	struct preview parts = { .files = { 0 } };
	size_t n, own, *line;

	p->lines.v[number].whole = true;
	preview_parts(p, number, &parts);
	n = parts.lines.n - (parts.lines.v[0].files == 0);
	own = n <= room ? n : first && room > 1 ? room - 1 : 0;
	if (own > 0) {
		const struct preview_line rest = { .dir = p->lines.v[number].dir, .kind = PREVIEW_REST, .whole = true, .volume = p->lines.v[number].volume };

		line = mem_resize(NULL, parts.lines.n, sizeof(*line));
		qsort(parts.lines.v, parts.lines.n, sizeof(*parts.lines.v), preview_cmp_line);
		p->lines.v[number] = parts.lines.v[0];
		for (size_t i = 0; i < n; i++) {
			const struct preview_line *part = &parts.lines.v[i];
			struct preview_line *last;

			if (i > 0 && i <= own)
				vec_push(&p->lines, i < own ? *part : rest);
			line[part->part] = i == 0 ? number : p->lines.n - 1;
			last = &p->lines.v[p->lines.n - 1];
			if (i >= own) {
				last->files += part->files;
				last->frees = num_add(last->frees, part->frees);
				last->dirs++;
			}
		}
		for (size_t i = 0; i < p->files.n; i++) {
			if (p->files.v[i].line == number)
				p->files.v[i].line = line[p->files.v[i].part];
		}
		free(line);
	}
	vec_release(&parts.lines);
}

/* Split lines, the largest first, while that tells copies in one place from those in another. */
static void
preview_refine(struct preview *p)
{
	for (bool first = true; ; first = false) {
		struct copy_dirs places = { .apart = true };
		size_t number = p->lines.n;

		for (size_t i = 0; i < p->lines.n; i++) {
			if (!p->lines.v[i].whole && (number == p->lines.n || preview_cmp_line(&p->lines.v[i], &p->lines.v[number]) < 0))
				number = i;
		}
		if (number == p->lines.n)
			return;
		preview_places(p, number, &places);
		if (places.places.n > 1)
			preview_split(p, number, first);
		else
			p->lines.v[number].whole = true;
		copy_dirs_release(&places);
	}
}

/* Bring the lines into the order in which they are shown. */
static void
preview_sort(struct preview *p)
{
	size_t *line = mem_resize(NULL, p->lines.n, sizeof(*line));

	for (size_t i = 0; i < p->lines.n; i++)
		p->lines.v[i].part = i;
	qsort(p->lines.v, p->lines.n, sizeof(*p->lines.v), preview_cmp_line);
	for (size_t i = 0; i < p->lines.n; i++)
		line[p->lines.v[i].part] = i;
	for (size_t i = 0; i < p->files.n; i++)
		p->files.v[i].line = line[p->files.v[i].line];
	free(line);
}

/* Append " on LABEL", the name of the volume of a directory, if it has one. */
static void
preview_add_disk(const struct cmd_call *c, struct buf *b, const char *dir)
{
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct buf label = { 0 };
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0)
		volume_label(fd, (uint64_t)st.st_dev, &label);
	(void)close(fd);
	if (label.len > 0) {
		buf_adds(b, " on ");
		cmd_add_path(c, b, buf_str(&label));
	}
	buf_release(&label);
}

/* Append ": copies stay in A (12) and elsewhere": of all places the first ones. */
static void
preview_add_places(const struct cmd_call *c, struct buf *b, const struct preview_line *l, const struct copy_dirs *places, size_t most)
{
	const size_t n = places->places.n;
	char x[NUM_SHOW_MAX];

	buf_adds(b, l->files == 1 ? ": a copy stays " : ": copies stay ");
	for (size_t i = 0; i < n && i < most; i++) {
		const struct tree_place *place = &places->places.v[i];

		buf_adds(b, i == 0 ? "" : n == most ? " and " : ", ");
		buf_adds(b, place->direct ? "directly in " : "in ");
		cmd_add_path(c, b, place->path);
		if (n > 1)
			buf_addf(b, " (%s)", num_show_count(place->files, x));
	}
	if (n > most)
		buf_adds(b, " and elsewhere");
}

/* Append a line, with as many places of copies as fit into it, at least one. */
static void
preview_add_line(const struct cmd_call *c, struct buf *b, const struct preview *p, size_t number)
{
	const struct preview_line *l = &p->lines.v[number];
	struct copy_dirs places = { .apart = true };
	struct buf line = { 0 };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	size_t begun;

	buf_addf(&line, "%10s  %s ", num_show_size(l->frees, cmd_style(c, OUT_PATHS).units, x), num_show_things(l->files, "file", "files", y));
	if (l->kind == PREVIEW_REST)
		buf_addf(&line, "in %s of ", num_show_things(l->dirs, "other directory", "other directories", x));
	else
		buf_adds(&line, l->kind == PREVIEW_DIRECT ? "directly in " : "in ");
	cmd_add_path(c, &line, l->dir);
	if (p->several_volumes)
		preview_add_disk(c, &line, l->dir);
	begun = line.len;
	preview_places(p, number, &places);
	for (size_t most = PREVIEW_PLACES; most > 0; most--) {
		buf_cut(&line, begun);
		preview_add_places(c, &line, l, &places, most);
		/* A terminal that does not say how wide it is folds lines by itself. */
		if (c->env->width < 2 || width_rows(line.data, line.len, c->env->width - 1) <= 1)
			break;
	}
	buf_addc(&line, '\n');
	width_fold(b, buf_str(&line), PREVIEW_INDENT, c->env->width);
	copy_dirs_release(&places);
	buf_release(&line);
}

/* Append the lines of the files of a preview, and free it. */
static void
preview_add(const struct cmd_call *c, struct buf *b, struct preview *p)
{
	if (p->files.n > 0) {
		qsort(p->files.v, p->files.n, sizeof(*p->files.v), preview_cmp_file);
		preview_begin(p);
		p->several_volumes = p->lines.n > 1;
		preview_refine(p);
		preview_sort(p);
	}
	for (size_t i = 0; i < p->lines.n; i++)
		preview_add_line(c, b, p, i);
	vec_release(&p->files);
	vec_release(&p->lines);
	arena_release(&p->paths);
}

void
cmd_add_preview(const struct cmd_call *c, struct buf *b, const struct plan *plan)
{
	struct exclusive_extents own = { .n = 0 };
	struct preview p = { .files = { 0 } };

	for (size_t i = 0; i < plan->groups.n; i++) {
		const struct act_group *g = &plan->groups.v[i];

		for (size_t j = 0; j < g->n; j++)
			vec_push(&p.files, ((struct preview_file){
				.path = g->victims[j].file.path, .keeper = g->keepers[0].path,
				.frees = plan_frees_victim(g, j, &own), .volume = g->victims[j].file.row.inode.volume,
			}));
	}
	preview_add(c, b, &p);
	exclusive_extents_release(&own);
}

void
cmd_add_preview_files(const struct cmd_call *c, struct buf *b, const struct cmd_preview_file *v, size_t n)
{
	struct preview p = { .files = { 0 } };

	for (size_t i = 0; i < n; i++)
		vec_push(&p.files, ((struct preview_file){ .path = v[i].path, .keeper = v[i].keeper, .frees = v[i].size }));
	preview_add(c, b, &p);
}
