/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_fail.h"

#include "sys/stop.h"
#include "ui/out_verdict.h"
#include "ui/progress.h"
#include "ui/width.h"

/* The exit status for a failure. */
static int
cmd_error_status(const struct err *err)
{
	switch (err->code) {
	case ERR_USAGE:
	case ERR_NO_PATH:
		return CMD_USAGE;
	case ERR_BUSY:
		return CMD_BUSY;
	case ERR_NO_INDEX:
	case ERR_BAD_INDEX:
	case ERR_TOO_NEW:
		return CMD_NO_INDEX;
	case ERR_INTERRUPTED:
		return CMD_SIGNAL + (stop_signal() != 0 ? stop_signal() : 2);
	case ERR_OUTPUT:
		/* EPIPE: the reader closed the pipe early.  No error: print nothing. */
		return err->sys == EPIPE ? CMD_SIGNAL + 13 : CMD_FATAL;
	default:
		return CMD_FATAL;
	}
}

void
cmd_say(FILE *msg, const char *place, const char *text)
{
	struct buf line = { 0 };

	buf_adds(&line, "twindex: ");
	if (place != NULL) {
		name_show_message(&line, place, strlen(place));
		buf_adds(&line, ": ");
	}
	name_show_message(&line, text, strlen(text));
	buf_addc(&line, '\n');
	width_print(msg, buf_str(&line), WIDTH_MORE, progress_columns(msg));
	fflush(msg);
	buf_release(&line);
}

int
cmd_fail(FILE *msg, const char *place, const struct err *err)
{
	struct err stopped = { 0 };

	/* A signal interrupted the write: report the signal. */
	if (err->code == ERR_OUTPUT && stop_check(&stopped) < 0)
		err = &stopped;
	if (err->code != ERR_OUTPUT || err->sys != EPIPE)
		cmd_say(msg, place, err->text);
	return cmd_error_status(err);
}

enum out_format
cmd_asked_format(enum out_format usual, int argc, char *const *argv)
{
	static const char option[] = "--format";

	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *value = "";

		if (strcmp(argv[i], "--json") == 0)
			return OUT_JSON;
		if (strncmp(argv[i], option, sizeof(option) - 1) == 0)
			value = argv[i][sizeof(option) - 1] == '=' ? argv[i] + sizeof(option) : i + 1 < argc ? argv[i + 1] : "";
		if (strcmp(value, "json") == 0 || strcmp(value, "ndjson") == 0)
			usual = *value == 'n' ? OUT_NDJSON : OUT_JSON;
	}
	return usual;
}

int
cmd_fail_answer(FILE *out, FILE *msg, const char *place, const struct cmd_answered *a, const struct err *err)
{
	const int status = cmd_fail(msg, place, err);
	const struct out_verdict v = { a->yes, a->no, status, err->text, a->gaps, a->unfinished };

	/* A broken-off list gets no end, so that no part is taken for the whole. */
	if ((a->format != OUT_JSON && a->format != OUT_NDJSON) || err->code == ERR_OUTPUT ||
	    (a->begun && !a->open && a->format == OUT_JSON))
		return status;
	if (a->open)
		out_verdict(out, a->format, &v);
	else
		out_verdict_alone(out, a->format, &v);
	fflush(out);
	return status;
}

void
cmd_end_answer(FILE *out, const struct cmd_answered *a, int status)
{
	const struct out_verdict v = { a->yes, a->no, status, NULL, a->gaps, a->unfinished };

	if (a->open)
		out_verdict(out, a->format, &v);
	else if (!a->begun && (a->format == OUT_JSON || a->format == OUT_NDJSON))
		out_verdict_alone(out, a->format, &v);
}
