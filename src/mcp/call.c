/* SPDX-License-Identifier: MIT */
/*
 * Hides how a call becomes a command line, and what is printed an answer:
 *
 *   {"answer": the command's document, its lists cut, "whole_lengths": of lists that were cut,
 *    "messages": what it said beside}
 *
 * A plan is given to its command in a file without a name: one that a kill leaves nothing of.
 */
#include "base/base.h"

#include "mcp/call.h"

#include "cmd/cmd.h"
#include "db/stmt.h"
#include "mcp/plans.h"
#include "mcp/tools.h"
#include "sys/stream.h"
#include "ui/quote.h"

/* The most bytes of an answer; a longer one must be asked for in parts. */
#define CALL_MOST (1 << 20)

/* The most bytes of a document of which an answer is a part, and of messages beside it. */
#define CALL_READ (64 << 20)
#define CALL_MESSAGES (16 << 10)

/* The outcome of a command. */
struct call_done {
	int status;
	bool full;               /* its document was cut off: it is too long */
	struct buf out;
	char *msg;               /* owned */
	size_t msg_len;
};

/* stream_fn: take what a command prints. */
static bool
call_take(void *arg, const char *data, size_t len)
{
	struct call_done *done = arg;

	done->full = done->full || done->out.len + len > CALL_READ;
	if (done->full) {
		errno = EFBIG;
		return false;
	}
	buf_add(&done->out, data, len);
	return true;
}

/* Append a text as JSON, harmless, without the newline at its end. */
static void
call_quote(struct buf *b, const char *text, size_t len)
{
	struct buf shown = { 0 };

	for (const char *end; len > 0; text = end) {
		const char *newline = memchr(text, '\n', len);

		end = newline != NULL ? newline + 1 : text + len;
		name_show_message(&shown, text, (size_t)(end - text) - (newline != NULL));
		len -= (size_t)(end - text);
		if (len > 0)
			buf_addc(&shown, '\n');
	}
	quote_json(b, buf_str(&shown), shown.len);
	buf_release(&shown);
}

/* Append a result that is a JSON object: as text, too, for clients that read no other. */
static void
call_result(struct buf *result, const char *json, size_t len, bool is_error)
{
	buf_adds(result, "{\"content\":[{\"type\":\"text\",\"text\":");
	quote_json(result, json, len);
	buf_adds(result, "}],\"structuredContent\":");
	buf_add(result, json, len);
	buf_addf(result, ",\"isError\":%s,\"resultType\":\"complete\"}", is_error ? "true" : "false");
}

/* Append the result of a call that failed: the document that a command would print. */
static void
call_failed(struct buf *result, int status, const char *why, size_t len)
{
	struct buf answer = { 0 };

	buf_adds(&answer, "{\"answer\":{\"schema_version\":1,\"error\":");
	call_quote(&answer, why, len);
	buf_addf(&answer, ",\"verdict\":\"error\",\"exit\":%d,\"not_judged\":{},\"unfinished\":false},\"whole_lengths\":{},\"messages\":\"\"}", status);
	call_result(result, answer.data, answer.len, true);
	buf_release(&answer);
}

void
call_refuse(struct buf *result, const char *why)
{
	call_failed(result, CMD_USAGE, why, strlen(why));
}

/* Run a command line. */
static int
call_run(const struct call_place *place, struct call_done *done, bool asks, int argc, char **argv, struct err *err)
{
	struct stream_writer writer = { call_take, done };
	struct cmd_env env = *place->env;

	env.out = stream_open(&writer);
	env.msg = open_memstream(&done->msg, &done->msg_len);
	if (env.out == NULL || env.msg == NULL) {
		err_sys(err, "make a stream");
		goto out;
	}
	env.tty = false;
	/* Listing preferences of the config file are for people; its protections hold for all. */
	env.globals.settings_protect |= asks;
	done->status = cmd_execute(&env, argc, argv);
out:
	if (env.out != NULL)
		fclose(env.out);
	if (env.msg != NULL)
		fclose(env.msg);
	return err->code == ERR_NONE ? 0 : -1;
}

/* Append messages, as many of the first whole lines as there is room for. */
static void
call_messages(struct buf *b, const char *text, size_t len)
{
	struct buf first = { 0 };

	if (len <= CALL_MESSAGES) {
		call_quote(b, text, len);
		return;
	}
	for (len = CALL_MESSAGES; len > 0 && text[len - 1] != '\n'; len--)
		;
	buf_add(&first, text, len);
	buf_adds(&first, "... and more\n");
	call_quote(b, buf_str(&first), first.len);
	buf_release(&first);
}

/* Append what a statement makes of a document. */
static int
call_document(struct db *db, enum sql_id id, const struct call_done *done, const struct arguments *a, struct buf *b, struct err *err)
{
	struct stmt st = stmt_get(db, id, err);
	const char *text;
	size_t len;

	stmt_text(&st, ":document", done->out.data, done->out.len);
	stmt_int(&st, ":limit", a->limit);
	stmt_int(&st, ":offset", a->offset);
	if (stmt_step(&st) < 0)
		return -1;
	text = stmt_col_text(&st, 0, &len);
	buf_add(b, text, len);
	stmt_done(&st);
	return 0;
}

