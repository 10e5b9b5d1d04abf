/* SPDX-License-Identifier: MIT */
/*
 * The page is markup and a style: a policy in it forbids the reader's program everything else.
 * Sections are hidden but the one that the address names (":target"), so links alone drill down.
 * It is well-formed XML: a page that was cut off is not.
 *
 * Pictures have no size of their own: widths and heights are percentages, so that they fit a phone
 * and a sheet, while text keeps the reader's size.  Each tile is an <svg> within that of its map,
 * which cuts its text off at its edge.  A directory whose redundant bytes all lie in one
 * subdirectory is replaced by that, with the path to it.
 */
#include "base/base.h"

#include "ui/page.h"

#include "query/answer.h"
#include "query/dirtree.h"
#include "query/usage.h"
#include "query/usage_top.h"
#include "ui/html.h"
#include "ui/treemap.h"

/* Generated from src/ui/page/page.css. */
extern const char page_text[];

/* Sections; tiles in a map, and in a tile of it; levels of these. */
enum { MAP_SECTIONS = 100, MAP_TILES = 48, MAP_WITHIN = 8, MAP_NESTED = 2 };

/* A directory has a section if it has at least this part of all that is redundant. */
enum { MAP_PART = 2000 };

/* The box of a map as it is on a screen, in pixels, and the least width and height of a tile. */
enum { MAP_WIDTH = 1000, MAP_HEIGHT = 600, MAP_LEAST = 8 };

/* The least tile that shows what is in it, below its name; it frames that by some pixels. */
enum { MAP_OPEN_WIDTH = 160, MAP_OPEN_HEIGHT = 120, MAP_STRIP = 24, MAP_FRAME = 4 };

/* Of a tile with a name, and with a second line of text. */
enum { MAP_NAMED = 18, MAP_SIZED = 38 };

/* Characters of a name. */
enum { MAP_NAME = 60 };

/* Levels of the overview; the least bar, and the least one with a name, in percent of its width. */
enum { MAP_LEVELS = 4 };
#define MAP_BAR 0.7
#define MAP_BAR_NAMED 2.5

/* The least redundant percentage of each class of colours but the first. */
static const int map_classes[] = { 5, 20, 50, 80 };
enum { MAP_CLASSES = sizeof(map_classes) / sizeof(map_classes[0]) };

/* The directories with a picture of their own. */
struct page_map {
	const struct usage *usage;   /* borrowed */
	enum num_units units;
	uint32_t dir;                /* which all are at or below */
	uint32_t *dirs;              /* by redundant bytes, dir first; owned */
	size_t n;                    /* fewer may be shown than were found */
	size_t *rank;                /* by number from dir: the place in dirs, or SIZE_MAX; owned */
};

/* The directory at or below dir in which its redundant bytes begin to lie in several places. */
static uint32_t
map_opened(const struct usage *u, uint32_t dir)
{
	for (;;) {
		struct usage_places in = { 0 };
		const uint32_t before = dir;

		usage_places_in(u, dir, &in);
		if (in.n == 1 && !in.v[0].within && in.v[0].sum.redundant == usage_below(u, dir).redundant)
			dir = in.v[0].dir;
		vec_release(&in);
		if (dir == before)
			return dir;
	}
}

/* Whether there are several places in a directory. */
static bool
map_divides(const struct usage *u, uint32_t dir)
{
	struct usage_places in = { 0 };
	bool divides;

	usage_places_in(u, dir, &in);
	divides = in.n > 1;
	vec_release(&in);
	return divides;
}

static int
map_cmp(const void *a, const void *b)
{
	const struct usage_place *x = a, *y = b;

	if (x->sum.redundant != y->sum.redundant)
		return x->sum.redundant > y->sum.redundant ? -1 : 1;
	return x->dir < y->dir ? -1 : 1;
}

/*
 * Find them at and below a directory that has something redundant, beginning with the first in
 * which that lies in several places.
 */
