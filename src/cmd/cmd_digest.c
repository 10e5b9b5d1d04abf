/* SPDX-License-Identifier: MIT */
/*
 * twindex digest - compute digests that other programs know, and list them.
 *
 * scan/digest_files computes them; here are the sums, and the list, whose lines sha256sum -c takes.
 */
#include "base/base.h"

#include "cmd/cmd_digest.h"

#include <stdatomic.h>

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_progress.h"
#include "cmd/cmd_records.h"
#include "db/stmt.h"
#include "index/digests.h"
#include "index/file.h"
#include "index/index.h"
#include "index/presence.h"
#include "scan/digest_files.h"
#include "sys/racy_window.h"
#include "sys/stop.h"
#include "ui/doc.h"
#include "ui/width.h"

struct cmd_digest_args {
	struct opt_list paths, kinds;
	const char *sizes_of;
	int64_t max_time_ns, racy_window_ns, threads;
	bool force, list;
};

static const struct opt cmd_digest_opts[] = {
	OPT_LIST_('k', "kind", struct cmd_digest_args, kinds, "KIND", "md5, sha1, sha256 (the default), sha512 or blake2b; several with commas, from one read"),
	OPT_STRING_(0, "sizes-of", struct cmd_digest_args, sizes_of, "NAME", "only files whose size occurs in what was imported as NAME"),
	OPT_FLAG_('f', "force", struct cmd_digest_args, force, "compute also what the index has"),
	OPT_FLAG_('l', "list", struct cmd_digest_args, list, "compute nothing: print the digests of one kind as sha256sum -c and its like take them"),
	OPT_DURATION_(0, "max-time", struct cmd_digest_args, max_time_ns, "TIME", "stop reading after TIME (90, 10m, 2h); the next run goes on"),
	OPT_DURATION_(0, "racy-window", struct cmd_digest_args, racy_window_ns, "TIME", "a digest made less than TIME after its file changed is computed again next time (default: 60s)"),
	OPT_INT_(0, "threads", struct cmd_digest_args, threads, "N", "threads that read (default: 8, or 2 on a rotating disk)"),
	OPT_LIST_('p', "path", struct cmd_digest_args, paths, "PATH", "the same as the operand PATH"),
	OPT_END
};

static const struct cmd_digest_args cmd_digest_defaults = { .racy_window_ns = RACY_WINDOW_NS };

int
cmd_digest_kinds(const char *option, const struct opt_list *list, unsigned *kinds, struct err *err)
{
	*kinds = 0;
	for (size_t i = 0; i < list->n; i++) {
		const char *at = list->v[i];

		while (true) {
			const size_t len = strcspn(at, ",");
			const enum digest_kind kind = digest_find(at, len);

			if (kind >= DIGEST_KINDS)
				return err_set(err, ERR_USAGE, "option '%s': '%.*s' is not md5, sha1, sha256, sha512 or blake2b", option, (int)len, at);
			*kinds |= DIGEST_BIT(kind);
			if (at[len] == '\0')
				break;
			at += len + 1;
		}
	}
	return 0;
}

/* Add a line of the list, with the escapes of coreutils. */
static void
cmd_digest_line(const struct cmd_call *c, struct buf *b, const uint8_t *bytes, size_t size, const char *path)
{
	const bool escaped = strpbrk(path, "\\\n\r") != NULL;

	if (escaped && !c->tty)
		buf_addc(b, '\\');
	buf_add_hex(b, bytes, size);
	buf_adds(b, "  ");
	if (c->tty)
		cmd_add_path(c, b, path);
	for (const char *at = path; !c->tty && *at != '\0'; at++) {
		switch (*at) {
		case '\\': buf_adds(b, "\\\\"); break;
		case '\n': buf_adds(b, "\\n"); break;
		case '\r': buf_adds(b, "\\r"); break;
		default: buf_addc(b, *at);
		}
	}
	buf_addc(b, '\n');
}

/* The list of digests that is being printed. */
struct cmd_digest_list {
	const struct cmd_call *c;
	struct doc *d;
	enum digest_kind kind;
	bool has_empty;            /* empty is known: */
	uint8_t empty[DIGEST_MOST];
	int64_t lacking;           /* files that have none */
};

