/* SPDX-License-Identifier: MIT */
#include "base/base.h"

/* Longer paths would leave no room in a message. */
#define PROG_PATH 200

/* Empty: nothing to show. */
static char program[PROG_PATH], with_index[2 * PROG_PATH];

/* Write a path as a word for any shell, or nothing where none would take it as it is shown. */
static void
prog_word(char word[PROG_PATH], const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+,@%:-";
	const size_t len = strlen(path);
	const bool bare = path[strspn(path, plain)] == '\0';

	word[0] = '\0';
	/*
	 * Two quotes and the NUL besides.  Not with what is special in double quotes; hints stand
	 * in single quotes.
	 */
	if (len + 3 <= PROG_PATH && (bare || (path[strcspn(path, "\"$`\\!'")] == '\0' && !name_is_hostile(path, len))))
		snprintf(word, PROG_PATH, bare ? "%s" : "\"%s\"", path);
}

void
prog_set(const char *called)
{
	program[0] = with_index[0] = '\0';
	if (called != NULL && strchr(called, '/') != NULL)
		prog_word(program, called);
}

void
prog_set_index(const char *path)
{
	char word[PROG_PATH] = "";

	with_index[0] = '\0';
	if (path != NULL)
		prog_word(word, path);
	if (word[0] != '\0')
		snprintf(with_index, sizeof(with_index), "%s --db %s", prog_name(), word);
}

const char *
prog_name(void)
{
	return with_index[0] != '\0' ? with_index : program[0] != '\0' ? program : "twindex";
}
