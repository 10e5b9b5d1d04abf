/* SPDX-License-Identifier: MIT */
/*
 * twindex validate - read contents again and compare them with their hashes.
 *
 * scan/validate does it; here is what is told of each file, and the sums.  All runs in the calling
 * thread.
 */
#include "base/base.h"

#include <stdatomic.h>

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_progress.h"
#include "cmd/cmd_records.h"
#include "index/index.h"
#include "scan/validate.h"
#include "ui/doc.h"
#include "ui/width.h"

/* Width of the words before paths. */
#define CMD_VALIDATE_WORD 10

struct cmd_validate_args {
	struct opt_list paths;
	int64_t max_bytes, max_time_ns, threads;
	bool trust_cache;
};

static const struct opt cmd_validate_opts[] = {
	OPT_SIZE_(0, "max-bytes", struct cmd_validate_args, max_bytes, "SIZE", "read no more than SIZE, but at least one file; the next run goes on"),
	OPT_DURATION_(0, "max-time", struct cmd_validate_args, max_time_ns, "TIME", "stop reading after TIME (90, 10m, 2h); the next run goes on"),
	OPT_INT_(0, "threads", struct cmd_validate_args, threads, "N", "threads that read (default: 8, or 2 on a rotating disk)"),
	OPT_FLAG_(0, "trust-cache", struct cmd_validate_args, trust_cache, "read files that are cached from memory, not from the disk"),
	OPT_LIST_('p', "path", struct cmd_validate_args, paths, "PATH", "the same as the operand PATH"),
	OPT_END
};

struct cmd_validate {
	const struct cmd_call *c;
	struct doc *d;           /* its list of files is open; or NULL */
	struct cmd_progress progress;
};

/* Add a file to the document. */
static void
cmd_validate_doc(struct doc *d, const struct validate_told *t)
{
	doc_object(d, NULL);
	doc_path(d, "path", t->path);
	doc_text(d, "verdict", validate_verdict_name(t->verdict));
	doc_text(d, "why", t->why);
	doc_list(d, "good");
	for (size_t i = 0; i < t->n_good; i++) {
		doc_object(d, NULL);
		doc_path(d, "path", t->good[i]);
		doc_object_end(d);
	}
	doc_list_end(d);
	doc_int(d, "unread_copies", t->n_unread);
	doc_object_end(d);
}

/* Append a line: a word, a path if there is one, and a reason if there is one. */
static void
cmd_validate_line(const struct cmd_call *c, struct buf *b, const char *word, const char *path, const char *why)
{
	buf_addf(b, "%*s: ", CMD_VALIDATE_WORD, word);
	if (path != NULL)
		cmd_add_path(c, b, path);
	if (why != NULL) {
		buf_adds(b, path != NULL ? " (" : "");
		cmd_add_path(c, b, why);
		buf_adds(b, path != NULL ? ")" : "");
	}
	buf_addc(b, '\n');
}

/* validate_told_fn: corrupt files are told with --quiet, too. */
static void
cmd_validate_told(void *arg, const struct validate_told *t)
{
	struct cmd_validate *v = arg;
	const struct cmd_call *c = v->c;
	const bool corrupt = t->verdict == VALIDATE_CORRUPT;
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	if ((t->verdict == VALIDATE_FINE && c->globals->verbose == 0) || (c->globals->quiet && !corrupt))
		return;
	if (v->d != NULL) {
		cmd_validate_doc(v->d, t);
		return;
	}
	cmd_validate_line(c, &b, validate_verdict_name(t->verdict), t->path, t->why);
	for (size_t i = 0; corrupt && i < t->n_good; i++)
		cmd_validate_line(c, &b, "good", t->good[i], NULL);
	if (corrupt && t->n_unread > 0) {
		struct buf why = { 0 };

		buf_addf(&why, "not known: %s not read", num_show_things(t->n_unread, "copy was", "copies were", x));
		cmd_validate_line(c, &b, "good", NULL, buf_str(&why));
		buf_release(&why);
	} else if (corrupt && t->n_good == 0)
		cmd_validate_line(c, &b, "good", NULL, "no copy in the index");
	progress_clear(&v->progress.line);
	fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
}