static void
page_map_find(struct page_map *m, const struct usage *u, uint32_t dir, enum num_units units)
{
	const struct dirtree *dirs = usage_dirs(u);
	struct usage_places all = { 0 };
	uint32_t end;
	int64_t least;

	*m = (struct page_map){ .usage = u, .units = units, .dir = map_opened(u, dir) };
	end = dirtree_end(dirs, m->dir);
	least = usage_below(u, m->dir).redundant / MAP_PART;
	for (uint32_t d = m->dir; d < end; d++) {
		const struct usage_sum sum = usage_below(u, d);

		if (d == m->dir || (sum.redundant > least && !dirtree_excluded(dirs, d) && map_divides(u, d)))
			vec_push(&all, ((struct usage_place){ d, false, sum }));
	}
	qsort(all.v, all.n, sizeof(*all.v), map_cmp);
	m->n = all.n < MAP_SECTIONS ? all.n : MAP_SECTIONS;
	m->dirs = mem_alloc(m->n * sizeof(*m->dirs));
	m->rank = mem_alloc((end - m->dir) * sizeof(*m->rank));
	for (uint32_t d = m->dir; d < end; d++)
		m->rank[d - m->dir] = SIZE_MAX;
	for (size_t i = 0; i < m->n; i++) {
		m->dirs[i] = all.v[i].dir;
		m->rank[all.v[i].dir - m->dir] = i;
	}
	vec_release(&all);
}

static bool
map_has(const struct page_map *m, uint32_t dir)
{
	return m->rank[dir - m->dir] < m->n;
}

/* Append the name of a directory's section. */
static void
map_id(const struct page_map *m, uint32_t dir, struct buf *b)
{
	if (dir == m->dir)
		buf_adds(b, "top");
	else
		buf_addf(b, "d%u", dir);
}

static void
map_link(const struct page_map *m, uint32_t dir, struct buf *b)
{
	buf_adds(b, "<a href=\"#");
	map_id(m, dir, b);
	buf_adds(b, "\">");
}

/* The percentage of bytes that is redundant. */
static int
map_percent(const struct usage_sum *sum)
{
	return sum->bytes > 0 ? (int)((double)sum->redundant * 100 / (double)sum->bytes) : 0;
}

/* Append a tile's class, by the share that is redundant. */
static void
map_class(const struct usage_sum *sum, struct buf *b)
{
	const int percent = map_percent(sum);
	int class = 0;

	while (class < MAP_CLASSES && percent >= map_classes[class])
		class++;
	buf_addf(b, " class=\"s%d\"", class);
}

/* Append what the colours of both mean. */
static void
page_map_legend(struct buf *b)
{
	buf_addf(b, "<p class=\"weak\">Colour, how much of it is redundant: <i class=\"s0\"></i> less than %d%%", map_classes[0]);
	for (int i = 0; i < MAP_CLASSES; i++)
		buf_addf(b, ", <i class=\"s%d\"></i> from %d%%", i + 1, map_classes[i]);
	buf_adds(b, "</p>\n");
}

/* Append "12 MiB (34%) of 36 MiB in 7 files". */
static void
map_sum(const struct page_map *m, const struct usage_sum *sum, struct buf *b)
{
	char redundant[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX], files[NUM_SHOW_MAX];

	buf_adds(b, num_show_size(sum->redundant, m->units, redundant));
	buf_addf(b, " (%d%%) of %s in %s", map_percent(sum), num_show_size(sum->bytes, m->units, bytes),
	         num_show_things(sum->files, "file", "files", files));
}

/* Append the path of dir from the directory above. */
static void
map_name(const struct page_map *m, uint32_t above, uint32_t dir, struct buf *b)
{
	const struct dirtree *dirs = usage_dirs(m->usage);
	struct buf path = { 0 }, from = { 0 };

	dirtree_path(dirs, dir, &path);
	dirtree_path(dirs, above, &from);
	html_add_cut(b, buf_str(&path) + (dir == above ? 0 : from.len + (from.len > 1)), MAP_NAME);
	buf_release(&path);
	buf_release(&from);
}

/* Something with an area: a place, or those that are not shown one by one. */
struct map_tile {
	struct usage_place place;   /* opened */
	size_t more;                /* else how many places */
};

/* Append what a tile is called: as a text of its own, or as a title with its sums. */
static void
map_label(const struct page_map *m, uint32_t dir, const struct map_tile *t, struct buf *b)
{
	char text[NUM_SHOW_MAX];

	if (t->more > 0)
		buf_addf(b, "%s more", num_show_count((int64_t)t->more, text));
	else if (t->place.within)
		buf_adds(b, "files directly here");
	else
		map_name(m, dir, t->place.dir, b);
}

