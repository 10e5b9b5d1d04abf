/* SPDX-License-Identifier: MIT */
/* twindex check - the index alone: is the file sound, and does it keep its promises? */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_exit_status.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/name_build.h"
#include "index/schema.h"
#include "ui/doc.h"

/* Broken rows shown per invariant. */
#define CHECK_SHOWN 5

/*
 * 'scan --rehash' mends what the first CHECK_MENDED statements below find.  A scan trusts rows that
 * break one of the others, or stops at them.
 */
#define CHECK_MENDED 5

static const enum sql_id cmd_check_statements[] = {
	SQL_CHECK_UNPROVEN, SQL_CHECK_UNPROVEN_HEAD, SQL_CHECK_HEAD, SQL_CHECK_LINKS, SQL_CHECK_DIGEST,
	SQL_CHECK_FILE_DIR, SQL_CHECK_DIR_PARENT, SQL_CHECK_DIR_CYCLE, SQL_CHECK_PATH_TWICE,
	SQL_CHECK_OWN_LINK, SQL_CHECK_ASIDE, SQL_CHECK_NAME, SQL_CHECK_RANGE, SQL_CHECK_ROOT,
	SQL_CHECK_VALIDATED, SQL_CHECK_DIGESTS, SQL_CHECK_PAYLOADS, SQL_CHECK_CLAIMS, SQL_CHECK_DRAWER, SQL_CHECK_ARCHIVES, SQL_CHECK_BEFORE,
};

struct cmd_check_args {
	bool repair;
};

static const struct opt cmd_check_opts[] = {
	OPT_FLAG_(0, "repair", struct cmd_check_args, repair, "rebuild SQLite's indexes from the rows"),
	OPT_END
};

/* What a check tells: text, or a document. */
struct cmd_check {
	const struct cmd_call *c;
	struct doc *d;           /* its list of findings is open; or NULL */
};

/* Tell of a finding about the file itself. */
static void
cmd_check_tell(const struct cmd_check *k, const char *word, const char *what)
{
	if (k->d == NULL) {
		fprintf(k->c->out, "%s: %s\n", word, what);
		return;
	}
	doc_object(k->d, NULL);
	doc_text(k->d, "finding", word);
	doc_text(k->d, "what", what);
	doc_object_end(k->d);
}

/* Tell of a row that breaks an invariant. */
static void
cmd_check_broken(const struct cmd_check *k, const char *what, int64_t dir, const char *text, size_t len, int64_t size)
{
	struct buf name = { 0 };

	name_show(&name, text, len);
	if (k->d == NULL)
		fprintf(k->c->out, "broken: %s: directory %lld, '%s', size %lld\n", what, (long long)dir, buf_str(&name), (long long)size);
	else {
		doc_object(k->d, NULL);
		doc_text(k->d, "finding", "broken");
		doc_text(k->d, "what", what);
		doc_int(k->d, "dir", dir);
		doc_text(k->d, "name", buf_str(&name));
		doc_int(k->d, "size", size);
		doc_object_end(k->d);
	}
	buf_release(&name);
}

/* Run one invariant and print the rows that break it.  Returns how many, or -1. */
static int64_t
cmd_check_invariant(const struct cmd_check *k, struct index *ix, enum sql_id id, struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);
	int64_t n = 0;
	int ret;

	/* What reading proves holds for files that are compared. */
	if (id == SQL_CHECK_UNPROVEN || id == SQL_CHECK_UNPROVEN_HEAD)
		stmt_int(&st, ":size", ix->pending == INDEX_WHOLE ? 1 : ix->compared);
	while ((ret = stmt_step(&st)) == 1) {
		const char *what, *text;
		size_t len;

		if (n++ >= CHECK_SHOWN)
			continue;
		what = stmt_col_text(&st, 0, &len);
		text = stmt_col_text(&st, 3, &len);
		cmd_check_broken(k, what, stmt_col_int(&st, 2), text, len, stmt_col_int(&st, 1));
	}
	return ret < 0 ? -1 : n;
}

/*
 * SQLite's own check of pages and indexes.  *only_indexes: no complaint is about anything else.
 * Returns the number of complaints, or -1.
 */
