/* SPDX-License-Identifier: MIT */
/* quote - a string as JSON, CSV and sh want it. */
#ifndef UI_QUOTE_H
#define UI_QUOTE_H

/**
 * Append len bytes of valid UTF-8 (with a NUL behind) as a JSON string, quotes included; what
 * could steer a terminal is escaped.
 */
void quote_json(struct buf *b, const char *s, size_t len);
/** Append len bytes as a CSV field in quotes. */
void quote_csv(struct buf *b, const char *s, size_t len);
/** Append a string as one word of sh, in single quotes; any bytes. */
void quote_sh(struct buf *b, const char *s);
/** Whether all shells take a string as the word that it is. */
bool quote_sh_is_plain(const char *s);
/** Append such a string as it is, another one quoted. */
void quote_sh_word(struct buf *b, const char *s);

#endif
