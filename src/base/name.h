/* SPDX-License-Identifier: MIT */
/* name - file names are bytes; the index wants UTF-8, a terminal wants harmless text. */
#ifndef BASE_NAME_H
#define BASE_NAME_H

struct buf;

/** Whether the bytes are UTF-8 without NUL: no surrogate, no overlong form, at most U+10FFFF. */
bool name_is_utf8(const char *name, size_t len);

/** Whether a directory's entry can have this name: not empty, not . or .., no slash, no NUL. */
bool name_is_entry(const char *name, size_t len);

/**
 * Append the form in which the index stores a name as text: the name itself
 * when it is valid UTF-8; otherwise each invalid byte becomes "/xHH" (lower
 * case).  No name holds a slash, so two different names never get the same
 * text.
 */
void name_store(struct buf *b, const char *name, size_t len);

/**
 * Append the name (or path) as a terminal may see it, on one line and
 * reversibly: a backslash becomes \\, newline \n, tab \t, carriage return
 * \r; other C0 and C1 controls, DEL, invalid UTF-8 bytes, bidirectional
 * controls (U+061C, U+200E-F, U+202A-E, U+2066-9), U+2028-9, and what is not
 * seen (U+180E, U+200B, U+2060-4, U+206A-F, U+3164, U+FEFF, U+FFA0) become
 * \xHH, byte by byte.
 */
void name_show(struct buf *b, const char *name, size_t len);

/** Undo name_show.  Returns 0, or -1 at an escape that name_show does not write. */
int name_unshow(struct buf *b, const char *text, size_t len);

/**
 * Append the name in lower case: characters by the locale (ASCII letters in
 * any), bytes that are no UTF-8 as they are.
 */
void name_fold(struct buf *b, const char *name, size_t len);

/** Append text for one line on stderr: as name_show, but backslashes stay. */
void name_show_message(struct buf *b, const char *text, size_t len);

/** Whether name_show_message escapes a part of the text: a terminal may act on it. */
bool name_is_hostile(const char *text, size_t len);

#endif
