/* SPDX-License-Identifier: MIT */
/*
 * Hides how a document is read: SQLite parses it, rows of two statements come in the order of its
 * list.  The digest is an XXH3-128 of kind, number of copies, and of each file and its copies path
 * and signature, each with its NUL: it shows what was cut or edited, and is no secret.  A
 * document is never trusted: everything is planned and proven once more.
 */
#include "base/base.h"

#include "act/plan_file.h"

#include <xxhash.h>

#include "db/stmt.h"

const char *const plan_file_kinds[] = {
	[ACT_REMOVE] = "remove", [ACT_TRASH] = "trash", [ACT_HARD] = "hard", [ACT_SOFT] = "soft", [ACT_REFLINK] = "reflink",
	/* No plan makes copies. */
	[ACT_RESCUE] = NULL,
};

static void
plan_file_sum_text(XXH3_state_t *s, const char *text)
{
	(void)XXH3_128bits_update(s, text, strlen(text) + 1);
}

/* Begin a digest, which plan_file_sum_end() frees. */
static XXH3_state_t *
plan_file_sum_begin(const struct plan_terms *t)
{
	XXH3_state_t *s = XXH3_createState();
	char text[96];

	if (s == NULL)
		mem_out();
	(void)XXH3_128bits_reset(s);
	snprintf(text, sizeof(text), "%s %d %lld%s%s", plan_file_kinds[t->kind], t->any_attributes, (long long)t->copies,
	         t->backups_count ? " backups_count" : "", t->from_backup ? " from_backup" : "");
	plan_file_sum_text(s, text);
	return s;
}

static void
plan_file_sum_end(XXH3_state_t *s, char digest[PLAN_FILE_DIGEST])
{
	const XXH128_hash_t h = XXH3_128bits_digest(s);

	snprintf(digest, PLAN_FILE_DIGEST, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
	XXH3_freeState(s);
}

/* Append the state of a file that a plan relies on: inode, size, times, hash. */
static void
plan_file_signature(struct buf *b, const struct file_row *row)
{
	char mtime[NUM_SHOW_MAX], ctime[NUM_SHOW_MAX];

	buf_addf(b, "%llu %lld %s %s ", (unsigned long long)row->inode.number, (long long)row->size,
	         num_show_ns(row->mtime.sec, row->mtime.nsec, mtime), num_show_ns(row->ctime.sec, row->ctime.nsec, ctime));
	buf_add_hex(b, row->hash, HASH_SIZE);
}

static void
plan_file_sum_file(XXH3_state_t *s, const struct act_file *f)
{
	struct buf b = { 0 };

	plan_file_signature(&b, &f->row);
	plan_file_sum_text(s, f->path);
	plan_file_sum_text(s, buf_str(&b));
	buf_release(&b);
}

void
plan_file_digest(const struct plan *p, const struct plan_terms *terms, char digest[PLAN_FILE_DIGEST])
{
	XXH3_state_t *s = plan_file_sum_begin(terms);

	for (size_t i = 0; i < p->groups.n; i++) {
		const struct act_group *g = &p->groups.v[i];

		for (size_t j = 0; j < g->n; j++) {
			plan_file_sum_file(s, &g->victims[j].file);
			for (size_t k = 0; k < g->n_keepers; k++)
				plan_file_sum_file(s, &g->keepers[k]);
		}
	}
	plan_file_sum_end(s, digest);
}

void
plan_file_release(struct plan_file *f)
{
	vec_release(&f->files);
	vec_release(&f->keepers);
	pathset_release(&f->by_path);
	arena_release(&f->memory);
}

static int
plan_file_refuse(struct err *err, const char *name, const char *why)
{
	err->code = ERR_NONE;
	return err_set(err, ERR_USAGE, "the plan '%s' %s: nothing is done", name, why);
}

/* Whether a path is absolute, of one spelling, and names a file. */
static bool
plan_file_is_path(const char *path)
{
	struct buf normal = { 0 };
	bool is;

	if (path[0] != '/' || path[1] == '\0')
		return false;
	path_normalize(&normal, path);
	is = strcmp(buf_str(&normal), path) == 0;
	buf_release(&normal);
	return is;
}

/* Read a name of the present row from column col on.  Returns whether it is one. */
static bool
plan_file_name(struct plan_file *f, const struct stmt *st, int col, struct plan_file_name *n)
{
	struct buf bytes = { 0 };
	size_t len;
	const char *text;
	bool ok = true;

	if (stmt_col_is_null(st, col + 1)) {
		text = stmt_col_text(st, col, &len);
		buf_add(&bytes, text, len);
	} else {
		text = stmt_col_text(st, col + 1, &len);
		ok = base64_take(&bytes, text, len) == 0;
	}
	ok = ok && strlen(buf_str(&bytes)) == bytes.len && plan_file_is_path(buf_str(&bytes)) && !stmt_col_is_null(st, col + 2);
	*n = (struct plan_file_name){ .path = arena_str(&f->memory, buf_str(&bytes)), .first = f->keepers.n,
	                              .signature = arena_str(&f->memory, stmt_col_text(st, col + 2, &len)) };
	buf_release(&bytes);
	return ok;
}

/* Read the files.  Returns 0; 1: these are no files of a plan; or -1 with *err. */
static int
plan_file_files(struct plan_file *f, struct db *db, const char *doc, size_t len, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_PLAN_FILES, err);
	struct plan_file_name file, keeper;
	int64_t place = -1;
	int ret;

	stmt_text(&st, ":doc", doc, len);
	while ((ret = stmt_step(&st)) == 1) {
		if (!plan_file_name(f, &st, 1, &file) || !plan_file_name(f, &st, 4, &keeper)) {
			stmt_done(&st);
			return 1;
		}
		if (stmt_col_int(&st, 0) != place)
			vec_push(&f->files, file);
		place = stmt_col_int(&st, 0);
		vec_push(&f->keepers, keeper);
		f->files.v[f->files.n - 1].n++;
	}
	return ret;
}