/* Append the result of a command. */
static int
call_answer(const struct call_place *place, const struct call_done *done, const struct arguments *a, struct buf *result, struct err *err)
{
	struct buf answer = { 0 };
	int ret = 0;

	/* Ignore a document that broke off. */
	if (done->full) {
		call_refuse(result, "the whole answer, of which this would be a part, has more than 64 MiB: ask about less");
		return 0;
	}
	if (done->out.len == 0 || done->out.data[done->out.len - 1] != '\n') {
		call_failed(result, done->status, done->msg, done->msg_len);
		return 0;
	}
	buf_adds(&answer, "{\"answer\":");
	ret = call_document(place->db, SQL_MCP_PART, done, a, &answer, err);
	buf_adds(&answer, ",\"whole_lengths\":");
	if (ret == 0)
		ret = call_document(place->db, SQL_MCP_LENGTHS, done, a, &answer, err);
	buf_adds(&answer, ",\"messages\":");
	call_messages(&answer, done->msg, done->msg_len);
	buf_addc(&answer, '}');
	if (ret == 0 && answer.len > CALL_MOST)
		call_refuse(result, "the answer has more than 1 MiB: ask for less at once, with 'limit' and 'offset', or about less");
	else if (ret == 0)
		call_result(result, answer.data, answer.len, done->status == CMD_USAGE || done->status > CMD_PARTLY);
	buf_release(&answer);
	return ret;
}

/* Run a command with arguments, and append the result; a plan is kept. */
static int
call_command(const struct call_place *place, const struct tools_tool *tool, const char *const *begin, const struct arguments *a,
             struct buf *result, struct err *err)
{
	const bool plan = tool->kind == TOOLS_PLAN;
	VEC(char *) argv = { 0 };
	struct call_done done = { .status = 0 };
	int ret;

	for (size_t i = 0; begin[i] != NULL; i++)
		vec_push(&argv, (char *)(uintptr_t)begin[i]);
	for (size_t i = 0; i < a->options.n; i++)
		vec_push(&argv, a->options.v[i]);
	vec_push(&argv, (char *)(uintptr_t)"--json");
	vec_push(&argv, (char *)(uintptr_t)"--");
	if (a->word != NULL && tool->kind == TOOLS_ASK)
		vec_push(&argv, a->word);
	for (size_t i = 0; i < a->paths.n; i++)
		vec_push(&argv, a->paths.v[i]);
	vec_push(&argv, NULL);
	ret = call_run(place, &done, tool->kind == TOOLS_ASK, (int)argv.n - 1, argv.v, err);
	if (ret == 0 && plan && done.status <= CMD_PARTLY && done.out.len > 0)
		ret = plans_keep(place->plans, place->db, done.out.data, done.out.len, err);
	if (ret == 0)
		ret = call_answer(place, &done, a, result, err);
	vec_release(&argv);
	buf_release(&done.out);
	free(done.msg);
	return ret;
}

/* Plan. */
static int
call_plan(const struct call_place *place, const struct tools_tool *tool, const struct arguments *a, struct buf *result, struct err *err)
{
	const bool removes = strcmp(a->word, "remove") == 0 || strcmp(a->word, "trash") == 0;
	const char *begin[] = { removes ? "rm" : "link", "-n", NULL, NULL };
	struct buf kind = { 0 };
	int ret;

	buf_addf(&kind, "--%s", a->word);
	if (strcmp(a->word, "remove") != 0)
		begin[2] = buf_str(&kind);
	ret = call_command(place, tool, begin, a, result, err);
	buf_release(&kind);
	return ret;
}

/* Carry out a plan. */
static int
call_apply(const struct call_place *place, const struct tools_tool *tool, const struct arguments *a, struct buf *result, struct err *err)
{
	const struct plans_one *plan = plans_find(place->plans, a->word);
	struct buf name = { 0 };
	FILE *f;
	int ret = -1;

	if (!place->apply) {
		call_refuse(result, "plans are not carried out here: a person allows it with 'apply = yes' in the section [mcp] of the config file");
		return 0;
	}
	if (plan == NULL) {
		call_refuse(result, "there is no plan of this digest: make one, or make it again, and show it to a person");
		return 0;
	}
	f = tmpfile();
	if (f == NULL || fwrite(plan->document, 1, plan->len, f) != plan->len || fflush(f) != 0)
		err_sys(err, "write a plan to a temporary file");
	else {
		rewind(f);
		buf_addf(&name, "--plan=/dev/fd/%d", fileno(f));
		ret = call_command(place, tool, (const char *const[]){ plan->command, buf_str(&name), NULL }, a, result, err);
	}
	if (f != NULL)
		fclose(f);
	buf_release(&name);
	return ret;
}

void
call_tool(const struct call_place *place, const struct tools_tool *tool, const char *arguments, struct buf *result)
{
	struct arguments a = { .word = NULL };
	struct err err = { 0 };
	int ret = arguments_read(&a, &tool->of, place->db, arguments, &err);

	if (ret == 0 && tool->kind == TOOLS_PLAN)
		ret = call_plan(place, tool, &a, result, &err);
	else if (ret == 0 && tool->kind == TOOLS_APPLY)
		ret = call_apply(place, tool, &a, result, &err);
	else if (ret == 0)
		ret = call_command(place, tool, (const char *const[]){ tool->of.cmd->name, NULL }, &a, result, &err);
	if (ret < 0)
		call_refuse(result, err.text);
	arguments_release(&a);
}
