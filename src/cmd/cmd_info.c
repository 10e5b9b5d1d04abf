/* SPDX-License-Identifier: MIT */
/* twindex info - what the index holds; twindex forget - drop a part of it. */
#include "base/base.h"

#include <time.h>
#include <unistd.h>

#include "archive/libarchive.h"
#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_exit_status.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/archives.h"
#include "index/meta.h"
#include "scan/forget.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/roots.h"
#include "index/digests.h"
#include "index/validated.h"
#include "sys/stop.h"
#include "sys/jail.h"
#include "ui/doc.h"
#include "ui/width.h"

/* Runs that info shows. */
#define INFO_RUNS 5

/* What is told: text, or a document. */
struct cmd_info {
	const struct cmd_call *c;
	struct buf b;            /* the text */
	struct doc *d;           /* the document; or NULL */
};

static int
cmd_info_counts(struct cmd_info *w, struct err *err)
{
	struct index *ix = w->c->ix;
	struct stmt st = stmt_get(ix->db, SQL_INDEX_COUNTS, err);
	int64_t files, dirs, pages, page_size, sets, redundant;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int known;

	if (stmt_step(&st) < 0)
		return -1;
	files = stmt_col_int(&st, 0);
	dirs = stmt_col_int(&st, 1);
	stmt_done(&st);
	if (db_pragma_get(ix->db, "page_count", &pages, err) < 0 || db_pragma_get(ix->db, "page_size", &page_size, err) < 0)
		return -1;
	known = journal_totals(ix->db, &sets, &redundant, err);
	if (w->d != NULL) {
		doc_int(w->d, "files", files);
		doc_int(w->d, "dirs", dirs);
		doc_int(w->d, "bytes", pages * page_size);
		doc_size(w->d, "sets", known == 1 ? sets : -1);
		doc_size(w->d, "redundant", known == 1 ? redundant : -1);
		return known < 0 ? -1 : 0;
	}
	buf_addf(&w->b, "files       %s in %s\n", num_show_count(files, x), num_show_things(dirs, "directory", "directories", y));
	buf_addf(&w->b, "size        %s, %lld bytes per file\n", num_show_size(pages * page_size, NUM_IEC, x),
	         (long long)(files > 0 ? pages * page_size / files : 0));
	if (known == 1)
		cmd_add_sets(&w->b, sets, redundant);
	if (known >= 0 && ix->pending != INDEX_WHOLE) {
		buf_adds(&w->b, "unfinished  ");
		known = cmd_unfinished_text(ix, prog_name(), &w->b, err);
		buf_addc(&w->b, '\n');
	}
	return known < 0 ? -1 : 0;
}

/* How much has been read again, and how long ago. */
static int
cmd_info_validated(struct cmd_info *w, struct err *err)
{
	struct validated_counts n;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], all[NUM_SHOW_MAX], all_bytes[NUM_SHOW_MAX];
	struct buf text = { 0 };
	const int ret = validated_count(w->c->ix, &n, err);

	if (ret == 0 && w->d != NULL)
		doc_null(w->d, "validated");
	if (ret != 1)
		return ret;
	if (w->d != NULL) {
		doc_object(w->d, "validated");
		doc_int(w->d, "good", n.good);
		doc_int(w->d, "good_bytes", n.good_bytes);
		doc_int(w->d, "hashed", n.hashed);
		doc_int(w->d, "hashed_bytes", n.hashed_bytes);
		doc_int(w->d, "bad", n.bad);
		doc_size(w->d, "oldest", n.good > 0 ? n.oldest : -1);
		doc_object_end(w->d);
		return 0;
	}
	buf_addf(&text, "validated   %s of %s with a hash, %s of %s", num_show_count(n.good, x),
	         num_show_things(n.hashed, "file", "files", all), num_show_size(n.good_bytes, NUM_IEC, y),
	         num_show_size(n.hashed_bytes, NUM_IEC, all_bytes));
	if (n.good > 0)
		buf_addf(&text, ", the oldest %s ago", num_show_since(n.oldest, (int64_t)time(NULL), x));
	if (n.bad > 0)
		buf_addf(&text, "; %s corrupt when last read", num_show_things(n.bad, "file was", "files were", x));
	buf_addc(&text, '\n');
	width_fold(&w->b, buf_str(&text), CMD_LABEL, w->c->tty ? w->c->env->width : 0);
	buf_release(&text);
	return 0;
}

