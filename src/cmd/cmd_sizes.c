/* SPDX-License-Identifier: MIT */
/*
 * A fleet of machines can have ten million sizes in common, so a size takes eight bytes here and
 * no line is kept.
 */
#include "base/base.h"

#include "cmd/cmd_sizes.h"

#include <errno.h>
#include <stdio.h>

#include "sys/stop.h"

/* Room for a line: a size has 19 digits at most, the rest is for blanks around it. */
#define CMD_SIZES_LINE 128

/* Take one line, of which more may follow.  Returns 0 or -1. */
static int
cmd_sizes_line(const char *file, int64_t n, char *line, bool more, struct cmd_sizes *sizes, struct err *err)
{
	const char *text;
	size_t len = strlen(line);
	int64_t size;

	while (len > 0 && strchr(" \t\r\n", line[len - 1]) != NULL)
		len--;
	line[len] = '\0';
	text = line + strspn(line, " \t");
	if (more || (text[0] != '\0' && num_parse_int(text, 0, INT64_MAX, &size) < 0)) {
		struct buf shown = { 0 };

		name_show_message(&shown, text, strlen(text));
		err_set(err, ERR_USAGE, "%s:%lld: '%s%s' is no size in bytes", file, (long long)n, buf_str(&shown), more ? "..." : "");
		buf_release(&shown);
		return -1;
	}
	if (text[0] != '\0')
		vec_push(sizes, size);
	return 0;
}

static void
cmd_sizes_sort(struct cmd_sizes *sizes)
{
	size_t kept = 0;

	if (sizes->n > 0)
		qsort(sizes->v, sizes->n, sizeof(*sizes->v), order_cmp_int64);
	for (size_t i = 0; i < sizes->n; i++) {
		if (i == 0 || sizes->v[i] != sizes->v[kept - 1])
			sizes->v[kept++] = sizes->v[i];
	}
	sizes->n = kept;
}

int
cmd_sizes_read(const char *file, struct cmd_sizes *sizes, struct err *err)
{
	FILE *f = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
	const char *name = f == stdin ? "standard input" : file;
	char line[CMD_SIZES_LINE];
	int64_t n = 0;
	int ret = 0;

	if (f == NULL)
		return errno == ENOENT ? err_set(err, ERR_NO_PATH, "'%s' does not exist", file) : err_sys(err, "open '%s'", file);
	while (ret == 0 && stop_await(fileno(f)) && fgets(line, sizeof(line), f) != NULL) {
		const bool more = strchr(line, '\n') == NULL && !feof(f);

		ret = cmd_sizes_line(name, ++n, line, more, sizes, err);
	}
	if (ret == 0)
		ret = ferror(f) && stop_signal() == 0 ? err_sys(err, "read '%s'", name) : stop_check(err);
	/* Ctrl-D on a terminal sets the end-of-file flag; later reads must work. */
	if (f == stdin)
		clearerr(f);
	else
		fclose(f);
	cmd_sizes_sort(sizes);
	return ret;
}
