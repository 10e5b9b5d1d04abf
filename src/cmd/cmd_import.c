/* SPDX-License-Identifier: MIT */
/* twindex import - what others say they have: their listings become claims, never copies. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_progress.h"
#include "cmd/cmd_records.h"
#include "export/origin.h"
#include "import/import.h"
#include "index/claims.h"
#include "index/index.h"
#include "sys/fs.h"
#include "ui/doc.h"

/* Bad records that are told one by one, and the longest name of a source. */
enum { IMPORT_TOLD = 5, IMPORT_NAME_MOST = 64 };
/* Files between two looks at whether progress is to be shown. */
enum { IMPORT_STEP = 1024 };

struct cmd_import_args {
	const char *as, *prefix, *drop;
	int kind, digest;
	bool replace, etag_md5, list;
};

/* In the order of enum digest_kind, behind what asks for none. */
static const char *const cmd_import_digests[] = { "auto", "md5", "sha1", "sha256", "sha512", "blake2b", NULL };

static const struct opt cmd_import_opts[] = {
	OPT_STRING_(0, "as", struct cmd_import_args, as, "NAME", "the name of who has these files"),
	OPT_CHOICE_(0, "kind", struct cmd_import_args, kind, "KIND", "auto (default), lsjson, sums, hashdeep, restic, borg, s3, efu or csv", import_words),
	OPT_STRING_(0, "prefix", struct cmd_import_args, prefix, "TEXT", "put TEXT before every name"),
	OPT_CHOICE_(0, "digest", struct cmd_import_args, digest, "KIND", "checksums that do not say it are md5, sha1, sha256, sha512 or blake2b", cmd_import_digests),
	OPT_FLAG_(0, "etag-md5", struct cmd_import_args, etag_md5, "ETags of S3 without '-' are MD5: nothing there is encrypted with KMS"),
	OPT_FLAG_(0, "replace", struct cmd_import_args, replace, "take the place of the claims of that name"),
	OPT_FLAG_(0, "list", struct cmd_import_args, list, "list whose claims the index has"),
	OPT_STRING_(0, "drop", struct cmd_import_args, drop, "NAME", "drop the claims of NAME"),
	OPT_END
};

/* An import on its way. */
struct cmd_import {
	const struct cmd_call *c;
	const struct cmd_import_args *a;
	struct claims_writer *writer;
	const char *file;        /* for messages */
	struct buf name;         /* with its prefix */
	int64_t told, files;
	struct cmd_progress progress;
};

/* A file of the listing. */
static int
cmd_import_file(void *arg, const struct claim *claim, struct err *err)
{
	struct cmd_import *w = arg;
	struct claim with = *claim;

	if (++w->files % IMPORT_STEP == 0)
		cmd_progress_count(&w->progress, w->files, 0);
	if (w->a->prefix != NULL) {
		buf_cut(&w->name, 0);
		buf_adds(&w->name, w->a->prefix);
		buf_add(&w->name, claim->name, claim->name_len);
		with.name = w->name.data;
		with.name_len = w->name.len;
	}
	return claims_add(w->writer, &with, err);
}

/* A record that is not understood. */
static void
cmd_import_bad(void *arg, int64_t line, const char *why)
{
	struct cmd_import *w = arg;

	if (w->told++ >= IMPORT_TOLD)
		return;
	progress_clear(&w->progress.line);
	cmd_message(w->c, "'%s':%lld: %s", w->file, (long long)line, why);
}

/*
 * Open a listing, be it a pipe.  Not a file of the index: closing one takes the locks on it.
 * Returns a descriptor, *made the time of a regular file, or -1.
 */
static int
cmd_import_open(const struct cmd_call *c, const char *path, int64_t *made, struct err *err)
{
	const char *typed = c->operands[0];
	struct fs_stat st;
	int fd;

	if (strcmp(typed, "-") == 0)
		return STDIN_FILENO;
	if (fs_stat_through(AT_FDCWD, path, &st) < 0)
		return fs_is_absent(errno) ? err_set(err, ERR_NO_PATH, "'%s' does not exist", typed) : err_sys(err, "open '%s'", typed);
	if (S_ISDIR(st.mode))
		return err_set(err, ERR_USAGE, "'%s' is a directory: import reads a listing that another program has made", typed);
	if (fs_is_shunned(st.dev, st.inode))
		return err_set(err, ERR_USAGE, "'%s' is the index itself", typed);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, "open '%s'", typed);
	if (S_ISREG(st.mode))
		*made = st.mtime.sec;
	return fd;
}

