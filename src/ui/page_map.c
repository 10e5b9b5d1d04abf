/* SPDX-License-Identifier: MIT */
/*
 * Sections are hidden but the one that the address names (":target"), so links alone drill down.
 *
 * The area of a tile is the portion of a directory (struct usage_sum): tiles add up to the
 * directory that they are in, and to the answer.  What a tile has no room for is its title.  A
 * directory that has all of its portion in one subdirectory is replaced by that, with the path to
 * it.
 *
 * Pictures have no size of their own: widths and heights are percentages, so that they fit a phone
 * and a sheet, while text keeps the reader's size.  Each tile is an <svg> within that of its map,
 * which cuts its text off at its edge.
 */
#include "base/base.h"

#include "ui/page_map.h"

#include "query/dirtree.h"
#include "query/usage_top.h"
#include "ui/html.h"
#include "ui/quote.h"
#include "ui/treemap.h"

/* Sections; tiles in a map, and in a tile of it; levels of these. */
enum { MAP_SECTIONS = 60, MAP_TILES = 120, MAP_WITHIN = 60, MAP_LEVELS = 3 };

/* A directory has a section if it has at least this part of all that is redundant. */
enum { MAP_PART = 1000 };

/* The box of a map as it is on a screen, in pixels, and the least width and height of a tile. */
enum { MAP_WIDTH = 1000, MAP_HEIGHT = 600, MAP_LEAST = 12 };

/* The least tile that shows what is in it, below its name; it frames that by some pixels. */
enum { MAP_OPEN_WIDTH = 130, MAP_OPEN_HEIGHT = 90, MAP_STRIP = 22, MAP_FRAME = 3 };

/* The least height of a tile with a name, and with a second line; least width on a phone, too. */
enum { MAP_NAMED = 18, MAP_SIZED = 38, MAP_WIDE = 100 };

/* Pixels of a character, and beside the text of a tile; the least characters of a name. */
enum { MAP_CHAR = 7, MAP_MARGIN = 10, MAP_CHARS = 4 };

/* Characters of a name, and of one in a title. */
enum { MAP_NAME = 60, MAP_TITLE = 200 };

/* The least redundant percentage of each class of colours but the first. */
static const int map_classes[] = { 5, 20, 50, 80 };
enum { MAP_CLASSES = sizeof(map_classes) / sizeof(map_classes[0]) };