/* How many files have digests, and whether more can be computed. */
static int
cmd_info_digests(struct cmd_info *w, struct err *err)
{
	int64_t counts[DIGEST_KINDS];
	char x[NUM_SHOW_MAX];
	const size_t before = w->b.len;

	if (digests_count(w->c->ix, counts, err) < 0)
		return -1;
	if (w->d != NULL)
		doc_object(w->d, "digests");
	for (int i = 0; i < DIGEST_KINDS; i++) {
		const char *name = digest_name((enum digest_kind)i);

		if (counts[i] == 0)
			continue;
		if (w->d != NULL)
			doc_int(w->d, name, counts[i]);
		else
			buf_addf(&w->b, "%s%s of %s", w->b.len == before ? "digests     " : ", ", name, num_show_things(counts[i], "file", "files", x));
	}
	if (w->d != NULL)
		doc_object_end(w->d);
	else if (w->b.len > before)
		buf_adds(&w->b, digest_can() ? "\n" : "; there is no libgcrypt, so no more\n");
	return 0;
}

/* How many archives were opened, and whether more can be. */
static int
cmd_info_archives(struct cmd_info *w, struct err *err)
{
	struct archives_counts n;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], z[NUM_SHOW_MAX];

	if (archives_count(w->c->ix, &n, err) < 0)
		return -1;
	if (w->d != NULL) {
		doc_object(w->d, "archives");
		doc_int(w->d, "archives", n.archives);
		doc_int(w->d, "members", n.members);
		doc_int(w->d, "members_read", n.hashed);
		doc_int(w->d, "partly", n.partly);
		doc_bool(w->d, "library", libarchive_can());
		doc_bool(w->d, "filter", jail_is_tight());
		doc_object_end(w->d);
		return 0;
	}
	if (n.archives > 0) {
		buf_addf(&w->b, "archives    %s with %s, %s of them read", num_show_count(n.archives, x), num_show_things(n.members, "member", "members", y),
		         num_show_count(n.hashed, z));
		if (n.partly > 0)
			buf_addf(&w->b, "; %s known only in part or not at all", num_show_things(n.partly, "is", "are", x));
		buf_adds(&w->b, !libarchive_can() ? "; there is no libarchive, so no more are opened\n" :
		                jail_is_tight() ? "\n" : "; without a filter of system calls\n");
	} else if (!libarchive_can())
		buf_adds(&w->b, "archives    there is no libarchive: none can be opened\n");
	return 0;
}

/* The directories that are declared to be backups. */
static void
cmd_info_backups(struct cmd_info *w)
{
	const struct backups *b = &w->c->ix->backups;

	if (w->d != NULL)
		doc_list(w->d, "backups");
	for (size_t i = 0; i < b->n; i++) {
		if (w->d != NULL) {
			doc_object(w->d, NULL);
			doc_path(w->d, "path", b->v[i]);
			doc_object_end(w->d);
			continue;
		}
		buf_adds(&w->b, "backup      ");
		cmd_add_path(w->c, &w->b, b->v[i]);
		buf_addc(&w->b, '\n');
	}
	if (w->d != NULL)
		doc_list_end(w->d);
}

static int
cmd_info_roots(struct cmd_info *w, struct err *err)
{
	struct roots roots = { 0 };

	if (roots_load(&roots, w->c->ix->db, err) < 0)
		return -1;
	if (w->d != NULL)
		doc_list(w->d, "roots");
	for (size_t i = 0; i < roots.n; i++) {
		const struct root *r = &roots.v[i];
		struct buf options = { 0 };

		rules_show(&options, &r->rules);
		if (w->d != NULL) {
			doc_object(w->d, NULL);
			doc_path(w->d, "path", r->path);
			doc_text(w->d, "options", buf_str(&options));
			doc_bool(w->d, "scanned", r->scan != 0);
			doc_object_end(w->d);
		} else {
			buf_adds(&w->b, "root        ");
			cmd_add_path(w->c, &w->b, r->path);
			if (options.len > 0) {
				buf_adds(&w->b, "  (");
				cmd_add_path(w->c, &w->b, options.data);
				buf_addc(&w->b, ')');
			}
			buf_adds(&w->b, r->scan == 0 ? "  (never scanned to its end)\n" : "\n");
		}
		buf_release(&options);
	}
	if (w->d != NULL)
		doc_list_end(w->d);
	roots_release(&roots);
	return 0;
}