/* Append a tile of the map of dir; opens: what is in it lies below its first line of text. */
static void
map_tile(const struct page_map *m, uint32_t dir, const struct map_tile *t, bool opens, const struct treemap_box *box, struct buf *b)
{
	const bool leads = t->more == 0 && !t->place.within && map_has(m, t->place.dir);
	char text[NUM_SHOW_MAX];

	if (leads)
		map_link(m, t->place.dir, b);
	buf_adds(b, "<svg");
	map_class(&t->place.sum, b);
	buf_addf(b, " x=\"%.2f%%\" y=\"%.2f%%\" width=\"%.2f%%\" height=\"%.2f%%\"><title>", box->x * 100 / MAP_WIDTH,
	         box->y * 100 / MAP_HEIGHT, box->w * 100 / MAP_WIDTH, box->h * 100 / MAP_HEIGHT);
	map_label(m, dir, t, b);
	buf_adds(b, ": ");
	if (t->more > 0)
		buf_adds(b, num_show_size(t->place.sum.redundant, m->units, text));
	else
		map_sum(m, &t->place.sum, b);
	buf_adds(b, "</title><rect width=\"100%\" height=\"100%\"/>");
	if (box->h >= MAP_NAMED && box->w >= 2 * MAP_NAMED) {
		buf_adds(b, "<text x=\"5\" y=\"1.2em\">");
		map_label(m, dir, t, b);
		if (opens)
			buf_addf(b, " <tspan class=\"z\">%s</tspan>", num_show_size(t->place.sum.redundant, m->units, text));
		buf_adds(b, "</text>");
	}
	if (!opens && box->h >= MAP_SIZED && box->w >= 2 * MAP_SIZED)
		buf_addf(b, "<text class=\"z\" x=\"5\" y=\"2.5em\">%s</text>", num_show_size(t->place.sum.redundant, m->units, text));
	buf_adds(b, leads ? "</svg></a>\n" : "</svg>\n");
}

/*
 * Lay out the first n places, and the others as one tile behind them.  Returns how many places have
 * a tile that is large enough: as many as there are, or n, or fewer.
 */
static size_t
map_lay(const struct usage_places *in, size_t n, struct treemap_box box, struct map_tile *tiles, struct treemap_box *boxes,
        size_t *n_tiles)
{
	struct map_tile rest = { .more = in->n - n };
	double amounts[MAP_TILES + 1];
	size_t at = 0, seen = 0;

	for (size_t i = n; i < in->n; i++) {
		rest.place.sum.redundant = num_add(rest.place.sum.redundant, in->v[i].sum.redundant);
		rest.place.sum.bytes = num_add(rest.place.sum.bytes, in->v[i].sum.bytes);
	}
	*n_tiles = n + (rest.more > 0);
	for (size_t i = 0; i < *n_tiles; i++) {
		const bool is_rest = rest.more > 0 && at == i && (i == n || rest.place.sum.redundant > in->v[i].sum.redundant);

		if (!is_rest)
			tiles[i] = (struct map_tile){ .place = in->v[at++] };
		else
			tiles[i] = rest;
		amounts[i] = (double)tiles[i].place.sum.redundant;
	}
	treemap_divide(amounts, *n_tiles, box, boxes);
	for (size_t i = 0; i < *n_tiles; i++) {
		if (tiles[i].more == 0 && (boxes[i].w < MAP_LEAST || boxes[i].h < MAP_LEAST))
			break;
		seen += tiles[i].more == 0;
	}
	return seen;
}

/*
 * Append what is in a directory in a box of its map, in at most max tiles; on further levels the
 * larger tiles hold those of what is in them.
 */
static void
map_fill(const struct page_map *m, uint32_t dir, struct treemap_box box, size_t max, int levels, struct buf *b)
{
	struct map_tile tiles[MAP_TILES + 1];
	struct treemap_box boxes[MAP_TILES + 1];
	struct usage_places in = { 0 };
	size_t n, seen, n_tiles;

	usage_places_in(m->usage, dir, &in);
	n = in.n < max ? in.n : max;
	while (n > 0 && (seen = map_lay(&in, n, box, tiles, boxes, &n_tiles)) < n && n > 1)
		n = seen > 0 ? seen : 1;
	for (size_t i = 0; n > 0 && i < n_tiles; i++) {
		struct usage_place *place = &tiles[i].place;
		const struct treemap_box *at = &boxes[i];
		bool opens = tiles[i].more == 0 && !place->within;

		if (opens) {
			place->dir = map_opened(m->usage, place->dir);
			place->sum = usage_below(m->usage, place->dir);
		}
		opens = opens && levels > 0 && at->w >= MAP_OPEN_WIDTH && at->h >= MAP_OPEN_HEIGHT && map_divides(m->usage, place->dir);
		map_tile(m, dir, &tiles[i], opens, at, b);
		if (opens)
			map_fill(m, place->dir, (struct treemap_box){ at->x + MAP_FRAME, at->y + MAP_STRIP, at->w - 2 * MAP_FRAME,
			         at->h - MAP_STRIP - MAP_FRAME }, MAP_WITHIN, levels - 1, b);
	}
	vec_release(&in);
}