static void
cmd_validate_summary(const struct cmd_call *c, const struct validate_report *r)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf b = { 0 };

	buf_addf(&b, "fine        %s, %s\n", num_show_things(r->n[VALIDATE_FINE], "file", "files", x),
	         num_show_size(r->fine_bytes, NUM_IEC, y));
	for (int i = VALIDATE_CHANGED; i < VALIDATE_VERDICTS; i++) {
		if (r->n[i] > 0)
			buf_addf(&b, "%-11s %s\n", validate_verdict_name((enum validate_verdict)i), num_show_things(r->n[i], "file", "files", x));
	}
	if (r->unhashed > 0)
		buf_addf(&b, "never read  %s, %s: no hash; 'scan --hash-all ROOT' makes one\n",
		         num_show_things(r->unhashed, "file", "files", x), num_show_size(r->unhashed_bytes, NUM_IEC, y));
	if (r->left > 0)
		buf_addf(&b, "left        %s, %s: the next run goes on there\n", num_show_things(r->left, "file", "files", x),
		         num_show_size(r->left_bytes, NUM_IEC, y));
	buf_addf(&b, "read        %s\n", num_show_size(atomic_load(&r->run.counts.read_bytes), NUM_IEC, x));
	buf_addf(&b, "time        %s\n", num_show_duration(r->run.elapsed_ns, x));
	width_print(c->out, buf_str(&b), CMD_LABEL, c->tty ? c->env->width : 0);
	buf_release(&b);
}

/* End the list of files, and add the sums. */
static void
cmd_validate_doc_sums(struct doc *d, const struct validate_report *r)
{
	doc_list_end(d);
	doc_int(d, "fine_bytes", r->fine_bytes);
	doc_object(d, "verdicts");
	for (int i = VALIDATE_FINE; i < VALIDATE_VERDICTS; i++)
		doc_int(d, validate_verdict_name((enum validate_verdict)i), r->n[i]);
	doc_object_end(d);
	doc_int(d, "never_read", r->unhashed);
	doc_int(d, "never_read_bytes", r->unhashed_bytes);
	doc_int(d, "left", r->left);
	doc_int(d, "left_bytes", r->left_bytes);
	doc_int(d, "read_bytes", atomic_load(&r->run.counts.read_bytes));
}

/* Check the paths that were typed with the index, which is closed again. */
static int
cmd_validate_paths(const struct cmd_call *c, struct err *err)
{
	const struct cmd_validate_args *a = c->args;
	struct cmd_call with = *c;
	int ret;

	if (a->threads > 512)
		return err_set(err, ERR_USAGE, "option '--threads': %lld is more than 512", (long long)a->threads);
	ret = cmd_open(c->globals, 0, &with.ix, err);
	if (ret == 0)
		ret = cmd_paths_known(&with, &c->target->paths, err);
	index_close(with.ix);
	cmd_paths_prune(&c->target->paths, false);
	return ret;
}

static int
cmd_validate_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_validate_args *a = c->args;
	struct validate_report *report = mem_zalloc(1, sizeof(*report));
	struct cmd_validate v = { .c = c };
	const struct cmd_paths *paths = &c->target->paths;
	struct buf index = { 0 };
	int ret = cmd_validate_paths(c, err);

	if (ret == 0)
		ret = cmd_index_path(c->globals, &index, err);
	if (ret == 0) {
		const struct validate_options opts = {
			.paths = paths->v, .n_paths = paths->n, .threads = (int)a->threads, .max_bytes = a->max_bytes,
			.max_time_ns = a->max_time_ns, .wait = c->globals->wait, .trust_cache = a->trust_cache, .told = cmd_validate_told, .arg = &v,
		};

		v.d = cmd_doc(c);
		if (v.d != NULL)
			doc_list(v.d, "files");
		cmd_progress_begin(&v.progress, c, 0);
		ret = validate_run(buf_str(&index), &opts, &v.progress.hooks, report, err);
		progress_clear(&v.progress.line);
		if (v.d != NULL) {
			cmd_validate_doc_sums(v.d, report);
			ret = doc_close(v.d, ret, err);
		} else if ((ret == 0 || err->code == ERR_INTERRUPTED) && !c->globals->quiet)
			cmd_validate_summary(c, report);
		if (ret == 0)
			ret = report->n[VALIDATE_CORRUPT] > 0 ? CMD_NO : CMD_OK;
		c->verdict->undone = report->run.n_errors + report->unhashed + report->left > 0;
	}
	buf_release(&index);
	free(report);
	return ret;
}

const struct cmd cmd_validate = {
	.name = "validate",
	.operands = "[PATH...]",
	.summary = "read contents again and compare them: find silent corruption",
	.help = "Files that were read longest ago come first, so limited runs read everything in turn.  A\n"
	        "file is corrupt when its bytes changed while its inode, size and times did not.  Copies that\n"
	        "still have the old bytes are read and named.  The index keeps the old hash.  Exit status 1:\n"
	        "a file is corrupt; 3: some could not be judged, or are left.",
	.opts = cmd_validate_opts,
	.args_size = sizeof(struct cmd_validate_args),
	.yes = "fine", .no = "corrupt",
	.flags = CMD_TALKS | CMD_TELLS | CMD_PATHS,
	.run = cmd_validate_run,
};
