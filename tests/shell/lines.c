/* SPDX-License-Identifier: MIT */
/* Print each line that is typed, with its length: what line.py drives on a terminal.  The operand is the file of the history. */
#include "base/base.h"

#include <locale.h>
#include <signal.h>

#include "sys/stop.h"
#include "shell/line.h"

/* Names that begin with a: one, with b: several that begin alike, with e: not ASCII, with m: very many. */
static void
complete(void *arg, const char *text, size_t len, struct line_completion *out)
{
	static const char *const alike[] = { "banana", "bandana", "bank" };
	const char *word = text + len;

	(void)arg;
	while (word > text && word[-1] != ' ')
		word--;
	out->start = (size_t)(word - text);
	out->ended = *word == 'a';
	if (*word == 'a')
		out->insert = mem_str("a\\ name ");
	else if (*word == 'e')
		out->insert = mem_str("é€ ");
	else if (*word == 'm' || *word == 'b') {
		out->n = *word == 'm' ? 200 : 3;
		out->more = *word == 'm';
		out->shown = mem_zalloc(out->n, sizeof(*out->shown));
		for (size_t i = 0; i < out->n; i++)
			out->shown[i] = mem_str(*word == 'm' ? "many\033[2J" : alike[i]);
		if (*word == 'b')
			out->insert = mem_str("ban");
	}
}

int
main(int argc, char **argv)
{
	const char *prompt = getenv("PROMPT"), *text;
	struct err err = { 0 };
	struct line *l;
	size_t len;
	int ret;

	setlocale(LC_CTYPE, "");
	stop_install();
	stop_be_patient();
	l = line_open(stdin, stdout, stderr, argc > 1 ? argv[1] : NULL, complete, NULL);
	/* As on a system without C.UTF-8. */
	if (getenv("BYTES") != NULL)
		setlocale(LC_CTYPE, "C");
	while ((ret = line_read(l, prompt != NULL ? prompt : "> ", &text, &len, &err)) != 0) {
		/* The next Ctrl-C may be there already. */
		if (ret < 0 && stop_signal() != 0 && stop_signal() != SIGINT)
			break;
		if (ret < 0)
			printf("interrupted\n");
		else if (len > 200)
			printf("%zu bytes, ends in '%s'\n", len, text + len - 10);
		else {
			printf("%zu '", len);
			fwrite(text, 1, len, stdout);
			printf("'\n");
		}
		if (ret > 0)
			line_remember(l, text);
		if (ret > 0 && strcmp(text, "size") == 0) {
			int width, height;

			line_size(l, &width, &height);
			printf("%d x %d\n", width, height);
		}
		fflush(stdout);
	}
	line_close(l);
	printf(ret < 0 ? "%s\n" : "the end\n", err.text);
	return 0;
}
