/* SPDX-License-Identifier: MIT */
/*
 * The page is well-formed XML, runs nothing and fetches nothing, as that of report --html.  A label
 * is as high as what it says, and no page break divides it.
 */
#include "base/base.h"

#include "ui/labels.h"

#include "query/answer.h"
#include "ui/html.h"
#include "ui/qr.h"

static const char labels_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	"<title>Labels of disks</title>\n<style>\n"
	"body { font: 10pt/1.35 sans-serif; color: #000; background: #fff; margin: 1cm; }\n"
	"main { display: grid; grid-template-columns: repeat(auto-fill, 80mm); gap: 4mm; }\n"
	"section { border: 1px solid #000; border-radius: 2mm; padding: 3mm; break-inside: avoid; overflow-wrap: anywhere; }\n"
	"h2 { font-size: 15pt; line-height: 1.15; margin: 0 0 1mm; }\n"
	"p { margin: 0; }\n"
	".place { font-size: 12pt; font-weight: bold; }\n"
	"svg { float: right; width: 20mm; height: 20mm; }\n"
	"section::after { content: ''; display: block; clear: both; }\n"
	".key { color: #444; font-size: 8pt; }\n"
	"</style>\n</head>\n<body>\n<main>\n";

void
labels_begin(struct buf *b)
{
	buf_adds(b, labels_head);
}

/* Add a paragraph with a text from outside. */
static void
labels_add_text(struct buf *b, const char *class, const char *text)
{
	if (text == NULL)
		return;
	buf_addf(b, "<p class=\"%s\">", class);
	html_add(b, text);
	buf_adds(b, "</p>\n");
}

void
labels_add(struct buf *b, const struct volume_answer *v, enum num_units units)
{
	const char *title = v->name != NULL ? v->name : v->label != NULL ? v->label : v->point != NULL ? v->point : v->path;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	buf_adds(b, "<section>\n");
	if (v->key != NULL)
		qr_add(b, v->key);
	buf_adds(b, "<h2>");
	html_add(b, title != NULL ? title : v->type);
	buf_adds(b, "</h2>\n");
	labels_add_text(b, "place", v->place);
	buf_adds(b, "<p>");
	if (v->capacity >= 0)
		buf_addf(b, "%s, ", num_show_size(v->capacity, units, x));
	html_add(b, v->type);
	if (v->name != NULL && v->label != NULL) {
		buf_adds(b, ", ");
		html_add(b, v->label);
	}
	buf_addf(b, "</p>\n<p>%s, %s", num_show_things(v->files, "file", "files", x), num_show_size(v->bytes, units, y));
	if (v->seen >= 0)
		buf_addf(b, "; as of %s", num_show_local(v->seen, x));
	buf_adds(b, "</p>\n");
	labels_add_text(b, "note", v->note);
	labels_add_text(b, "key", v->key);
	buf_adds(b, "</section>\n");
}

void
labels_end(struct buf *b)
{
	buf_adds(b, "</main>\n</body>\n</html>\n");
}