static int64_t
cmd_check_integrity(const struct cmd_check *k, struct index *ix, bool *only_indexes, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_CHECK_INTEGRITY, err);
	int64_t n = 0;
	int ret;

	*only_indexes = true;
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *text = stmt_col_text(&st, 0, &len);

		if (strcmp(text, "ok") == 0)
			continue;
		/* EIO is not damage: fail with the error of the read. */
		if (db_check_read(ix->db, "check", err) < 0) {
			stmt_done(&st);
			return -1;
		}
		n++;
		*only_indexes &= strstr(text, "missing from index ") != NULL || strstr(text, "# of entries in index ") != NULL ||
		                 strstr(text, "non-unique entry in index ") != NULL;
		cmd_check_tell(k, "damaged", text);
	}
	return ret < 0 ? -1 : n;
}

/*
 * Whether indexes have entries that no row has, in the words that SQLite has for it.  Only where
 * all of them are there; those of the formats 1 and 2 are others, which the next scan drops.
 * Returns how many indexes have such entries, or -1.
 */
static int64_t
cmd_check_entries(const struct cmd_check *k, struct index *ix, struct err *err)
{
	struct buf text = { 0 };
	struct stmt st;
	int64_t n = 0;
	int ret;

	if (!ix->content_index || ix->lacks != NULL || ix->version < 3)
		return 0;
	st = stmt_get(ix->db, SQL_CHECK_ENTRIES, err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		n++;
		buf_cut(&text, 0);
		buf_addf(&text, "wrong # of entries in index %s", stmt_col_text(&st, 0, &len));
		cmd_check_tell(k, "damaged", buf_str(&text));
	}
	buf_release(&text);
	return ret < 0 ? -1 : n;
}

/* Fail: what is damaged is made of the rows, and can be made anew. */
static int
cmd_check_intact(const struct index *ix, struct err *err)
{
	return err_set(err, ERR_BAD_INDEX, "index '%s' is damaged, but its rows are intact: '%s check --repair' rebuilds the indexes on them",
	               ix->path, prog_name());
}

/* The file itself: its pages, and that no index is missing. */
static int
cmd_check_file(const struct cmd_check *k, struct index *ix, struct err *err)
{
	bool only_indexes;
	int64_t bad = cmd_check_integrity(k, ix, &only_indexes, err);
	struct stmt st;
	int no_contents = 0;

	if (bad == 0)
		bad = cmd_check_entries(k, ix, err);
	if (bad < 0)
		return -1;
	if (bad > 0 && !only_indexes)
		return db_damaged(ix->db, err, "keep a copy, then scan into a new one");
	/*
	 * A first scan makes the indexes on contents when all is read.  One that was cut off
	 * before it had rows leaves nothing pending.
	 */
	if (!ix->content_index && ix->pending == INDEX_WHOLE) {
		st = stmt_get(ix->db, SQL_FILE_ANY, err);
		no_contents = stmt_truth(&st);
	}
	if (no_contents < 0)
		return -1;
	if (ix->lacks != NULL || no_contents)
		cmd_check_tell(k, "missing", ix->lacks != NULL ? ix->lacks : "the indexes on contents");
	return bad > 0 || ix->lacks != NULL || no_contents ? cmd_check_intact(ix, err) : 0;
}

/* That the order of all names has the name of each row, which are sound.  Returns 0 or -1. */
static int
cmd_check_names(const struct cmd_check *k, struct index *ix, struct err *err)
{
	const int64_t lacking = name_build_lacking(ix, err);
	struct buf what = { 0 };
	char x[NUM_SHOW_MAX];

	if (lacking <= 0)
		return lacking < 0 ? -1 : 0;
	buf_addf(&what, "%s in the order of all names", num_show_things(lacking, "name", "names", x));
	cmd_check_tell(k, "missing", buf_str(&what));
	buf_release(&what);
	return cmd_check_intact(ix, err);
}