/* Append the line of a run. */
static void
cmd_info_add_run(struct buf *b, const struct journal_entry *e)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], when[NUM_SHOW_MAX], run[48];

	num_show_local(e->started, when);
	snprintf(run, sizeof(run), "%s %lld", e->command, (long long)e->id);
	buf_addf(b, "%-10s  %s, %s", run, when, e->state);
	if (e->finished > 0)
		buf_addf(b, " after %s, %s", num_show_duration(num_mul(num_sub(e->finished, e->started), 1000000000), x),
		         num_show_things(e->files, "file", "files", y));
	if (e->partial)
		buf_adds(b, " of a list");
	if (e->read > 0)
		buf_addf(b, ", %s read", num_show_count(e->read, x));
	if (e->errors > 0)
		buf_addf(b, ", %s", num_show_things(e->errors, "error", "errors", x));
	buf_addc(b, '\n');
}

static int
cmd_info_runs(struct cmd_info *w, struct err *err)
{
	struct journal_entry e;
	int ret = 1;

	if (w->d != NULL)
		doc_list(w->d, "runs");
	for (int i = 0; i < INFO_RUNS && (ret = journal_recent(w->c->ix, i, &e, err)) == 1; i++) {
		if (w->d == NULL) {
			cmd_info_add_run(&w->b, &e);
			continue;
		}
		doc_object(w->d, NULL);
		doc_int(w->d, "run", e.id);
		doc_text(w->d, "command", e.command);
		doc_text(w->d, "state", e.state);
		doc_int(w->d, "started", e.started);
		doc_size(w->d, "finished", e.finished > 0 ? e.finished : -1);
		doc_int(w->d, "files", e.files);
		doc_int(w->d, "dirs", e.dirs);
		doc_int(w->d, "bytes", e.bytes);
		doc_int(w->d, "read", e.read);
		doc_int(w->d, "read_bytes", e.read_bytes);
		doc_int(w->d, "errors", e.errors);
		doc_bool(w->d, "partial", e.partial);
		doc_object_end(w->d);
	}
	if (w->d != NULL)
		doc_list_end(w->d);
	return ret < 0 ? -1 : 0;
}

/* The defaults and aliases of the config file, if it has some. */
static void
cmd_info_config(const struct cmd_call *c, struct buf *b)
{
	const struct settings *config = c->globals->no_config ? NULL : c->env->config;

	if (config == NULL || config->lines.n == 0)
		return;
	buf_adds(b, "config      ");
	cmd_add_path(c, b, config->path);
	buf_addc(b, '\n');
	for (size_t i = 0; i < config->lines.n; i++) {
		const struct settings_line *l = &config->lines.v[i];
		const bool alias = strcmp(l->section, SETTINGS_ALIAS) == 0;
		const char *policy = settings_policy(l->section);
		struct buf text = { 0 };

		if (alias)
			buf_addf(&text, "%s: %s", l->key, l->value);
		else if (policy != NULL)
			buf_addf(&text, "%s: %s = %s", policy, l->key, l->value != NULL ? l->value : "");
		else
			buf_addf(&text, "%s %s", l->section, l->word);
		buf_adds(b, alias ? "alias       " : policy != NULL ? "policy      " : "default     ");
		name_show_message(b, buf_str(&text), text.len);
		/* The environment overrides the file. */
		buf_adds(b, strcmp(l->section, SETTINGS_GLOBAL) == 0 && strcmp(l->key, "db") == 0 && getenv("TWINDEX_DB") != NULL ?
		         "  (TWINDEX_DB counts instead)\n" : "\n");
		buf_release(&text);
	}
}

static int
cmd_info_run(const struct cmd_call *c, struct err *err)
{
	struct cmd_info w = { .c = c, .d = cmd_doc(c) };
	int ret;

	if (w.d != NULL) {
		doc_path(w.d, "index", c->ix->path);
		doc_int(w.d, "format", c->ix->version);
		doc_text(w.d, "algorithm", META_ALGORITHM);
	} else {
		buf_adds(&w.b, "index       ");
		cmd_add_path(c, &w.b, c->ix->path);
		buf_addf(&w.b, "\nformat      version %lld, %s\n", (long long)c->ix->version, META_ALGORITHM);
	}
	ret = cmd_info_counts(&w, err);
	if (ret == 0)
		ret = cmd_info_validated(&w, err);
	if (ret == 0)
		ret = cmd_info_digests(&w, err);
	if (ret == 0)
		ret = cmd_info_archives(&w, err);
	if (ret == 0)
		ret = cmd_info_roots(&w, err);
	if (ret == 0)
		cmd_info_backups(&w);
	if (ret == 0)
		ret = cmd_info_runs(&w, err);
	if (w.d != NULL) {
		c->verdict->end.unfinished = c->ix->pending != INDEX_WHOLE;
		return doc_close(w.d, ret, err);
	}
	cmd_info_config(c, &w.b);
	if (ret == 0)
		fwrite(w.b.data, 1, w.b.len, c->out);
	buf_release(&w.b);
	return ret;
}

