/* SPDX-License-Identifier: MIT */
/*
 * The page is markup and a style: a policy in it forbids the reader's program everything else.
 * It is well-formed XML: a page that was cut off is not.
 */
#include "base/base.h"

#include "ui/page.h"

#include "query/answer.h"
#include "query/dirtree.h"
#include "query/usage.h"
#include "query/usage_top.h"
#include "ui/html.h"
#include "ui/page_map.h"

/* Generated from src/ui/page/page.css. */
extern const char page_text[];

/* Append a cell with a bar for n of most. */
static void
page_add_bar(struct buf *b, int64_t n, int64_t most)
{
	buf_addf(b, "<td class=\"b\"><svg class=\"bar\" aria-hidden=\"true\"><rect width=\"%.2f%%\" height=\"100%%\"/></svg></td>",
	         most > 0 ? (double)n * 100 / (double)most : 0);
}

/* Members of a set that are named. */
enum { PAGE_MEMBERS = 20 };

/* Append a path: the directory that the page is about is not its news. */
static void
page_add_path(const struct page *p, struct buf *b, const char *path)
{
	struct buf dir = { 0 };

	dirtree_path(usage_dirs(p->usage), p->dir, &dir);
	buf_adds(b, "<bdi>");
	if (dir.len > 1 && strncmp(path, buf_str(&dir), dir.len) == 0 && path[dir.len] == '/') {
		buf_adds(b, "<span class=\"above\">");
		html_add(b, buf_str(&dir));
		buf_adds(b, "/</span>");
		path += dir.len + 1;
	}
	html_add(b, path);
	buf_adds(b, "</bdi>");
	buf_release(&dir);
}