/* Append the map of a directory. */
static void
map_draw(const struct page_map *m, uint32_t dir, struct buf *b)
{
	const size_t begin = b->len;
	size_t empty;

	buf_adds(b, "<svg class=\"map\">\n");
	empty = b->len;
	map_fill(m, dir, (struct treemap_box){ 0, 0, MAP_WIDTH, MAP_HEIGHT }, MAP_TILES, MAP_NESTED, b);
	if (b->len > empty) {
		buf_adds(b, "</svg>\n");
		return;
	}
	buf_cut(b, begin);
	buf_adds(b, "<p class=\"weak\">No part of it frees that alone: names of the same files lie in several.</p>\n");
}

/* Append the way from the first directory to another, by sections; shown: that itself is, too. */
static void
map_way(const struct page_map *m, uint32_t dir, struct buf *b)
{
	uint32_t above = dir;

	if (dir == m->dir) {
		map_name(m, dir, dir, b);
		return;
	}
	do
		above = dirtree_parent(usage_dirs(m->usage), above);
	while (!map_has(m, above));
	map_link(m, above, b);
	map_name(m, m->dir, above, b);
	buf_adds(b, "</a> › ");
	map_name(m, above, dir, b);
}

/* Append the section of a directory, with a map: the first directory's is the last of the page. */
static void
map_section(const struct page_map *m, uint32_t dir, struct buf *b)
{
	const struct usage_sum sum = usage_below(m->usage, dir);

	buf_adds(b, "<section id=\"");
	map_id(m, dir, b);
	buf_adds(b, "\">\n<h2>");
	map_way(m, dir, b);
	buf_adds(b, "</h2>\n<p>");
	map_sum(m, &sum, b);
	buf_adds(b, " can go.</p>\n");
	map_draw(m, dir, b);
	buf_adds(b, "</section>\n");
}

/*
 * Append the bar of a directory in the overview, x and w in percent, and those below it; above: the
 * directory of the last bar.
 */
static void
map_bar(const struct page_map *m, uint32_t above, uint32_t dir, double x, double w, int level, struct buf *b)
{
	const struct usage_sum sum = usage_below(m->usage, dir);
	const bool leads = map_has(m, dir);
	struct usage_places in = { 0 };
	double all = 0;

	if (leads)
		map_link(m, dir, b);
	buf_adds(b, "<svg");
	map_class(&sum, b);
	buf_addf(b, " x=\"%.2f%%\" y=\"%dem\" width=\"%.2f%%\" height=\"2em\"><title>", x, 2 * level, w);
	map_name(m, above, dir, b);
	buf_adds(b, ": ");
	map_sum(m, &sum, b);
	buf_adds(b, "</title><rect width=\"100%\" height=\"100%\"/>");
	if (w >= MAP_BAR_NAMED) {
		buf_adds(b, "<text x=\"5\" y=\"1.3em\">");
		map_name(m, above, dir, b);
		buf_adds(b, "</text>");
	}
	buf_adds(b, leads ? "</svg></a>\n" : "</svg>\n");
	if (level + 1 < MAP_LEVELS)
		usage_places_in(m->usage, dir, &in);
	for (size_t i = 0; i < in.n; i++) {
		if (!in.v[i].within)
			in.v[i].dir = map_opened(m->usage, in.v[i].dir);
		in.v[i].sum = in.v[i].within ? in.v[i].sum : usage_below(m->usage, in.v[i].dir);
		all += (double)in.v[i].sum.bytes;
	}
	/* Inodes with names in several of them count in each. */
	all = all > (double)sum.bytes ? all : (double)sum.bytes;
	for (size_t i = 0; i < in.n; i++) {
		const double part = w * (double)in.v[i].sum.bytes / all;

		if (!in.v[i].within && part >= MAP_BAR) {
			map_bar(m, dir, in.v[i].dir, x, part, level + 1, b);
			x += part;
		}
	}
	vec_release(&in);
}

/* Members of a set that are named. */
enum { PAGE_MEMBERS = 20 };