struct forget_args {
	bool yes;
};

static const struct opt forget_opts[] = {
	OPT_FLAG_('y', "yes", struct forget_args, yes, "do not ask, also on a terminal"),
	OPT_END
};

/* Append what forget drops.  dirs is 0 for a file alone, whose directory stays. */
static void
forget_add_counts(struct buf *b, int64_t files, int64_t dirs)
{
	char x[NUM_SHOW_MAX];

	buf_adds(b, num_show_things(files, "file", "files", x));
	if (dirs > 0)
		buf_addf(b, " in %s", num_show_things(dirs, "directory", "directories", x));
}

/*
 * Ask before marks and hours of reading go, where somebody can answer.  The
 * index is not locked meanwhile.  Returns 1: go on, 0: no, or -1.
 */
static int
forget_ask(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	struct index *ix = NULL;
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];
	int64_t files, dirs, marks;
	int ret;

	if (((const struct forget_args *)c->args)->yes || isatty(0) != 1 || isatty(fileno(c->msg)) != 1)
		return 1;
	ret = cmd_open(c->globals, 0, &ix, err);
	for (size_t i = 0; ret == 0 && i < paths->n; i++) {
		ret = forget_count(ix, paths->v[i], &files, &dirs, &marks, err);
		name_show(&b, paths->v[i], strlen(paths->v[i]));
		buf_adds(&b, ": ");
		forget_add_counts(&b, files, dirs);
		if (marks > 0)
			buf_addf(&b, ", and %s", num_show_things(marks, "mark", "marks", x));
		buf_addc(&b, '\n');
	}
	index_close(ix);
	if (ret == 0) {
		fflush(c->out);
		buf_adds(&b, "forget? [y/N] ");
		ret = cmd_answer(c, stdin, buf_str(&b)) == 'y';
		if (stop_check(err) < 0)
			ret = -1;
	}
	buf_release(&b);
	return ret;
}

/* Tell what was dropped. */
static void
forget_tell(const struct cmd_call *c, struct doc *d, const char *path, int64_t files, int64_t dirs)
{
	struct buf b = { 0 };

	if (d != NULL) {
		doc_object(d, NULL);
		doc_path(d, "path", path);
		doc_int(d, "files", files);
		doc_int(d, "dirs", dirs);
		doc_object_end(d);
	} else if (!c->globals->quiet) {
		forget_add_counts(&b, files, dirs);
		fprintf(c->out, "forgot %s\n", buf_str(&b));
	}
	buf_release(&b);
}

static int
forget_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_paths *paths = &c->target->paths;
	struct index *ix = NULL;
	int64_t files, dirs;
	struct doc *d;
	int ret;

	if (c->n_operands == 0)
		return err_set(err, ERR_USAGE, "forget needs a path");
	d = cmd_doc(c);
	if (d != NULL)
		doc_list(d, "forgotten");
	ret = forget_ask(c, paths, err);
	if (ret == 1) {
		ret = cmd_open(c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err);
		for (size_t i = 0; ret == 0 && i < paths->n; i++) {
			ret = forget_path(ix, paths->v[i], &files, &dirs, err);
			if (ret == 0)
				forget_tell(c, d, paths->v[i], files, dirs);
		}
		index_close(ix);
	} else if (ret == 0) {
		cmd_message(c, "nothing is forgotten");
		ret = CMD_NO;
	}
	if (d != NULL) {
		doc_list_end(d);
		ret = doc_close(d, ret, err);
	}
	return ret;
}

const struct cmd cmd_info = {
	.name = "info",
	.operands = "",
	.summary = "show what the index holds: roots, counts, sizes, last runs",
	.help = "It ends with the options and aliases that the config file sets, if there are any.",
	.flags = CMD_READS | CMD_NO_PATHS | CMD_TELLS,
	.run = cmd_info_run,
};

const struct cmd cmd_forget = {
	.name = "forget",
	.operands = "PATH...",
	.summary = "drop a root, a directory or a file from the index",
	.help = "Only the index changes.  The next scan of a directory above finds the files again, without\n"
	        "their marks.  On a terminal it asks first, and exits with 1 unless the answer is y.",
	.opts = forget_opts,
	.args_size = sizeof(struct forget_args),
	.yes = "forgotten", .no = "not_forgotten",
	.flags = CMD_TALKS | CMD_TELLS | CMD_PATHS,
	.run = forget_run,
};
