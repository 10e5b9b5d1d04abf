/* SPDX-License-Identifier: MIT */
/*
 * A path replaces a word that has no quote in it and none around it.  It stands in single
 * quotes, where sh knows no special byte.  Behind a construct in which words have other rules
 * nothing is replaced: a path within it could be run.
 */
#include "base/base.h"

#include "shell/program.h"

#include "shell/session.h"
#include "ui/numbers.h"
#include "ui/quote.h"

/* Bytes between two words of sh that no other rule begins with. */
static const char program_breaks[] = " \t\n;&|<>";

/* The length of the quoted part that begins at text, or of the one byte there. */
static size_t
program_quoted(const char *text)
{
	size_t n = 1;

	if (*text == '\\')
		return text[1] != '\0' ? 2 : 1;
	if (*text != '\'' && *text != '"')
		return 1;
	for (; text[n] != '\0' && text[n] != *text; n++) {
		if (*text == '"' && text[n] == '\\' && text[n + 1] != '\0')
			n++;
	}
	return text[n] != '\0' ? n + 1 : n;
}

/* Whether from text on only sh can tell words; its first quoted bytes are a part of a word. */
static bool
program_ends(const char *text, size_t quoted, bool begins)
{
	if (*text == '\'' || *text == '\\')
		return false;
	for (size_t i = 0; i < quoted; i++) {
		if (text[i] == '`' || (text[i] == '$' && (text[i + 1] == '(' || text[i + 1] == '{')))
			return true;
	}
	return *text == '(' || strncmp(text, "$'", 2) == 0 || strncmp(text, "<<", 2) == 0 || (begins && *text == '#');
}

/*
 * Append the paths that the word at text means, if it is one of numbers: then *n is its length.
 * Returns 1: it is; 0; or -1.
 */
static int
program_number(const struct session *s, const char *text, size_t *n, struct buf *b, struct err *err)
{
	const size_t len = strcspn(text, program_breaks);
	char *word = mem_dup(text, len);
	struct session_paths paths = { 0 };
	struct numbers_range range;
	int ret = 0;

	if (*word == '%' && numbers_parse_range(word + 1, &range)) {
		ret = session_range(s, &range, &paths, err) < 0 ? -1 : 1;
		*n = len;
	}
	for (size_t i = 0; i < paths.n; i++) {
		if (i > 0)
			buf_addc(b, ' ');
		quote_sh(b, paths.v[i]);
	}
	vec_release(&paths);
	free(word);
	return ret;
}

int
program_text(const struct session *s, const char *text, size_t len, struct buf *b, struct err *err)
{
	char *line = mem_dup(text, len);
	bool begins = true, ours = s->line != NULL;
	int ret = 0;

	if (strlen(line) < len)
		ret = err_set(err, ERR_USAGE, "a NUL byte can't be in a command");
	for (size_t i = 0, n; ret >= 0 && i < len; i += n) {
		n = program_quoted(line + i);
		ours = ours && !program_ends(line + i, n, begins);
		ret = ours && begins ? program_number(s, line + i, &n, b, err) : 0;
		if (ret == 0)
			buf_add(b, line + i, n);
		begins = n == 1 && strchr(program_breaks, line[i]) != NULL;
	}
	free(line);
	return ret < 0 ? -1 : 0;
}