void
page_set(struct page *p, const struct set_answer *s)
{
	struct buf b = { 0 };
	char redundant[NUM_SHOW_MAX], copies[NUM_SHOW_MAX], size[NUM_SHOW_MAX];

	buf_addf(&b, "<tr><td class=\"r\">%s</td><td class=\"r\">%s × %s</td><td><details><summary><bdi>",
	         num_show_size(s->redundant, p->units, redundant), num_show_count(s->n_copies, copies),
	         num_show_size(s->size, p->units, size));
	html_add(&b, s->members[0].path);
	buf_adds(&b, "</bdi></summary><ul>\n");
	for (size_t i = 1; i < s->n_members && i < PAGE_MEMBERS; i++) {
		const struct member *m = &s->members[i];

		buf_adds(&b, "<li><bdi>");
		html_add(&b, m->path);
		buf_adds(&b, "</bdi>");
		if (m->kind != MEMBER_COPY)
			buf_addf(&b, " <span class=\"weak\">%s</span>", member_kind_name(m->kind));
		buf_adds(&b, "</li>\n");
	}
	if (s->n_members > PAGE_MEMBERS)
		buf_addf(&b, "<li class=\"weak\">%s more</li>\n", num_show_count((int64_t)(s->n_members - PAGE_MEMBERS), copies));
	buf_adds(&b, "</ul></details></td></tr>\n");
	vec_push(&p->sets, buf_take(&b));
}

/* Append a directory of a pair, behind how much of it is in the other one. */
static void
page_add_side(const struct page *p, struct buf *b, const struct similar_answer_side *side)
{
	const int64_t only = side->files - side->shared_files;
	char files[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];

	buf_addf(b, "<li>%d%% of <bdi>", (int)((double)side->shared_bytes * 100 / (double)(side->bytes > 0 ? side->bytes : 1)));
	html_add(b, side->path);
	buf_adds(b, "</bdi>");
	if (only > 0)
		buf_addf(b, " <span class=\"weak\">only here: %s, %s</span>", num_show_things(only, "file", "files", files),
		         num_show_size(side->bytes - side->shared_bytes, p->units, bytes));
	buf_adds(b, "</li>\n");
}

void
page_pair(struct page *p, const struct similar_answer *s)
{
	struct buf b = { 0 };
	char bytes[NUM_SHOW_MAX], files[NUM_SHOW_MAX];

	buf_addf(&b, "<tr><td class=\"r\">%s</td><td class=\"r\">%s</td><td><ul>\n", num_show_size(s->bytes, p->units, bytes),
	         num_show_count(s->contents, files));
	page_add_side(p, &b, &s->left);
	page_add_side(p, &b, &s->right);
	buf_adds(&b, "</ul></td></tr>\n");
	vec_push(&p->pairs, buf_take(&b));
}

void
page_note(struct page *p, const char *text)
{
	struct buf b = { 0 };

	buf_adds(&b, "<li>");
	html_add(&b, text);
	buf_adds(&b, "</li>\n");
	vec_push(&p->notes, buf_take(&b));
}

static void
page_add_rows(struct buf *b, const struct page_rows *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_adds(b, rows->v[i]);
}

/* Append what the report is about: "3 roots", or a path. */
static void
page_add_where(const struct page *p, struct buf *b)
{
	struct buf path = { 0 };
	char text[NUM_SHOW_MAX];

	if (p->n_roots > 1) {
		buf_adds(b, num_show_things((int64_t)p->n_roots, "root", "roots", text));
		return;
	}
	dirtree_path(usage_dirs(p->usage), p->dir, &path);
	html_add(b, buf_str(&path));
	buf_release(&path);
}

/* Append the beginning up to the answer. */
static void
page_add_head(const struct page *p, const struct set_totals *totals, struct buf *b)
{
	const struct usage_sum sum = usage_below(p->usage, p->dir);
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], z[NUM_SHOW_MAX];

	buf_adds(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	            "<meta name=\"referrer\" content=\"no-referrer\"/>\n<title>Duplicates in ");
	page_add_where(p, b);
	buf_addf(b, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>Duplicates in <bdi>", page_text);
	page_add_where(p, b);
	buf_addf(b, "</bdi></h1>\n<p class=\"answer\"><strong>%s%s", set_totals_lack(totals) ? "up to " : "",
	         num_show_size(sum.redundant, p->units, x));
	if (sum.bytes > 0)
		buf_addf(b, " (%d%%)", (int)((double)sum.redundant * 100 / (double)sum.bytes));
	buf_addf(b, "</strong> of %s in %s can go, a copy stays: %s of duplicates.</p>\n", num_show_size(sum.bytes, p->units, y),
	         num_show_things(sum.files, "file", "files", z), num_show_things(totals->n_sets, "set", "sets", x));
	if (p->scanned > 0)
		buf_addf(b, "<p class=\"weak\">As of the scan of %s%s.</p>\n", num_show_local(p->scanned, x),
		         p->checked ? "; the copies in the sets were looked at for this page" : "");
}

