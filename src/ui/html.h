/* SPDX-License-Identifier: MIT */
/* html - text from outside as a part of an HTML page. */
#ifndef UI_HTML_H
#define UI_HTML_H

/**
 * Append a name, a path or another text for one line, as name_show shows it, so that it is neither
 * markup nor the end of an attribute.
 */
void html_add(struct buf *b, const char *text);

/** The same of at most max characters as shown, a longer one with "…" in the middle. */
void html_add_cut(struct buf *b, const char *text, size_t max);

/** The same, with "…" at its end. */
void html_add_begin(struct buf *b, const char *text, size_t max);

/**
 * Append a text that is to be copied just as it is.  Returns false, with nothing appended, where a
 * page could not show each of its characters.
 */
bool html_add_exactly(struct buf *b, const char *text);

#endif
