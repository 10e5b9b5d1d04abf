/* SPDX-License-Identifier: MIT */
/*
 * twindex mcp - answer an agent, by the Model Context Protocol (modelcontextprotocol.io), over
 * standard input and output: revisions up to 2025-11-25, which begin with a handshake, and
 * 2026-07-28, which does without.
 */
#include "base/base.h"

#include <signal.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "db/db.h"
#include "mcp/call.h"
#include "mcp/plans.h"
#include "mcp/request.h"
#include "mcp/tools.h"
#include "sys/stop.h"
#include "ui/quote.h"

/* The longest request accepted, in bytes. */
#define CMD_MCP_LINE (16 << 20)

/* Revisions of the protocol, the oldest first; those from the last on need no handshake. */
static const char *const cmd_mcp_versions[] = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28" };
#define CMD_MCP_VERSIONS (sizeof(cmd_mcp_versions) / sizeof(cmd_mcp_versions[0]))

/* The newest that has a handshake. */
#define CMD_MCP_HANDSHAKE (CMD_MCP_VERSIONS - 2)

static const char cmd_mcp_instructions[] =
	"twindex has an index of files, and knows which have copies. Judge by answer.verdict and answer.exit, never by an empty list: "
	"answer.not_judged counts what could not be looked at, answer.unfinished tells that a scan has left something undone, and lists may be cut "
	"(whole_lengths). It answers for what lies below the roots that 'info' names, as it is on the disk now. To remove files: plan, show the plan "
	"to a person, apply it by its digest. Never remove files by other means because of an answer.";

struct cmd_mcp_args {
	bool apply;
};

static const struct opt cmd_mcp_opts[] = {
	OPT_FLAG_(0, "apply", struct cmd_mcp_args, apply, "let clients carry out plans; only in the config file"),
	OPT_END
};

/* A server. */
struct cmd_mcp {
	const struct cmd_call *c;
	struct cmd_env env;
	struct settings config;      /* as it was when the last tool was asked for */
	struct call_place place;
	struct plans plans;
	struct buf in;             /* read, and not answered yet */
	struct buf reply;
	bool skipping;             /* the rest of a line that was too long */
};

static bool
cmd_mcp_knows(const char *version, size_t first)
{
	for (size_t i = first; i < CMD_MCP_VERSIONS; i++) {
		if (strcmp(cmd_mcp_versions[i], version) == 0)
			return true;
	}
	return false;
}

/* Append the versions as a list. */
static void
cmd_mcp_add_versions(struct buf *b, size_t first)
{
	buf_addc(b, '[');
	for (size_t i = first; i < CMD_MCP_VERSIONS; i++)
		buf_addf(b, "%s\"%s\"", i > first ? "," : "", cmd_mcp_versions[i]);
	buf_addc(b, ']');
}

/* Append what the server is. */
static void
cmd_mcp_about(struct buf *b)
{
	buf_adds(b, "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"twindex\",\"version\":\"" PACKAGE_VERSION "\"},\"instructions\":");
	quote_json(b, cmd_mcp_instructions, sizeof(cmd_mcp_instructions) - 1);
}

static void
cmd_mcp_error(struct buf *b, const struct request *r, int code, const char *why)
{
	buf_addf(b, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":", r->id, code);
	quote_json(b, why, strlen(why));
	if (code == REQUEST_VERSION) {
		buf_adds(b, ",\"data\":{\"supported\":");
		cmd_mcp_add_versions(b, 0);
		buf_adds(b, ",\"requested\":");
		quote_json(b, r->version, strlen(r->version));
		buf_addc(b, '}');
	}
	buf_adds(b, "}}");
}

/*
 * Read the config file anew: a server may run for days, and what is allowed and protected is what
 * the file says when an agent acts.
 */