/* Append a table in which there are n rows of all. */
static void
page_add_table(struct buf *b, const char *what, const char *head, const struct page_rows *rows, size_t n, int64_t all)
{
	char text[NUM_SHOW_MAX];

	if (n == 0)
		return;
	buf_addf(b, "<details open=\"open\"><summary>%s</summary>\n", what);
	buf_addf(b, "<table>\n<thead><tr>%s</tr></thead>\n<tbody>\n", head);
	page_add_rows(b, rows, n);
	buf_adds(b, "</tbody>\n</table>\n");
	if ((int64_t)n < all)
		buf_addf(b, "<p class=\"weak\">%s more</p>\n", num_show_count(all - (int64_t)n, text));
	buf_adds(b, "</details>\n");
}

/* Append the page with at most n rows of each kind. */
static void
page_add(const struct page *p, struct page_map *m, const struct set_totals *totals, size_t n, struct buf *b)
{
	page_add_head(p, totals, b);
	if (p->notes.n > 0) {
		buf_adds(b, "<ul class=\"notes\">\n");
		page_add_rows(b, &p->notes, p->notes.n);
		buf_adds(b, "</ul>\n");
	}
	if (m->dirs != NULL) {
		m->n = m->n < n ? m->n : n;
		buf_adds(b, "<h2>Where the bytes are</h2>\n"
		            "<p class=\"weak\">Width: all bytes of a directory. A gap: nothing redundant, or too little to be seen.</p>\n");
		page_map_legend(b);
		buf_addf(b, "<svg class=\"overview\" height=\"%dem\">\n", 2 * MAP_LEVELS);
		map_bar(m, m->dir, m->dir, 0, 100, 0, b);
		buf_adds(b, "</svg>\n");
		buf_adds(b, "<h2>What can go</h2>\n<p class=\"weak\">Area: redundant bytes. Underlined: opens.</p>\n");
		for (size_t i = m->n; i-- > 0;)
			map_section(m, m->dirs[i], b);
	}
	page_add_table(b, "Sets of duplicates", "<th class=\"r\">redundant</th><th class=\"r\">copies</th><th>files</th>",
	               &p->sets, p->sets.n < n ? p->sets.n : n, totals->n_sets);
	page_add_table(b, "Directories that share content",
	               "<th class=\"r\">in both</th><th class=\"r\">files</th><th>how much of each is in the other</th>",
	               &p->pairs, p->pairs.n < n ? p->pairs.n : n, p->n_pairs);
	buf_adds(b, "<h2>How this is counted</h2>\n"
	            "<p>Redundant is what could be freed in a directory alone so that one copy of everything stays somewhere in "
	            "the index. What two directories have of each other can go in either of them and not in both: it counts in "
	            "each, so the parts of a directory may add up to more than it has. A file with several names (hard links) "
	            "counts once, and frees nothing while one of its names lies elsewhere. Copies that share blocks count only "
	            "what they do not share. In the table, all copies of a set but one are redundant. Directories that "
	            "share content are those of which one has half of its bytes in the other, as of the last scan.</p>\n"
	            "<p class=\"weak\">Made by twindex " PACKAGE_VERSION ". It deletes nothing, and neither does this page.</p>\n"
	            "</main>\n</body>\n</html>\n");
}

void
page_write(struct page *p, const struct set_totals *totals, struct buf *b)
{
	struct page_map m = { .n = 0 };
	const size_t begin = b->len;
	size_t n = p->sets.n;

	if (usage_below(p->usage, p->dir).redundant > 0)
		page_map_find(&m, p->usage, p->dir, p->units);
	n = n > p->pairs.n ? n : p->pairs.n;
	n = n > m.n ? n : m.n;
	page_add(p, &m, totals, n, b);
	while (b->len - begin > PAGE_MAX && n > 1) {
		n /= 2;
		buf_cut(b, begin);
		page_add(p, &m, totals, n, b);
	}
	free(m.dirs);
	free(m.rank);
}

static void
page_release_rows(struct page_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->v[i]);
	vec_release(rows);
}

void
page_release(struct page *p)
{
	page_release_rows(&p->sets);
	page_release_rows(&p->pairs);
	page_release_rows(&p->notes);
}