/* Read the head of a document.  Returns why it is refused, or NULL, also with *failed. */
static const char *
plan_file_head(struct plan_file *f, struct db *db, const char *command, const char *doc, size_t doc_len, char digest[PLAN_FILE_DIGEST],
               bool *failed, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_PLAN_HEAD, err);
	const char *why = NULL;
	size_t len;
	int kind = 0;

	stmt_text(&st, ":doc", doc, doc_len);
	*failed = stmt_step(&st) < 0;
	if (*failed)
		return NULL;
	while (plan_file_kinds[kind] != NULL && strcmp(plan_file_kinds[kind], stmt_col_text(&st, 2, &len)) != 0)
		kind++;
	f->terms = (struct plan_terms){ .kind = (enum act_kind)kind, .any_attributes = stmt_col_int(&st, 3) != 0, .copies = stmt_col_int(&st, 4),
	                                .backups_count = stmt_col_int(&st, 8) != 0, .from_backup = stmt_col_int(&st, 9) != 0 };
	snprintf(digest, PLAN_FILE_DIGEST, "%s", stmt_col_text(&st, 5, &len));
	if (stmt_col_int(&st, 0) != 1 || stmt_col_is_null(&st, 7))
		why = "is not a plan, or is one of another version of twindex";
	else if (strcmp(stmt_col_text(&st, 1, &len), command) != 0 || plan_file_kinds[kind] == NULL ||
	         act_is_link(f->terms.kind) != (strcmp(command, "link") == 0))
		why = "is of another command";
	else if (stmt_col_is_null(&st, 6))
		why = "is not whole";
	stmt_done(&st);
	return why;
}

/* Whether no file is named twice, or as a copy that stays. */
static bool
plan_file_is_sound(struct plan_file *f)
{
	bool sound = true;
	size_t at;

	for (size_t i = 0; i < f->files.n; i++)
		pathset_add(&f->by_path, f->files.v[i].path, i);
	pathset_sort(&f->by_path);
	for (size_t i = 0; i < f->files.n; i++)
		sound &= pathset_find(&f->by_path, f->files.v[i].path, strlen(f->files.v[i].path), &at) && at == i;
	for (size_t i = 0; i < f->keepers.n; i++)
		sound &= !pathset_find(&f->by_path, f->keepers.v[i].path, strlen(f->keepers.v[i].path), &at);
	return sound;
}

/* The digest of what was read. */
static void
plan_file_own_digest(const struct plan_file *f, char digest[PLAN_FILE_DIGEST])
{
	XXH3_state_t *s = plan_file_sum_begin(&f->terms);

	for (size_t i = 0; i < f->files.n; i++) {
		const struct plan_file_name *n = &f->files.v[i];

		plan_file_sum_text(s, n->path);
		plan_file_sum_text(s, n->signature);
		for (size_t k = n->first; k < n->first + n->n; k++) {
			plan_file_sum_text(s, f->keepers.v[k].path);
			plan_file_sum_text(s, f->keepers.v[k].signature);
		}
	}
	plan_file_sum_end(s, digest);
}