/* Print the digest of a row's file, if it has one. */
static int
cmd_digest_list_file(struct cmd_digest_list *l, const struct file_row *row, const char *path, struct err *err)
{
	const size_t size = digest_size(l->kind);
	uint8_t bytes[DIGEST_MOST];
	struct buf b = { 0 };
	int has = 1;

	if (row->size == 0 && l->has_empty)
		memcpy(bytes, l->empty, size);
	else
		has = digests_get(l->c->ix, row, l->kind, bytes, err);
	l->lacking += has == 0;
	if (has != 1)
		return has;
	if (l->d != NULL) {
		buf_add_hex(&b, bytes, size);
		doc_object(l->d, NULL);
		doc_path(l->d, "path", path);
		doc_text(l->d, "kind", digest_name(l->kind));
		doc_text(l->d, "digest", buf_str(&b));
		doc_object_end(l->d);
	} else {
		cmd_digest_line(l->c, &b, bytes, size, path);
		fwrite(b.data, 1, b.len, l->c->out);
	}
	buf_release(&b);
	return 0;
}

/* Print the digests of the files below the paths, in the order of the index. */
static int
cmd_digest_list_all(struct cmd_digest_list *l, struct err *err)
{
	const struct cmd_paths *paths = &l->c->target->paths;
	struct stmt st = stmt_get(l->c->ix->db, SQL_DIGEST_ALL_FILES, err);
	struct presence_view view = { 0 };
	struct file_row row;
	const char *path;
	int ret = presence_open(&view, l->c->ix, err) < 0 ? -1 : 1;

	while (ret == 1 && (ret = stmt_step(&st)) == 1) {
		if (file_read(&st, &row, err) < 0 || stop_check(err) < 0 || presence_path(&view, &row, &path, err) < 0 ||
		    ((paths->n == 0 || path_is_below_any(path, paths->v, paths->n)) && cmd_digest_list_file(l, &row, path, err) < 0))
			ret = -1;
	}
	stmt_done(&st);
	presence_release(&view);
	return ret;
}

static int
cmd_digest_list(const struct cmd_call *c, unsigned kinds, struct err *err)
{
	struct cmd_digest_list l = { .c = c };
	struct err ignored = { 0 };
	struct digest *digest;
	char x[NUM_SHOW_MAX];
	int ret;

	while ((kinds & DIGEST_BIT(l.kind)) == 0)
		l.kind++;
	if (kinds != DIGEST_BIT(l.kind))
		return err_set(err, ERR_USAGE, "--list prints one kind of digest");
	digest = digest_new(kinds, &ignored);
	if (digest != NULL) {
		digest_start(digest);
		digest_end(digest, l.empty);
		l.has_empty = true;
	}
	digest_free(digest);
	l.d = cmd_doc(c);
	if (l.d != NULL)
		doc_list(l.d, "files");
	ret = cmd_digest_list_all(&l, err);
	if (l.d != NULL) {
		doc_list_end(l.d);
		doc_int(l.d, "lacking", l.lacking);
		ret = doc_close(l.d, ret, err);
	}
	if (ret == 0 && l.lacking > 0)
		cmd_notice(c, "%s no %s that holds: '%s digest --kind %s' computes it",
		           num_show_things(l.lacking, "file has", "files have", x), digest_name(l.kind), prog_name(), digest_name(l.kind));
	c->verdict->undone = l.lacking > 0;
	return ret;
}

static void
cmd_digest_add_sum(struct buf *b, const char *word, int64_t n, int64_t bytes, const char *more)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	buf_addf(b, "%-11s %s", word, num_show_things(n, "file", "files", x));
	if (bytes >= 0)
		buf_addf(b, ", %s", num_show_size(bytes, NUM_IEC, y));
	buf_addf(b, "%s\n", more);
}

static void
cmd_digest_summary(const struct cmd_call *c, const struct digest_files_report *r)
{
	char x[NUM_SHOW_MAX];
	struct buf b = { 0 };

	cmd_digest_add_sum(&b, "computed", r->made, r->made_bytes, "");
	if (r->had > 0)
		cmd_digest_add_sum(&b, "known", r->had, r->had_bytes, "");
	if (r->changed > 0)
		cmd_digest_add_sum(&b, "changed", r->changed, -1, "");
	if (r->gone > 0)
		cmd_digest_add_sum(&b, "gone", r->gone, -1, "");
	if (r->offline > 0)
		cmd_digest_add_sum(&b, "offline", r->offline, -1, "");
	if (r->unreadable > 0)
		cmd_digest_add_sum(&b, "unreadable", r->unreadable, -1, "");
	if (r->left > 0)
		cmd_digest_add_sum(&b, "left", r->left, r->left_bytes, ": the next run goes on there");
	buf_addf(&b, "read        %s\n", num_show_size(atomic_load(&r->run.counts.read_bytes), NUM_IEC, x));
	buf_addf(&b, "time        %s\n", num_show_duration(r->run.elapsed_ns, x));
	width_print(c->out, buf_str(&b), CMD_LABEL, c->tty ? c->env->width : 0);
	buf_release(&b);
}