/* Add ", 1,100 with sha256" and the like. */
static void
cmd_import_add_digests(struct buf *b, const struct claim_source *s)
{
	char x[NUM_SHOW_MAX];

	for (int i = 0; i < DIGEST_NONE; i++) {
		if (s->digests[i] > 0)
			buf_addf(b, ", %s with %s", num_show_count(s->digests[i], x), digest_name((enum digest_kind)i));
	}
	if (s->no_digest > 0)
		buf_addf(b, ", %s by size alone", num_show_count(s->no_digest, x));
}

/* Add what both documents say of a source. */
static void
cmd_import_doc(struct doc *d, const struct claim_source *s)
{
	doc_text(d, "name", s->name);
	doc_text(d, "kind", s->kind);
	doc_text(d, "file", s->file);
	doc_size(d, "made", s->made);
	doc_int(d, "imported", s->imported);
	doc_int(d, "claims", s->claims);
	doc_object(d, "digests");
	for (int i = 0; i < DIGEST_NONE; i++) {
		if (s->digests[i] > 0)
			doc_int(d, digest_name((enum digest_kind)i), s->digests[i]);
	}
	doc_object_end(d);
	doc_int(d, "no_digest", s->no_digest);
	doc_int(d, "bad", s->bad);
}

/* Tell what was imported. */
static void
cmd_import_tell(const struct cmd_import *w, struct doc *d, const struct claim_source *s, const struct import *im, int64_t twice)
{
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	if (d != NULL) {
		cmd_import_doc(d, s);
		doc_int(d, "left_out", im->left_out);
		doc_int(d, "twice", twice);
	} else if (!w->c->globals->quiet) {
		buf_addf(&b, "%s: %s", s->name, num_show_things(s->claims, "file", "files", x));
		cmd_import_add_digests(&b, s);
		if (im->left_out > 0)
			buf_addf(&b, "; %s no file and left out", num_show_things(im->left_out, "entry is", "entries are", x));
		if (twice > 0)
			buf_addf(&b, "; %s there more than once", num_show_things(twice, "name is", "names are", x));
		if (s->bad > 0)
			buf_addf(&b, "; %s not understood", num_show_things(s->bad, "record", "records", x));
		fprintf(w->c->out, "%s\n", buf_str(&b));
	}
	buf_release(&b);
	if (im->parser.other_secret > 0)
		cmd_message(w->c, "%s under the secret of another index, and can't be compared: make one of the two with --secret-from the other",
		            num_show_things(im->parser.other_secret, "hash is", "hashes are", x));
	if (im->source.unended)
		cmd_message(w->c, "'%s': its last line has no end: it may be cut off", w->file);
}

/* Read the listing at path, and write its claims. */
static int
cmd_import_read(struct cmd_import *w, struct index *ix, const char *path, struct doc *d, struct err *err)
{
	struct import im = {
		.kind = (enum import_kind)w->a->kind,
		.parser = { .db = ix->db, .etag_md5 = w->a->etag_md5, .hash_id = origin_hash_id(ix), .digest = w->a->digest == 0 ? DIGEST_NONE : (enum digest_kind)(w->a->digest - 1) },
		.file = cmd_import_file, .bad_record = cmd_import_bad, .arg = w,
	};
	struct claim_source s = { .name = w->a->as, .file = path, .made = -1, .imported = (int64_t)time(NULL) };
	struct buf shown = { 0 };
	int64_t twice;
	int ret = -1;

	im.source.fd = cmd_import_open(w->c, path, &s.made, err);
	if (im.source.fd < 0)
		return -1;
	im.source.name = w->file;
	name_show(&shown, path, strlen(path));
	s.file = buf_str(&shown);
	w->writer = claims_begin(ix, w->a->as, s.file, w->a->replace, err);
	if (w->writer != NULL) {
		cmd_progress_begin_count(&w->progress, w->c, "import");
		ret = import_run(&im, err);
		s.kind = import_words[im.kind];
		s.bad = im.bad;
		if (im.parser.made > 0)
			s.made = im.parser.made;
		ret = claims_end(w->writer, ret, &s, &twice, err);
		progress_clear(&w->progress.line);
		if (ret == 0)
			cmd_import_tell(w, d, &s, &im, twice);
	}
	if (im.source.fd != STDIN_FILENO)
		close(im.source.fd);
	buf_release(&shown);
	return ret;
}

/* Import the operand. */
static int
cmd_import_one(const struct cmd_call *c, struct index *ix, struct doc *d, struct err *err)
{
	struct cmd_import w = { .c = c, .a = c->args };
	struct cmd_paths abs = { 0 };
	const char *typed = c->operands[0];
	int ret = 0;

	w.file = typed;
	/* What /dev/fd names is opened by that name alone. */
	if (typed[0] != '/' && strcmp(typed, "-") != 0)
		ret = cmd_paths_add(c, &typed, 1, &abs, err);
	if (ret == 0)
		ret = cmd_import_read(&w, ix, abs.n > 0 ? abs.v[0] : typed, d, err);
	cmd_paths_release(&abs);
	buf_release(&w.name);
	return ret;
}