/* Append what a file holds.  Returns 0 or -1. */
static int
plan_file_text(struct buf *doc, const char *name, struct err *err)
{
	FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
	char block[16384];
	size_t n;

	if (in == NULL)
		return errno == ENOENT ? err_set(err, ERR_NO_PATH, "'%s' does not exist", name) : err_sys(err, "open '%s'", name);
	while ((n = fread(block, 1, sizeof(block), in)) > 0)
		buf_add(doc, block, n);
	if (ferror(in))
		err_sys(err, "read '%s'", name);
	if (in != stdin)
		fclose(in);
	return err->code == ERR_NONE ? 0 : -1;
}

/* Read a document. */
static int
plan_file_parse(struct plan_file *f, struct db *db, const char *command, const char *name, const char *doc, size_t len, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_PLAN_VALID, err);
	char said[PLAN_FILE_DIGEST], own[PLAN_FILE_DIGEST];
	const char *why;
	bool failed;
	int ret;

	stmt_text(&st, ":doc", doc, len);
	ret = stmt_truth(&st);
	if (ret <= 0)
		return ret < 0 ? -1 : plan_file_refuse(err, name, "is cut short, or is not JSON");
	why = plan_file_head(f, db, command, doc, len, said, &failed, err);
	if (failed)
		return -1;
	if (why != NULL)
		return plan_file_refuse(err, name, why);
	/* The statement fails on members that no plan has. */
	if (plan_file_files(f, db, doc, len, err) != 0)
		return plan_file_refuse(err, name, "has an entry that no plan has");
	if (!plan_file_is_sound(f))
		return plan_file_refuse(err, name, "names a file twice, or both as one that goes and as one that stays");
	plan_file_own_digest(f, own);
	return strcmp(own, said) == 0 ? 0 : plan_file_refuse(err, name, "was changed since it was made");
}

int
plan_file_read(struct plan_file *f, struct db *db, const char *command, const char *name, struct err *err)
{
	struct buf doc = { 0 };
	int ret = plan_file_text(&doc, name, err);

	if (ret == 0)
		ret = plan_file_parse(f, db, command, name, buf_str(&doc), doc.len, err);
	buf_release(&doc);
	return ret;
}

/* Whether a file is in the state that a name tells. */
static bool
plan_file_fits(const struct plan_file_name *n, const struct act_file *f)
{
	struct buf b = { 0 };
	bool fits;

	plan_file_signature(&b, &f->row);
	fits = strcmp(buf_str(&b), n->signature) == 0;
	buf_release(&b);
	return fits;
}

/* Whether one of the copies of a file is this one, in this state. */
static bool
plan_file_relies(const struct plan_file *f, const struct plan_file_name *n, const struct act_file *keeper)
{
	bool relies = false;

	for (size_t k = n->first; !relies && k < n->first + n->n; k++)
		relies = strcmp(f->keepers.v[k].path, keeper->path) == 0 && plan_file_fits(&f->keepers.v[k], keeper);
	return relies;
}

/* Keep only the keepers that all remaining victims rely on. */
static void
plan_file_hold_keepers(const struct plan_file *f, struct act_group *g)
{
	size_t n = 0, at;

	for (size_t k = 0; k < g->n_keepers; k++) {
		bool relied = true;

		for (size_t i = 0; i < g->n; i++) {
			const char *path = g->victims[i].file.path;

			relied &= g->victims[i].skip || (pathset_find(&f->by_path, path, strlen(path), &at) &&
			                                 plan_file_relies(f, &f->files.v[at], &g->keepers[k]));
		}
		if (relied)
			g->keepers[n++] = g->keepers[k];
	}
	g->n_keepers = n;
}

void
plan_file_hold(const struct plan_file *f, struct plan *p, plan_stay_fn *told, void *arg)
{
	size_t at;

	for (size_t i = 0; i < p->groups.n; i++) {
		struct act_group *g = &p->groups.v[i];

		for (size_t j = 0; j < g->n; j++) {
			struct act_victim *v = &g->victims[j];

			v->skip = !pathset_find(&f->by_path, v->file.path, strlen(v->file.path), &at);
			if (v->skip || plan_file_fits(&f->files.v[at], &v->file))
				continue;
			v->skip = true;
			told(arg, v->file.path, PLAN_STAYS, "it has changed since the plan was made");
		}
		plan_file_hold_keepers(f, g);
		for (size_t j = 0; g->n_keepers == 0 && j < g->n; j++) {
			if (!g->victims[j].skip)
				told(arg, g->victims[j].file.path, PLAN_STAYS, "no copy that the plan names is there as it was");
			g->victims[j].skip = true;
		}
	}
	plan_drop_skipped(p);
}