static void
cmd_digest_doc(struct doc *d, unsigned kinds, const struct digest_files_report *r)
{
	doc_list_end(d);
	doc_list(d, "kinds");
	for (int i = 0; i < DIGEST_KINDS; i++) {
		if ((kinds & DIGEST_BIT(i)) != 0)
			doc_path(d, NULL, digest_name((enum digest_kind)i));
	}
	doc_list_end(d);
	doc_int(d, "computed", r->made);
	doc_int(d, "computed_bytes", r->made_bytes);
	doc_int(d, "known", r->had);
	doc_int(d, "known_bytes", r->had_bytes);
	doc_int(d, "changed", r->changed);
	doc_int(d, "gone", r->gone);
	doc_int(d, "offline", r->offline);
	doc_int(d, "unreadable", r->unreadable);
	doc_int(d, "left", r->left);
	doc_int(d, "left_bytes", r->left_bytes);
	doc_int(d, "read_bytes", atomic_load(&r->run.counts.read_bytes));
}

static int
cmd_digest_compute(const struct cmd_call *c, unsigned kinds, struct err *err)
{
	const struct cmd_digest_args *a = c->args;
	const struct cmd_paths *paths = &c->target->paths;
	const struct digest_files_options opts = {
		.kinds = kinds, .paths = paths->v, .n_paths = paths->n, .sizes_of = a->sizes_of, .force = a->force,
		.threads = (int)a->threads, .racy_window_ns = a->racy_window_ns, .max_time_ns = a->max_time_ns,
		.settles = !opt_given(cmd_digest_opts, c->given, offsetof(struct cmd_digest_args, racy_window_ns)),
	};
	struct digest_files_report *report = mem_zalloc(1, sizeof(*report));
	struct cmd_progress progress;
	struct doc *d = cmd_doc(c);
	int ret;

	cmd_progress_begin(&progress, c, 0);
	progress.problems = d;
	if (d != NULL)
		doc_list(d, "problems");
	ret = digest_files_run(c->ix, &opts, &progress.hooks, report, err);
	progress_clear(&progress.line);
	if (d != NULL) {
		cmd_digest_doc(d, kinds, report);
		ret = doc_close(d, ret, err);
	} else if ((ret == 0 || err->code == ERR_INTERRUPTED) && !c->globals->quiet)
		cmd_digest_summary(c, report);
	c->verdict->undone = report->run.n_errors + report->left > 0;
	free(report);
	return ret;
}

static int
cmd_digest_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_digest_args *a = c->args;
	struct cmd_call with = *c;
	unsigned kinds;
	int ret = cmd_digest_kinds("--kind", &a->kinds, &kinds, err);

	if (kinds == 0)
		kinds = DIGEST_BIT(DIGEST_SHA256);
	if (ret == 0 && a->threads > 512)
		ret = err_set(err, ERR_USAGE, "option '--threads': %lld is more than 512", (long long)a->threads);
	if (ret == 0 && a->list && (a->force || a->sizes_of != NULL || a->max_time_ns > 0))
		ret = err_set(err, ERR_USAGE, "--list computes nothing: it does not go with --force, --sizes-of and --max-time");
	if (ret == 0 && !a->list && !digest_can())
		ret = digest_fail(err);
	if (ret == 0)
		ret = cmd_open(c->globals, a->list ? 0 : INDEX_WRITE | INDEX_EXISTING, &with.ix, err);
	if (ret == 0)
		ret = cmd_paths_known(&with, &c->target->paths, err);
	if (ret == 0) {
		cmd_paths_prune(&c->target->paths, false);
		ret = a->list ? cmd_digest_list(&with, kinds, err) : cmd_digest_compute(&with, kinds, err);
	}
	index_close(with.ix);
	return ret;
}

const struct cmd cmd_digest = {
	.name = "digest",
	.operands = "[PATH...]",
	.summary = "compute SHA-256 and other digests, or list them for sha256sum -c",
	.help = "Files of the index that lack a digest are read, each inode once.  A digest holds until the\n"
	        "file changes.  Exit status 3: some could not be read, are not as the index has them, or\n"
	        "are left.",
	.opts = cmd_digest_opts,
	.args_size = sizeof(struct cmd_digest_args),
	.flags = CMD_TALKS | CMD_TELLS | CMD_PATHS,
	.defaults = &cmd_digest_defaults,
	.run = cmd_digest_run,
};