/* Check every invariant of the rows.  Returns a status or -1. */
static int
cmd_check_rows(const struct cmd_check *k, struct index *ix, struct err *err)
{
	const struct cmd_call *c = k->c;
	struct buf left = { 0 };
	char x[NUM_SHOW_MAX];
	int64_t bad = 0, n;
	bool mended = true;
	int ret;

	for (size_t i = 0; i < sizeof(cmd_check_statements) / sizeof(cmd_check_statements[0]); i++) {
		/* An unfinished scan has yet to drop these. */
		if (ix->pending != INDEX_WHOLE && cmd_check_statements[i] == SQL_CHECK_ASIDE)
			continue;
		/* The first use makes some of the tables, and version 4 others. */
		if ((cmd_check_statements[i] == SQL_CHECK_VALIDATED && !ix->validated) ||
		    (cmd_check_statements[i] == SQL_CHECK_DIGESTS && !ix->digests) ||
		    (cmd_check_statements[i] == SQL_CHECK_PAYLOADS && !ix->payloads) ||
		    (cmd_check_statements[i] == SQL_CHECK_CLAIMS && !ix->claims) ||
		    (cmd_check_statements[i] == SQL_CHECK_DRAWER && !ix->drawer.made) ||
		    (cmd_check_statements[i] == SQL_CHECK_ARCHIVES && !ix->archives) ||
		    (cmd_check_statements[i] == SQL_CHECK_BEFORE && ix->version < SCHEMA_HISTORY))
			continue;
		n = cmd_check_invariant(k, ix, cmd_check_statements[i], err);
		if (n < 0)
			return -1;
		bad += n;
		mended &= n == 0 || i < CHECK_MENDED;
	}
	if (bad == 0 && cmd_check_names(k, ix, err) < 0)
		return -1;
	if (k->d != NULL)
		return bad > 0 ? CMD_NO : CMD_OK;
	if (bad > 0) {
		fprintf(c->out, "%s an invariant: ", num_show_things(bad, "row breaks", "rows break", x));
		if (mended)
			fprintf(c->out, "run '%s scan --rehash'\n", prog_name());
		else
			fputs("keep a copy, and scan into a new index: a scan of this one may not repair it\n", c->out);
		return CMD_NO;
	}
	ret = cmd_unfinished_text(ix, prog_name(), &left, err);
	if (ret >= 0 && !c->globals->quiet)
		fprintf(c->out, ret == 1 ? "ok, but %s\n" : "ok\n", buf_str(&left));
	buf_release(&left);
	return ret < 0 ? -1 : CMD_OK;
}

static int
cmd_check_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_check_args *a = c->args;
	struct cmd_check k = { c, cmd_doc(c) };
	struct index *ix = NULL;
	struct err unprinted = { 0 };
	int ret = cmd_open(c->globals, INDEX_LACKING | (a->repair ? INDEX_WRITE | INDEX_EXISTING | INDEX_AS_IS : 0), &ix, err);

	if (ret == 0 && a->repair && (ret = db_begin(ix->db, err)) == 0) {
		ret = schema_make_indexes(ix->db, ix->version, err);
		ret = name_build_finish(ix->names ? name_build_new() : NULL, ix, ret, err);
		ret = db_end(ix->db, ret, err);
	}
	if (ret == 0 && a->repair) {
		free(ix->lacks);
		ix->lacks = NULL;
		ix->content_index = true;
	}
	if (k.d != NULL)
		doc_list(k.d, "findings");
	if (ret == 0)
		ret = cmd_check_file(&k, ix, err);
	if (ret == 0)
		ret = cmd_check_rows(&k, ix, err);
	if (k.d != NULL) {
		doc_list_end(k.d);
		c->verdict->end.unfinished = ret >= 0 && ix->pending != INDEX_WHOLE;
		/* Damage is an answer as well: its findings stand before the error. */
		if (ret < 0 && err->code == ERR_BAD_INDEX)
			(void)doc_close(k.d, 0, &unprinted);
		else
			ret = doc_close(k.d, ret, err);
	}
	index_close(ix);
	return ret;
}

const struct cmd cmd_check = {
	.name = "check",
	.operands = "",
	.summary = "check the index itself: its file, and every rule that its rows keep",
	.help = "Exit status 1: rows break an invariant; 5: the file is damaged, or lacks a part.",
	.opts = cmd_check_opts,
	.args_size = sizeof(struct cmd_check_args),
	.yes = "sound", .no = "broken",
	.flags = CMD_NO_PATHS | CMD_TELLS,
	.run = cmd_check_run,
};