/* The sources on their way to the printer. */
struct cmd_import_list {
	const struct cmd_call *c;
	struct doc *d;
	struct buf b;
};

/* claims_source_fn */
static int
cmd_import_add_source(void *arg, const struct claim_source *s, struct err *err)
{
	struct cmd_import_list *l = arg;
	char x[NUM_SHOW_MAX];

	(void)err;
	if (l->d != NULL) {
		doc_object(l->d, NULL);
		cmd_import_doc(l->d, s);
		doc_object_end(l->d);
		return 0;
	}
	cmd_add_path(l->c, &l->b, s->name);
	buf_addf(&l->b, ": %s", num_show_things(s->claims, "file", "files", x));
	cmd_import_add_digests(&l->b, s);
	buf_addf(&l->b, "; %s, %s %s ago", s->kind, s->made >= 0 ? "made" : "imported", num_show_since(s->made >= 0 ? s->made : s->imported, (int64_t)time(NULL), x));
	buf_addf(&l->b, ", from %s\n", s->file);
	return 0;
}

/* List the sources. */
static int
cmd_import_list(const struct cmd_call *c, struct doc *d, struct err *err)
{
	struct cmd_import_list l = { .c = c, .d = d };
	struct index *ix = NULL;
	int ret = cmd_open(c->globals, 0, &ix, err);

	if (d != NULL)
		doc_list(d, "sources");
	if (ret == 0)
		ret = claims_sources(ix, cmd_import_add_source, &l, err);
	if (d != NULL)
		doc_list_end(d);
	if (ret == 0 && l.b.len > 0)
		fwrite(l.b.data, 1, l.b.len, c->out);
	buf_release(&l.b);
	index_close(ix);
	return ret;
}

/* Drop or import, with the index locked. */
static int
cmd_import_write(const struct cmd_call *c, struct doc *d, struct err *err)
{
	const struct cmd_import_args *a = c->args;
	struct index *ix = NULL;
	int ret = cmd_open(c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err);

	if (ret == 0 && a->drop != NULL) {
		ret = claims_drop(ix, a->drop, err);
		if (ret == 0)
			ret = err_set(err, ERR_USAGE, "there are no claims of '%s'", a->drop);
		else if (ret > 0) {
			ret = 0;
			if (d != NULL)
				doc_text(d, "dropped", a->drop);
		}
	} else if (ret == 0)
		ret = cmd_import_one(c, ix, d, err);
	index_close(ix);
	return ret;
}

static int
cmd_import_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_import_args *a = c->args;
	const size_t len = a->as != NULL ? strlen(a->as) : 0;
	struct doc *d;
	int ret;

	if (a->list || a->drop != NULL) {
		if (a->list == (a->drop != NULL) || c->n_operands > 0 || a->as != NULL)
			return err_set(err, ERR_USAGE, "--list and --drop stand alone");
	} else if (c->n_operands != 1 || a->as == NULL)
		return err_set(err, ERR_USAGE, "import needs one listing, and --as NAME: who has these files");
	/* NAME: stands for it beside paths. */
	else if (len == 0 || len > IMPORT_NAME_MOST || !name_is_utf8(a->as, len) || name_is_hostile(a->as, len) || strpbrk(a->as, "/:") != NULL)
		return err_set(err, ERR_USAGE, "option '--as': a name has 1 to %d bytes, and no '/' or ':'", IMPORT_NAME_MOST);
	d = cmd_doc(c);
	ret = a->list ? cmd_import_list(c, d, err) : cmd_import_write(c, d, err);
	return d != NULL ? doc_close(d, ret, err) : ret;
}

const struct cmd cmd_import = {
	.name = "import",
	.operands = "FILE",
	.summary = "take in what others say they have, as claims",
	.help = "FILE, or - for standard input, is a listing of another program: rclone lsjson --hash -R,\n"
	        "sha256sum and its relatives, hashdeep, restic ls --json, borg list --json-lines, S3 Inventory\n"
	        "in CSV, Everything's .efu, or CSV whose first line names its columns (path, size, sha256), as\n"
	        "engines write it, and twindex export --what files --format csv.  Claims are no copies: no\n"
	        "file goes because of them.  If more than one record in a hundred is not understood, nothing\n"
	        "is imported.",
	.opts = cmd_import_opts,
	.args_size = sizeof(struct cmd_import_args),
	.flags = CMD_TALKS | CMD_TELLS,
	.run = cmd_import_run,
};
