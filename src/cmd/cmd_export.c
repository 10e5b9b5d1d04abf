/* SPDX-License-Identifier: MIT */
/* twindex export - the rows of the index as files for other engines. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "export/export.h"
#include "index/index.h"
#include "ui/doc.h"

struct cmd_export_args {
	struct opt_list what;
	const char *out, *host;
	int format;
	bool replace;
};

static const char *const cmd_export_formats[] = { "parquet", "ndjson", "csv", NULL };

static const struct opt cmd_export_opts[] = {
	OPT_LIST_('w', "what", struct cmd_export_args, what, "KIND", "keys (default), files, sizes or dirs; several with commas"),
	OPT_STRING_('o', "out", struct cmd_export_args, out, "DIR", "write to a new directory in DIR, which may hold many exports"),
	OPT_CHOICE_(0, "format", struct cmd_export_args, format, "NAME", "parquet (default), ndjson or csv", cmd_export_formats),
	OPT_STRING_(0, "host", struct cmd_export_args, host, "NAME", "the name of this machine in the export"),
	OPT_FLAG_(0, "replace", struct cmd_export_args, replace, "replace an export of the same host and generation"),
	OPT_END
};

/* Find out which kinds are wanted.  Returns 0, or -1 with ERR_USAGE. */
static int
cmd_export_kinds(const struct opt_list *what, bool kinds[EXPORT_KINDS], struct err *err)
{
	kinds[EXPORT_KEYS] = what->n == 0;
	for (size_t i = 0; i < what->n; i++) {
		for (const char *at = what->v[i]; at != NULL;) {
			const size_t len = strcspn(at, ",");
			size_t kind = 0;

			while (kind < EXPORT_KINDS && (strncmp(at, export_kind_names[kind], len) != 0 || export_kind_names[kind][len] != '\0'))
				kind++;
			if (kind == EXPORT_KINDS)
				return err_set(err, ERR_USAGE, "option '--what': '%.*s' is not keys, files, sizes or dirs", (int)len, at);
			kinds[kind] = true;
			at = at[len] == ',' ? at + len + 1 : NULL;
		}
	}
	return 0;
}

/* Tell what was exported. */
static int
cmd_export_tell(const struct cmd_call *c, const struct export_query *q, const struct export_told *told, struct err *err)
{
	struct doc *d = cmd_doc(c);
	char rows[NUM_SHOW_MAX], files[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];
	struct buf line = { 0 };

	if (d != NULL) {
		doc_path(d, "dir", told->dir);
		doc_list(d, "kinds");
	}
	for (size_t i = 0; i < EXPORT_KINDS; i++) {
		const struct table_size *s = &told->sizes[i];

		if (!q->kinds[i])
			continue;
		if (d != NULL) {
			doc_object(d, NULL);
			doc_text(d, "kind", export_kind_names[i]);
			doc_int(d, "rows", s->rows);
			doc_int(d, "files", s->files);
			doc_int(d, "bytes", s->bytes);
			doc_object_end(d);
			continue;
		}
		buf_addf(&line, "%-6s %s in %s, %s\n", export_kind_names[i], num_show_things(s->rows, "row", "rows", rows),
		         num_show_things(s->files, "file", "files", files), num_show_size(s->bytes, NUM_IEC, bytes));
	}
	if (d == NULL) {
		buf_adds(&line, "exported to ");
		cmd_add_path(c, &line, told->dir);
		buf_addc(&line, '\n');
		if (!c->globals->quiet)
			fwrite(line.data, 1, line.len, c->out);
		buf_release(&line);
		return 0;
	}
	doc_list_end(d);
	return doc_close(d, 0, err);
}

static int
cmd_export_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_export_args *a = c->args;
	struct export_query q = { .host = a->host, .format = (enum table_format)a->format, .replace = a->replace,
	                          .unfinished = c->ix->pending != INDEX_WHOLE || c->ix->killed };
	struct export_told told = { .dir = NULL };
	struct cmd_paths out = { 0 };
	int ret;

	if (a->out == NULL)
		return err_set(err, ERR_USAGE, "export needs --out DIR");
	if (cmd_export_kinds(&a->what, q.kinds, err) < 0 || cmd_paths_add(c, &a->out, 1, &out, err) < 0) {
		cmd_paths_release(&out);
		return -1;
	}
	q.out = out.v[0];
	ret = export_run(c->ix, &q, &told, err);
	if (ret == 0)
		ret = cmd_export_tell(c, &q, &told, err);
	export_told_release(&told);
	cmd_paths_release(&out);
	return ret;
}

const struct cmd cmd_export = {
	.name = "export",
	.operands = "",
	.summary = "write the index as Parquet, NDJSON or CSV, for other engines",
	.help = "Writes rows of the index to a new directory in DIR, HOST-GENERATION, that appears when it is\n"
	        "whole.  keys has a row for each content and volume, files one for each name, sizes one for\n"
	        "each size, dirs one for each directory.  Hashes of two indexes can be compared where one was\n"
	        "made with --secret-from the other: hash_id is equal then.",
	.opts = cmd_export_opts,
	.args_size = sizeof(struct cmd_export_args),
	.flags = CMD_READS | CMD_ASKS | CMD_NO_PATHS | CMD_TELLS,
	.run = cmd_export_run,
};
