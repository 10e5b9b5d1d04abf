/* SPDX-License-Identifier: MIT */
/* twindex help, version, license - the program about itself. */
#include "base/base.h"

#include <sqlite3.h>
#include <xxhash.h>

#include "archive/libarchive.h"
#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_topics.h"
#include "index/meta.h"
#include "index/schema.h"
#include "sys/digest.h"
#include "ui/json_schema.h"
#include "ui/qr.h"

/* Generated from man/ and COPYING. */
extern const char manual_documents_text[];
extern const char license_text[];

/* Behind this line the text of documents has no definition of a record: those are inserted. */
#define CMD_HELP_DEFS "\t\"$defs\": {\n"

struct cmd_help_args {
	bool schema, all;
};

static const struct opt cmd_help_opts[] = {
	OPT_FLAG_('a', "all", struct cmd_help_args, all, "show all commands, not only those that most people need"),
	OPT_FLAG_(0, "schema", struct cmd_help_args, schema, "print a JSON Schema of all that is printed as JSON"),
	OPT_END
};

static int
cmd_help_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_help_args *a = c->args;
	struct buf b = { 0 };

	if (a->schema) {
		const char *defs = strstr(manual_documents_text, CMD_HELP_DEFS);

		assert(defs != NULL);
		defs += strlen(CMD_HELP_DEFS);
		buf_add(&b, manual_documents_text, (size_t)(defs - manual_documents_text));
		json_schema_records(&b);
		buf_adds(&b, defs);
		fputs(buf_str(&b), c->out);
		buf_release(&b);
		return CMD_OK;
	}

	if (c->n_operands == 0) {
		cmd_overview(&b, c->env->commands, a->all);
		buf_adds(&b, "\nglobal options:\n");
		opt_help(&b, cmd_global_opts);
	}
	for (int i = 0; i < c->n_operands; i++) {
		const struct cmd *cmd = cmd_find(c->env->commands, c->operands[i]);
		const struct cmd_topic *topic = cmd_topic_find(c->operands[i]);

		if (cmd == NULL && topic == NULL) {
			buf_release(&b);
			cmd_unknown(c->env->commands, c->operands[i], NULL, 0, err);
			cmd_topics_hint(err);
			return -1;
		}
		if (cmd != NULL)
			cmd_usage(&b, cmd);
		else
			buf_adds(&b, topic->text);
	}
	fputs(buf_str(&b), c->out);
	buf_release(&b);
	return CMD_OK;
}

static int
version_run(const struct cmd_call *c, struct err *err)
{
	(void)err;
	fprintf(c->out, "twindex %s\nindex format %d, %s\nSQLite %s\nxxHash %u.%u.%u\nlibgcrypt %s\nlibarchive %s\nlibqrencode %s\n", PACKAGE_VERSION, SCHEMA_VERSION,
	        META_ALGORITHM, sqlite3_libversion(), XXH_versionNumber() / 10000, XXH_versionNumber() / 100 % 100,
	        XXH_versionNumber() % 100, digest_library(), libarchive_version(), qr_library());
	return CMD_OK;
}

static int
license_run(const struct cmd_call *c, struct err *err)
{
	(void)err;
	fputs(license_text, c->out);
	return CMD_OK;
}

const struct cmd cmd_help = {
	.name = "help",
	.operands = "[COMMAND|TOPIC...]",
	.summary = "show the commands, or the help of one, or of a topic",
	.help = "Topics are examples, keep, path, size, status and config.",
	.opts = cmd_help_opts,
	.args_size = sizeof(struct cmd_help_args),
	.run = cmd_help_run,
};

const struct cmd cmd_version = {
	.name = "version",
	.operands = "",
	.summary = "show the versions of twindex and its libraries",
	.flags = CMD_NO_PATHS,
	.run = version_run,
};

const struct cmd cmd_license = {
	.name = "license",
	.operands = "",
	.summary = "show the licence",
	.flags = CMD_NO_PATHS,
	.run = license_run,
};