static int
cmd_mcp_configure(struct cmd_mcp *m, struct err *err)
{
	struct cmd_mcp_args args = { .apply = false };
	const struct opt_target targets[] = { { cmd_mcp_opts, &args, NULL }, { NULL, NULL, NULL } };
	const enum settings_use use = m->c->globals->no_config ? SETTINGS_NONE : m->c->globals->settings_protect ? SETTINGS_PROTECT : SETTINGS_ALL;
	int ret = 0;

	m->place.apply = false;
	if (m->c->env->config == NULL || use == SETTINGS_NONE)
		return 0;
	settings_release(&m->config);
	m->config = (struct settings){ .path = NULL };
	m->env.config = &m->config;
	if (settings_read(&m->config, err) < 0 || settings_apply(&m->config, use, m->c->cmd->name, targets, err) < 0)
		ret = -1;
	if (ret == 0)
		ret = settings_backups(&m->config, err);
	m->env.globals.backups = &m->config.backups;
	m->place.apply = ret == 0 && args.apply;
	return ret;
}

/* Append the result of a request that can be answered.  Returns whether its method is known. */
static bool
cmd_mcp_result(struct cmd_mcp *m, const struct request *r, struct buf *b)
{
	const struct tools_tool *tool = r->tool != NULL ? tools_find(r->tool) : NULL;

	if (strcmp(r->method, "initialize") == 0) {
		const bool known = cmd_mcp_knows(r->handshake, 0) && !cmd_mcp_knows(r->handshake, CMD_MCP_HANDSHAKE + 1);

		buf_addf(b, "{\"protocolVersion\":\"%s\",", known ? r->handshake : cmd_mcp_versions[CMD_MCP_HANDSHAKE]);
		cmd_mcp_about(b);
	} else if (strcmp(r->method, "server/discover") == 0) {
		buf_adds(b, "{\"supportedVersions\":");
		cmd_mcp_add_versions(b, 0);
		buf_addc(b, ',');
		cmd_mcp_about(b);
		buf_adds(b, ",\"ttlMs\":0,\"cacheScope\":\"private\",\"resultType\":\"complete\"");
	} else if (strcmp(r->method, "ping") == 0)
		buf_addc(b, '{');
	else if (strcmp(r->method, "tools/list") == 0) {
		struct err ignored = { 0 };

		/* A file that can't be read allows nothing; calls tell of it. */
		(void)cmd_mcp_configure(m, &ignored);
		buf_adds(b, "{\"tools\":");
		tools_list(b, m->place.apply);
		buf_adds(b, ",\"ttlMs\":0,\"cacheScope\":\"private\",\"resultType\":\"complete\"");
	} else if (strcmp(r->method, "tools/call") == 0 && tool != NULL) {
		struct err err = { 0 };

		if (cmd_mcp_configure(m, &err) < 0)
			call_refuse(b, err.text);
		else
			call_tool(&m->place, tool, r->arguments, b);
		return true;
	} else
		return false;
	buf_addc(b, '}');
	return true;
}