void
page_set(struct page *p, const struct set_answer *s)
{
	struct buf b = { 0 };
	char redundant[NUM_SHOW_MAX], copies[NUM_SHOW_MAX], size[NUM_SHOW_MAX];

	if (p->sets.n == 0)
		p->most = s->redundant;
	buf_addf(&b, "<tr><td class=\"r\">%s</td>", num_show_size(s->redundant, p->units, redundant));
	page_add_bar(&b, s->redundant, p->most);
	buf_addf(&b, "<td class=\"r\">%s × %s</td><td><details><summary>", num_show_count(s->n_copies, copies),
	         num_show_size(s->size, p->units, size));
	page_add_path(p, &b, s->members[0].path);
	buf_adds(&b, "</summary><ul>\n");
	for (size_t i = 1; i < s->n_members && i < PAGE_MEMBERS; i++) {
		const struct member *m = &s->members[i];

		buf_adds(&b, "<li>");
		page_add_path(p, &b, m->path);
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

	buf_addf(b, "<li>%d%% of ", page_map_percent(side->shared_bytes, side->bytes));
	page_add_path(p, b, side->path);
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

void
page_step(struct page *p, const char *command, const char *path, const char *what)
{
	struct buf b = { 0 };

	buf_adds(&b, "<dt><code>");
	if (!page_map_command(command, path, &b)) {
		buf_release(&b);
		return;
	}
	buf_adds(&b, "</code></dt><dd>");
	html_add(&b, what);
	buf_adds(&b, "</dd>\n");
	vec_push(&p->steps, buf_take(&b));
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

/*
 * Append all bytes in three parts, as a bar and in words: what can go, the copies that stay, and
 * what has no copy.
 */
static void
page_add_parts(const struct page *p, const struct usage_sum *sum, struct buf *b)
{
	static const char *const names[] = { "can go", "copies, which stay", "without a copy" };
	const int64_t parts[] = { sum->redundant, sum->duplicated - sum->redundant, sum->bytes - sum->duplicated };
	char text[NUM_SHOW_MAX];
	double x = 0;

	buf_adds(b, "<svg class=\"parts\" aria-hidden=\"true\">");
	for (int i = 0; i < 3; i++) {
		const double part = sum->bytes > 0 ? (double)parts[i] * 100 / (double)sum->bytes : 0;

		buf_addf(b, "<rect class=\"p%d\" x=\"%.2f%%\" width=\"%.2f%%\" height=\"100%%\"/>", i, x, part);
		x += part;
	}
	buf_adds(b, "</svg>\n<p class=\"weak legend\">");
	for (int i = 0; i < 3; i++)
		buf_addf(b, "%s<span><i class=\"p%d\"></i> %s %s</span>", i > 0 ? " " : "", i, num_show_size(parts[i], p->units, text), names[i]);
	buf_adds(b, "</p>\n");
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
	            "<meta name=\"referrer\" content=\"no-referrer\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	            "<meta name=\"generator\" content=\"twindex " PACKAGE_VERSION "\"/>\n<title>Duplicates in ");
	page_add_where(p, b);
	buf_addf(b, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<header>\n<div>\n<h1>Duplicates in <bdi>", page_text);
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
	buf_adds(b, "</div>\n");
	if (p->steps.n > 0) {
		buf_adds(b, "<div>\n<h2>Next</h2>\n<dl>\n");
		page_add_rows(b, &p->steps, p->steps.n);
		buf_adds(b, "</dl>\n</div>\n");
	}
	buf_adds(b, "</header>\n");
	page_add_parts(p, &sum, b);
	if (p->notes.n > 0) {
		buf_adds(b, "<ul class=\"notes\">\n");
		page_add_rows(b, &p->notes, p->notes.n);
		buf_adds(b, "</ul>\n");
	}
}

/*
 * Append the place that a row of the table of directories is about, and what could go from there
 * alone; rows add up to the answer.
 */
static void
page_add_place(const struct page *p, const struct page_map *m, const struct usage_place *place, int64_t most, struct buf *b)
{
	const struct usage_sum *sum = &place->sum;
	char portion[NUM_SHOW_MAX], redundant[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];
	bool leads;

	buf_addf(b, "<tr><td class=\"r\">%s</td>", num_show_size(sum->portion, p->units, portion));
	page_add_bar(b, sum->portion, most);
	buf_addf(b, "<td class=\"r\">%s</td><td class=\"r o\">%d%%</td><td class=\"r o\">%s</td><td>",
	         num_show_size(sum->redundant, p->units, redundant), page_map_percent(sum->redundant, sum->bytes),
	         num_show_size(sum->bytes, p->units, bytes));
	leads = page_map_link(m, place->dir, b);
	buf_adds(b, "<bdi>");
	page_map_name(p->usage, p->dir, place->dir, b);
	buf_adds(b, leads ? "</bdi></a>" : "</bdi>");
	if (place->within)
		buf_adds(b, " <span class=\"weak\">files directly here</span>");
	buf_adds(b, "</td></tr>\n");
}

/* Append the table of the directories with most of what can go. */
static void
page_add_places(const struct page *p, const struct page_map *m, struct buf *b)
{
	const struct usage_sum sum = usage_below(p->usage, p->dir);
	struct usage_place places[PAGE_PLACES];
	const size_t n = usage_top(p->usage, p->dir, USAGE_PORTION, places, PAGE_PLACES);
	int64_t rest = sum.portion;
	char portion[NUM_SHOW_MAX], redundant[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];

	buf_adds(b, "<h2>The directories with most of it</h2>\n<table>\n<thead><tr><th class=\"r\">portion</th><td class=\"b\"></td>"
	            "<th class=\"r\">alone</th><td class=\"r o\"></td><th class=\"r o\">of</th><th>directory</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < n; i++) {
		page_add_place(p, m, &places[i], places[0].sum.portion, b);
		rest -= places[i].sum.portion;
	}
	if (rest > 0)
		buf_addf(b, "<tr><td class=\"r\">%s</td><td class=\"b\"></td><td class=\"r\"></td><td class=\"r o\"></td><td class=\"r o\"></td>"
		            "<td class=\"weak\">elsewhere</td></tr>\n", num_show_size(rest, p->units, portion));
	buf_addf(b, "</tbody>\n<tfoot><tr><td class=\"r\">%s</td><td class=\"b\"></td><td class=\"r\">%s</td><td class=\"r o\">%d%%</td>"
	            "<td class=\"r o\">%s</td><td><bdi>", num_show_size(sum.portion, p->units, portion), num_show_size(sum.redundant, p->units, redundant),
	         page_map_percent(sum.redundant, sum.bytes), num_show_size(sum.bytes, p->units, bytes));
	page_add_where(p, b);
	buf_adds(b, "</bdi></td></tr></tfoot>\n</table>\n<p class=\"weak\">Portion: its part of what can go. Alone: what could go "
	            "from there if all copies elsewhere stay.</p>\n");
}

/* Append a table in which there are n rows of all; foot: its last row, or NULL. */
static void
page_add_table(struct buf *b, const char *what, const char *head, const struct page_rows *rows, size_t n, int64_t all, const char *foot)
{
	char text[NUM_SHOW_MAX];

	if (n == 0)
		return;
	buf_addf(b, "<h2>%s</h2>\n<table class=\"rows\">\n<thead><tr>%s</tr></thead>\n<tbody>\n", what, head);
	page_add_rows(b, rows, n);
	buf_adds(b, "</tbody>\n");
	if (foot != NULL)
		buf_addf(b, "<tfoot>%s</tfoot>\n", foot);
	buf_adds(b, "</table>\n");
	if ((int64_t)n < all)
		buf_addf(b, "<p class=\"weak\">%s more</p>\n", num_show_count(all - (int64_t)n, text));
}

/* Append the table of sets, with the sum of all. */
static void
page_add_sets(const struct page *p, const struct set_totals *totals, size_t n, struct buf *b)
{
	struct buf foot = { 0 };
	char redundant[NUM_SHOW_MAX], sets[NUM_SHOW_MAX];

	buf_addf(&foot, "<tr><td class=\"r\">%s</td><td class=\"b\"></td><td></td><td>in %s</td></tr>",
	         num_show_size(totals->redundant, p->units, redundant), num_show_things(totals->n_sets, "set", "sets", sets));
	page_add_table(b, "Sets of duplicates", "<th class=\"r\">redundant</th><td class=\"b\"></td><th class=\"r\">copies</th><th>files</th>",
	               &p->sets, n, totals->n_sets, buf_str(&foot));
	buf_release(&foot);
}

/* Append the page with at most n rows of each kind. */
static void
page_add(const struct page *p, struct page_map *m, const struct set_totals *totals, size_t n, struct buf *b)
{
	char portion[NUM_SHOW_MAX];

	page_add_head(p, totals, b);
	m->n = m->n < n ? m->n : n;
	if (m->n > 0) {
		buf_adds(b, "<h2>Where it is</h2>\n");
		buf_addf(b, "<p class=\"weak\">Area: the tiles add up to the %s. Of two copies, of which either can go, each counts as a half. "
		            "A name with › opens.</p>\n", num_show_size(usage_below(p->usage, p->dir).portion, p->units, portion));
		page_map_legend(b);
		page_map_write(m, b);
		page_add_places(p, m, b);
	}
	page_add_sets(p, totals, p->sets.n < n ? p->sets.n : n, b);
	page_add_table(b, "Directories that share content",
	               "<th class=\"r\">in both</th><th class=\"r\">files</th><th>how much of each is in the other</th>",
	               &p->pairs, p->pairs.n < n ? p->pairs.n : n, p->n_pairs, NULL);
	buf_adds(b, "<h2>How this is counted</h2>\n"
	            "<p>What can go, or is redundant, is what could be freed so that one copy of everything stays somewhere in "
	            "the index. Which one is for you to say, so tiles and the table of directories show <em>portions</em>: of k copies "
	            "each counts as (k − 1)/k of its bytes, or whole where one stays that is not shown here, and of a file with "
	            "several names (hard links) each name as an equal part. Portions do not overlap: those of the parts of a directory add up to its own.</p>\n"
	            "<p>What could go from a directory <em>alone</em> does overlap: what two directories have of each other can go "
	            "in either of them and not in both, so it counts whole in each. A file with several names frees nothing there "
	            "while one of them lies elsewhere. Copies that share blocks count only what they do not share.</p>\n"
	            "<p>In the table of sets, all copies of a set but one are redundant, those in other directories, too. Directories that "
	            "share content are those of which one has half of its bytes in the other, as of the last scan.</p>\n"
	            "<p class=\"weak\">Made by twindex " PACKAGE_VERSION ". It deletes nothing, and neither does this page.</p>\n"
	            "</main>\n</body>\n</html>\n");
}

void
page_write(struct page *p, const struct set_totals *totals, struct buf *b)
{
	struct page_map m;
	const size_t begin = b->len;
	size_t n = p->sets.n;

	page_map_find(&m, p->usage, p->dir, p->units);
	m.command = p->command;
	n = n > p->pairs.n ? n : p->pairs.n;
	n = n > m.n ? n : m.n;
	page_add(p, &m, totals, n, b);
	while (b->len - begin > PAGE_MAX && (n > 1 || m.levels > 0)) {
		if (n > 1)
			n /= 2;
		else
			m.levels--;
		buf_cut(b, begin);
		page_add(p, &m, totals, n, b);
	}
	page_map_release(&m);
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
	page_release_rows(&p->steps);
}
