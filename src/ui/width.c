/* SPDX-License-Identifier: MIT */
/*
 * Widths are those of the present locale (mbrtowc, wcwidth).  Text is made harmless first, so
 * that every character has a width; a byte that cannot be decoded counts as one column.
 */
#include "base/base.h"

#include "ui/width.h"

#include <wchar.h>

/* Blanks between two columns. */
#define WIDTH_GAP 2

/*
 * Append text for one line of a terminal: harmless (as by name_show_message), and decodable in the
 * present locale: where a part of it is not, all that is not ASCII becomes ?.
 */
static void
width_harmless(struct buf *b, const char *text)
{
	const size_t start = b->len;

	name_show_message(b, text, strlen(text));
	if (b->len == start || mbstowcs(NULL, b->data + start, 0) != (size_t)-1)
		return;
	for (size_t i = start; i < b->len; i++) {
		if ((unsigned char)b->data[i] >= 0x80)
			b->data[i] = '?';
	}
}

/* The columns of the character at text, of which len bytes are there, and its length in *n. */
static int
width_char(const char *text, size_t len, size_t *n)
{
	mbstate_t state = { 0 };
	wchar_t c;
	int columns;

	*n = mbrtowc(&c, text, len, &state);
	if (*n == 0 || *n >= (size_t)-2) {
		*n = 1;
		return 1;
	}
	columns = wcwidth(c);
	return columns >= 0 ? columns : 1;
}