/* The directory at or below dir in which its portion begins to lie in several places. */
static uint32_t
map_opened(const struct usage *u, uint32_t dir)
{
	for (;;) {
		struct usage_places in = { 0 };
		const uint32_t before = dir;

		usage_places_in(u, dir, USAGE_PORTION, &in);
		if (in.n == 1 && !in.v[0].within)
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

	usage_places_in(u, dir, USAGE_PORTION, &in);
	divides = in.n > 1;
	vec_release(&in);
	return divides;
}

static int
map_cmp(const void *a, const void *b)
{
	const struct usage_place *x = a, *y = b;

	ORDER_CMP(y->sum.portion, x->sum.portion);
	ORDER_CMP(x->dir, y->dir);
	return 0;
}

void
page_map_find(struct page_map *m, const struct usage *u, uint32_t dir, enum num_units units)
{
	const struct dirtree *dirs = usage_dirs(u);
	struct usage_places all = { 0 };
	uint32_t end;
	int64_t least;

	*m = (struct page_map){ .usage = u, .units = units, .dir = map_opened(u, dir), .levels = MAP_LEVELS };
	if (usage_below(u, dir).portion == 0)
		return;
	end = dirtree_end(dirs, m->dir);
	least = usage_below(u, m->dir).portion / MAP_PART;
	for (uint32_t d = m->dir; d < end; d++) {
		const struct usage_sum sum = usage_below(u, d);

		if (d == m->dir || (sum.portion > least && !dirtree_excluded(dirs, d) && map_divides(u, d)))
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
	return m->n > 0 && dir >= m->dir && dir < dirtree_end(usage_dirs(m->usage), m->dir) && m->rank[dir - m->dir] < m->n;
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

bool
page_map_link(const struct page_map *m, uint32_t dir, struct buf *b)
{
	if (!map_has(m, dir))
		return false;
	buf_adds(b, "<a href=\"#");
	map_id(m, dir, b);
	buf_adds(b, "\">");
	return true;
}

int
page_map_percent(int64_t n, int64_t all)
{
	return all > 0 ? (int)((double)n * 100 / (double)all) : 0;
}

void
page_map_legend(struct buf *b)
{
	buf_addf(b, "<p class=\"weak legend\">Colour: how much of its bytes could go from there alone. <span><i class=\"s0\"></i> less than %d%%</span>", map_classes[0]);
	for (int i = 0; i < MAP_CLASSES; i++)
		buf_addf(b, " <span><i class=\"s%d\"></i> from %d%%</span>", i + 1, map_classes[i]);
	buf_adds(b, " <span><i class=\"more\"></i> many small ones</span></p>\n");
}

/* Append "12 MiB (34%) of 36 MiB in 7 files": what could go from there alone. */
static void
map_alone(const struct usage_sum *sum, enum num_units units, struct buf *b)
{
	char redundant[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX], files[NUM_SHOW_MAX];

	buf_addf(b, "%s (%d%%) of %s in %s", num_show_size(sum->redundant, units, redundant), page_map_percent(sum->redundant, sum->bytes),
	         num_show_size(sum->bytes, units, bytes), num_show_things(sum->files, "file", "files", files));
}

/* The same, with add, which cuts it to some characters. */
static void
map_name(const struct usage *u, uint32_t above, uint32_t dir, void add(struct buf *, const char *, size_t), size_t max, struct buf *b)
{
	const struct dirtree *dirs = usage_dirs(u);
	struct buf path = { 0 }, from = { 0 };

	dirtree_path(dirs, dir, &path);
	dirtree_path(dirs, above, &from);
	add(b, buf_str(&path) + (dir == above ? 0 : from.len + (from.len > 1)), max);
	buf_release(&path);
	buf_release(&from);
}

void
page_map_name(const struct usage *u, uint32_t above, uint32_t dir, struct buf *b)
{
	map_name(u, above, dir, html_add_cut, MAP_NAME, b);
}

bool
page_map_command(const char *command, const char *path, struct buf *b)
{
	struct buf text = { 0 };
	bool shown;

	buf_adds(&text, command);
	if (*path != '\0') {
		buf_addc(&text, ' ');
		quote_sh_word(&text, path);
	}
	shown = html_add_exactly(b, buf_str(&text));
	buf_release(&text);
	return shown;
}

/* Something with an area: a place, or those that are not shown one by one. */
struct map_tile {
	struct usage_place place;   /* opened */
	size_t more;                /* else how many places */
};

/* Append what a tile is called, in at most max characters, to which add cuts a path. */
static void
map_label(const struct page_map *m, uint32_t dir, const struct map_tile *t, void add(struct buf *, const char *, size_t), size_t max,
          struct buf *b)
{
	static const char direct[] = "files directly here";
	char text[NUM_SHOW_MAX];

	if (t->more > 0)
		buf_addf(b, "%s more", num_show_count((int64_t)t->more, text));
	else if (t->place.within)
		buf_adds(b, max < sizeof(direct) ? "files" : direct);
	else
		map_name(m->usage, dir, t->place.dir, add, max, b);
}

/* Append the title of a tile. */
static void
map_title(const struct page_map *m, uint32_t dir, const struct map_tile *t, struct buf *b)
{
	const struct usage_sum *sum = &t->place.sum;
	char text[NUM_SHOW_MAX];

	buf_adds(b, "<title>");
	map_label(m, dir, t, html_add_cut, MAP_TITLE, b);
	buf_addf(b, ": %s", num_show_size(sum->portion, m->units, text));
	if (t->more == 0) {
		buf_adds(b, "; from here alone ");
		map_alone(sum, m->units, b);
	}
	buf_adds(b, "</title>");
}

/* Append a tile of the map of dir; opens: what is in it lies below its first line of text. */
static void
map_tile(const struct page_map *m, uint32_t dir, const struct map_tile *t, bool opens, const struct treemap_box *box, struct buf *b)
{
	const bool leads = t->more == 0 && !t->place.within && page_map_link(m, t->place.dir, b);
	const int chars = ((int)box->w - MAP_MARGIN) / MAP_CHAR - 2 * leads;
	const char *narrow = box->w < MAP_WIDE ? " n" : "";
	char portion[NUM_SHOW_MAX];

	num_show_size(t->place.sum.portion, m->units, portion);
	buf_adds(b, "<svg role=\"img\" class=\"");
	if (opens)
		buf_adds(b, "box");
	else if (t->more > 0)
		buf_adds(b, "more");
	else {
		/* By the percentage of its bytes that could go from there alone. */
		const int percent = page_map_percent(t->place.sum.redundant, t->place.sum.bytes);
		int class = 0;

		while (class < MAP_CLASSES && percent >= map_classes[class])
			class++;
		buf_addf(b, "s%d", class);
	}
	buf_addf(b, "\" x=\"%.2f%%\" y=\"%.2f%%\" width=\"%.2f%%\" height=\"%.2f%%\">", box->x * 100 / MAP_WIDTH,
	         box->y * 100 / MAP_HEIGHT, box->w * 100 / MAP_WIDTH, box->h * 100 / MAP_HEIGHT);
	map_title(m, dir, t, b);
	buf_adds(b, "<rect width=\"100%\" height=\"100%\"/>");
	if (box->h >= MAP_NAMED && chars >= MAP_CHARS) {
		buf_addf(b, "<text class=\"t%s\" x=\"5\" y=\"1.25em\">", narrow);
		map_label(m, dir, t, html_add_begin, (size_t)chars < MAP_NAME ? (size_t)chars : MAP_NAME, b);
		buf_adds(b, leads ? " ›" : "");
		if (opens)
			buf_addf(b, " <tspan>%s</tspan>", portion);
		buf_adds(b, "</text>");
	}
	if (!opens && box->h >= MAP_SIZED && chars >= (int)strlen(portion))
		buf_addf(b, "<text%s x=\"5\" y=\"2.5em\">%s</text>", *narrow != '\0' ? " class=\"n\"" : "", portion);
	buf_adds(b, leads ? "</svg></a>\n" : "</svg>\n");
}

/* Cut a strip for a part of a box's area off its end, along the shorter side. */
static struct treemap_box
map_cut(struct treemap_box *box, double part)
{
	struct treemap_box strip = *box;

	if (box->w > box->h) {
		strip.w *= part;
		box->w -= strip.w;
		strip.x += box->w;
	} else {
		strip.h *= part;
		box->h -= strip.h;
		strip.y += box->h;
	}
	return strip;
}

/*
 * Lay out the first n places, and the others as one tile behind them.  Returns how many places have
 * a tile that is large enough, n or fewer.
 */
static size_t
map_lay(const struct usage_places *in, size_t n, struct treemap_box box, struct map_tile *tiles, struct treemap_box *boxes,
        size_t *n_tiles)
{
	struct map_tile rest = { .more = in->n - n };
	double amounts[MAP_TILES], all = 0;
	size_t seen = 0;

	for (size_t i = 0; i < in->n; i++) {
		all += (double)in->v[i].sum.portion;
		if (i >= n)
			rest.place.sum.portion = num_add(rest.place.sum.portion, in->v[i].sum.portion);
	}
	for (size_t i = 0; i < n; i++) {
		tiles[i] = (struct map_tile){ .place = in->v[i] };
		amounts[i] = (double)in->v[i].sum.portion;
	}
	*n_tiles = n;
	if (rest.more > 0) {
		tiles[n] = rest;
		boxes[n] = map_cut(&box, (double)rest.place.sum.portion / all);
		++*n_tiles;
	}
	treemap_divide(amounts, n, box, boxes);
	while (seen < n && boxes[seen].w >= MAP_LEAST && boxes[seen].h >= MAP_LEAST)
		seen++;
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
	size_t n, seen, n_tiles = 0;

	usage_places_in(m->usage, dir, USAGE_PORTION, &in);
	n = in.n < max ? in.n : max;
	while (n > 0 && (seen = map_lay(&in, n, box, tiles, boxes, &n_tiles)) < n && n > 1)
		n = seen > 0 ? seen : 1;
	for (size_t i = 0; i < n_tiles; i++) {
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

/* Append the way from the first directory to another, by sections. */
static void
map_way(const struct page_map *m, uint32_t dir, struct buf *b)
{
	uint32_t above[MAP_SECTIONS], from = m->dir;
	size_t n = 0;

	for (uint32_t up = dir; up != m->dir;) {
		up = dirtree_parent(usage_dirs(m->usage), up);
		if (map_has(m, up))
			above[n++] = up;
	}
	while (n > 0) {
		page_map_link(m, above[--n], b);
		page_map_name(m->usage, from, above[n], b);
		buf_adds(b, "</a> › ");
		from = above[n];
	}
	page_map_name(m->usage, from, dir, b);
}

/* Append the section of a directory. */
static void
map_section(const struct page_map *m, uint32_t dir, struct buf *b)
{
	const struct usage_sum sum = usage_below(m->usage, dir), whole = usage_below(m->usage, m->dir);
	char portion[NUM_SHOW_MAX], all[NUM_SHOW_MAX];
	struct buf path = { 0 }, command = { 0 };

	buf_adds(b, "<section id=\"");
	map_id(m, dir, b);
	buf_adds(b, "\">\n<h3>");
	map_way(m, dir, b);
	buf_adds(b, "</h3>\n");
	if (dir != m->dir) {
		buf_addf(b, "<p>%s of the %s that can go. From here alone, if all copies elsewhere stay: ",
		         num_show_size(sum.portion, m->units, portion), num_show_size(whole.portion, m->units, all));
		map_alone(&sum, m->units, b);
		buf_adds(b, ".</p>\n");
		dirtree_path(usage_dirs(m->usage), dir, &path);
		if (m->command != NULL && page_map_command(m->command, buf_str(&path), &command))
			buf_addf(b, "<p><code>%s</code></p>\n", buf_str(&command));
	}
	buf_adds(b, "<svg class=\"map\" role=\"group\" aria-label=\"Map of ");
	page_map_name(m->usage, dir, dir, b);
	buf_adds(b, "\">\n");
	map_fill(m, dir, (struct treemap_box){ 0, 0, MAP_WIDTH, MAP_HEIGHT }, MAP_TILES, m->levels, b);
	buf_adds(b, "</svg>\n</section>\n");
	buf_release(&path);
	buf_release(&command);
}

void
page_map_write(const struct page_map *m, struct buf *b)
{
	for (size_t i = m->n; i-- > 0;)
		map_section(m, m->dirs[i], b);
}

void
page_map_release(struct page_map *m)
{
	free(m->dirs);
	free(m->rank);
	m->dirs = NULL;
	m->rank = NULL;
	m->n = 0;
}
