/* SPDX-License-Identifier: MIT */
/*
 * The page is markup and a style: a policy in it forbids the reader's program everything else.
 * Sections are hidden but the one that the address names (":target"), so links alone drill down.
 * It is as well-formed as XML: what cuts it off makes that show.
 */
#include "base/base.h"

#include "ui/page.h"

#include "query/answer.h"
#include "query/usage.h"
#include "query/dirtree.h"
#include "ui/html.h"
#include "ui/page_map.h"

/* Generated from src/ui/page/page.css. */
extern const char page_text[];

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

/* Append what is asked about: "3 roots", or a path. */
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
		page_map_overview(m, b);
		buf_adds(b, "<h2>What can go</h2>\n<p class=\"weak\">Area: redundant bytes. Underlined: opens.</p>\n");
		page_map_sections(m, b);
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
}