/* The length of the colour (ESC [ ... m) that begins at text, or 0. */
static size_t
width_colour(const char *text, size_t len)
{
	size_t n = 2;

	if (len < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (n < len && (text[n] == ';' || (text[n] >= '0' && text[n] <= '9')))
		n++;
	return n < len && text[n] == 'm' ? n + 1 : 0;
}

/* The length of the start or the end of a link (ESC ] ... ESC \) that is at text, or 0. */
static size_t
width_link(const char *text, size_t len)
{
	size_t n = 2;

	if (len < 4 || text[0] != '\033' || text[1] != ']')
		return 0;
	while (n + 1 < len && (text[n] != '\033' || text[n + 1] != '\\'))
		n++;
	return n + 1 < len ? n + 2 : 0;
}

/* The columns of the first len bytes; colours and links take none. */
static int
width_part(const char *text, size_t len)
{
	int columns = 0;

	for (size_t i = 0, n; i < len; i += n) {
		n = width_colour(text + i, len - i);
		if (n == 0)
			n = width_link(text + i, len - i);
		if (n == 0)
			columns += width_char(text + i, len - i, &n);
	}
	return columns;
}

int
width_of(const char *text)
{
	return width_part(text, strlen(text));
}

int
width_rows(const char *text, size_t n, int width)
{
	int rows = 0, columns = 0;
	bool begun = false;   /* the line has a row */

	assert(width > 0);
	for (size_t i = 0, step; i < n; i += step) {
		int wide;

		step = width_colour(text + i, n - i);
		if (step > 0)
			continue;
		wide = width_char(text + i, n - i, &step);
		if (!begun) {
			rows++;
			columns = 0;
		}
		begun = text[i] != '\n';
		if (!begun)
			continue;
		if (text[i] == '\t')
			wide = 8 - columns % 8;
		/* A character that does not fit goes to the next row, all of it. */
		if (columns > 0 && columns + wide > width) {
			rows++;
			columns = 0;
		}
		columns += wide;
	}
	return rows;
}

void
width_cut(struct buf *b, const char *text, int max)
{
	static const char mark[] = "...";
	struct buf whole = { 0 };
	const char *rest;
	int columns;
	size_t n = 0;

	width_harmless(&whole, text);
	rest = buf_str(&whole);
	columns = width_of(rest);
	if (columns > max) {
		for (max -= (int)sizeof(mark) - 1; columns > max && *rest != '\0'; rest += n)
			columns -= width_char(rest, strlen(rest), &n);
		/* What combines with the character that was cut off goes with it. */
		while (*rest != '\0' && width_char(rest, strlen(rest), &n) == 0)
			rest += n;
		buf_adds(b, mark);
	}
	buf_adds(b, rest);
	buf_release(&whole);
}

void
width_cut_middle(struct buf *b, const char *text, int max)
{
	const int head = (max - 3) / 3;
	struct buf whole = { 0 };
	const char *rest;
	int columns = 0;
	size_t n = 0;

	width_harmless(&whole, text);
	rest = buf_str(&whole);
	if (width_of(rest) > max) {
		while (columns + width_char(rest, strlen(rest), &n) <= head) {
			columns += width_char(rest, strlen(rest), &n);
			buf_add(b, rest, n);
			rest += n;
		}
		max -= columns;
	}
	width_cut(b, rest, max);
	buf_release(&whole);
}

/*
 * The length of a word up to the next blank: one that begins with a quote has all that is quoted,
 * and a number what it counts.
 */
static size_t
width_word(const char *text)
{
	const char *quote = *text == '\'' ? strpbrk(text + 1, "'\n") : NULL;
	const size_t number = strspn(text, "0123456789.,");
	size_t n = quote != NULL && *quote == '\'' ? (size_t)(quote - text) : 0;

	if (number > 0 && text[number] == ' ' && text[number - 1] != ',')
		n = number + 1;
	return n + strcspn(text + n, " \n");
}

void
width_fold(struct buf *b, const char *text, int indent, int width)
{
	size_t blanks, n, last = b->len;
	int columns;

	while (last > 0 && b->data[last - 1] != '\n')
		last--;
	columns = last < b->len ? width_part(b->data + last, b->len - last) : 0;
	for (; *text != '\0'; text += n) {
		int wide;

		blanks = strspn(text, " ");
		text += blanks;
		n = width_word(text);
		wide = width_part(text, n);
		/* Where a line has its indent alone a break would help nothing. */
		if (width > 0 && n > 0 && columns > indent && columns + (int)blanks + wide >= width) {
			buf_addf(b, "\n%*s", indent, "");
			columns = indent;
			blanks = 0;
		}
		buf_addf(b, "%*s", (int)blanks, "");
		buf_add(b, text, n);
		columns += (int)blanks + wide;
		if (text[n] == '\n') {
			buf_addc(b, text[n++]);
			columns = 0;
		}
	}
}

void
width_print(FILE *f, const char *text, int indent, int width)
{
	struct buf b = { 0 };

	width_fold(&b, text, indent, width);
	fputs(buf_str(&b), f);
	buf_release(&b);
}

/* A name as it is shown. */
struct width_cell {
	char *text;   /* owned */
	int columns;
};

/*
 * The width of rows rows of cells, of which column i takes *column(i): found anew each time,
 * there are few.
 */
static int
width_layout(const struct width_cell *cells, size_t n, size_t rows, int *columns)
{
	int total = 0;

	for (size_t i = 0; i < n; i += rows) {
		int widest = 0;

		for (size_t k = i; k < n && k < i + rows; k++)
			widest = cells[k].columns > widest ? cells[k].columns : widest;
		columns[i / rows] = widest;
		total += widest + (i > 0 ? WIDTH_GAP : 0);
	}
	return total;
}

void
width_columns(struct buf *b, char *const *names, size_t n, int width)
{
	struct width_cell *cells = mem_zalloc(n + 1, sizeof(*cells));
	int *columns = mem_zalloc(n + 1, sizeof(*columns));
	size_t rows = 1;

	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		width_harmless(&text, names[i]);
		cells[i].columns = width_of(buf_str(&text));
		cells[i].text = buf_take(&text);
	}
	/* A line that is filled to the last column would wrap on some terminals. */
	while (rows < n && width_layout(cells, n, rows, columns) >= width)
		rows++;
	width_layout(cells, n, rows, columns);
	for (size_t row = 0; row < rows && n > 0; row++) {
		for (size_t i = row; i < n; i += rows) {
			buf_adds(b, cells[i].text);
			if (i + rows < n)
				buf_addf(b, "%*s", columns[i / rows] - cells[i].columns + WIDTH_GAP, "");
		}
		buf_addc(b, '\n');
	}
	for (size_t i = 0; i < n; i++)
		free(cells[i].text);
	free(cells);
	free(columns);
}