/* Answer a line.  Returns 0, or -1 with *err. */
static int
cmd_mcp_line(struct cmd_mcp *m, const char *line, size_t len, struct err *err)
{
	struct request r = { .code = 0 };
	struct buf result = { 0 };
	int ret = request_read(&r, m->place.db, line, len, err);

	buf_cut(&m->reply, 0);
	if (ret < 0 || !r.answered)
		;
	else if (r.code != 0)
		cmd_mcp_error(&m->reply, &r, r.code, r.why);
	else if (r.version != NULL && !cmd_mcp_knows(r.version, 0))
		cmd_mcp_error(&m->reply, &r, REQUEST_VERSION, "that version of the protocol is not known here");
	else if (cmd_mcp_result(m, &r, &result))
		buf_addf(&m->reply, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", r.id, buf_str(&result));
	else if (strcmp(r.method, "tools/call") == 0)
		cmd_mcp_error(&m->reply, &r, REQUEST_PARAMS, "there is no such tool");
	else
		cmd_mcp_error(&m->reply, &r, REQUEST_METHOD, "there is no such method");
	if (m->reply.len > 0) {
		buf_addc(&m->reply, '\n');
		if (fwrite(m->reply.data, 1, m->reply.len, m->c->out) != m->reply.len || fflush(m->c->out) != 0) {
			err_sys(err, "write an answer");
			err->code = ERR_OUTPUT;
			ret = -1;
		}
	}
	buf_release(&result);
	request_release(&r);
	return ret;
}

/* Answer the whole lines that were read.  Returns 0 or -1. */
static int
cmd_mcp_lines(struct cmd_mcp *m, struct err *err)
{
	size_t begin = 0;
	char *end;
	int ret = 0;

	while (ret == 0 && stop_signal() == 0 && m->in.len > begin &&
	       (end = memchr(m->in.data + begin, '\n', m->in.len - begin)) != NULL) {
		const size_t len = (size_t)(end - m->in.data) - begin;

		*end = '\0';
		if (!m->skipping && strspn(m->in.data + begin, " \t\r") < len)
			ret = cmd_mcp_line(m, m->in.data + begin, len, err);
		m->skipping = false;
		begin += len + 1;
	}
	if (begin > 0) {
		memmove(m->in.data, m->in.data + begin, m->in.len - begin);
		buf_cut(&m->in, m->in.len - begin);
	}
	/* A line that is too long is refused once and skipped. */
	if (ret == 0 && m->in.len > CMD_MCP_LINE) {
		if (!m->skipping)
			ret = cmd_mcp_line(m, "", 0, err);
		m->skipping = true;
		buf_cut(&m->in, 0);
	}
	return ret;
}

/* Read and answer until the client goes. */
static int
cmd_mcp_serve(struct cmd_mcp *m, struct err *err)
{
	char block[65536];
	ssize_t n = 1;
	int ret = 0;

	while (ret == 0 && n != 0 && stop_await(0)) {
		n = read(0, block, sizeof(block));
		if (n < 0 && errno != EINTR) {
			err_sys(err, "read standard input");
			break;
		}
		/* The last line may lack its end. */
		if (n == 0)
			buf_addc(&m->in, '\n');
		else if (n > 0)
			buf_add(&m->in, block, (size_t)n);
		ret = cmd_mcp_lines(m, err);
	}
	return err->code != ERR_NONE ? -1 : stop_check(err);
}

static int
cmd_mcp_run(const struct cmd_call *c, struct err *err)
{
	struct cmd_mcp m = { .c = c, .env = *c->env };
	struct db *db = NULL;
	int ret;

	if (opt_given(cmd_mcp_opts, c->given, offsetof(struct cmd_mcp_args, apply)))
		return err_set(err, ERR_USAGE, "--apply counts only in the config file: 'apply = yes' in the section [mcp]");
	if (c->env->results != NULL || isatty(0) == 1)
		return err_set(err, ERR_USAGE, "mcp talks with a program on its standard input: see 'twindex help mcp'");
	m.env.globals = *c->globals;
	m.place.env = &m.env;
	m.place.plans = &m.plans;
	ret = db_open(&db, "", DB_WRITE | DB_NO_WAL | DB_MEMORY, err);
	m.place.db = db;
	if (ret == 0) {
		signal(SIGPIPE, SIG_IGN);
		ret = cmd_mcp_serve(&m, err);
	}
	plans_release(&m.plans);
	settings_release(&m.config);
	buf_release(&m.in);
	buf_release(&m.reply);
	db_close(db);
	return ret;
}

const struct cmd cmd_mcp = {
	.name = "mcp",
	.operands = "",
	.summary = "answer an agent, by the Model Context Protocol",
	.help = "For a program that starts 'twindex mcp' and writes requests to its standard input.\n"
	        "It asks what commands answer, and plans what rm and link would do.  It carries out a plan\n"
	        "only with 'apply = yes' in the section [mcp] of the config file, and only one that it has\n"
	        "made itself since it was started.  It ends when its standard input does.",
	.opts = cmd_mcp_opts,
	.args_size = sizeof(struct cmd_mcp_args),
	.flags = CMD_NO_PATHS | CMD_TALKS,
	.run = cmd_mcp_run,
};
