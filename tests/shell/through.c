/* SPDX-License-Identifier: MIT */
/*
 * Run twindex ARG... by way of a script of its shell: twindex GLOBAL... shell
 * -c 'COMMAND ARG...'.  $TWINDEX_PROPER is the program.  What has no command,
 * or is the shell already, runs as it is.
 */
#include "base/base.h"

#include <unistd.h>

#include "shell/words.h"

/* Whether a global option takes the next word. */
static bool
takes_word(const char *option)
{
	return strcmp(option, "--db") == 0 || strcmp(option, "-d") == 0 || strcmp(option, "--color") == 0 ||
	       strcmp(option, "--secret-from") == 0;
}

int
main(int argc, char **argv)
{
	char **to = mem_zalloc((size_t)argc + 4, sizeof(*to));
	const char *proper = getenv("TWINDEX_PROPER");
	struct buf line = { 0 };
	int from = 1, n = 0;

	if (proper == NULL)
		return 99;
	/* As if it had been found in PATH: what it is called is what hints tell to type. */
	to[n++] = mem_str("twindex");
	while (from < argc && argv[from][0] == '-') {
		to[n++] = argv[from++];
		if (takes_word(to[n - 1]) && from < argc)
			to[n++] = argv[from++];
	}
	if (from < argc && strcmp(argv[from], "shell") == 0) {
		while (from < argc)
			to[n++] = argv[from++];
	} else if (from < argc) {
		to[n++] = mem_str("shell");
		to[n++] = mem_str("-c");
		for (int i = from; i < argc; i++) {
			if (i > from)
				buf_addc(&line, ' ');
			words_quote(&line, argv[i], strlen(argv[i]), WORD_SINGLE, true);
		}
		to[n++] = buf_take(&line);
	}
	execv(proper, to);
	perror(proper);
	return 99;
}
