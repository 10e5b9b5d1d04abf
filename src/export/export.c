/* SPDX-License-Identifier: MIT */
/*
 * An export is a directory of its own, HOST-GENERATION, with a directory for each kind and part and
 * one file in each, which bears the export's name: so the files of many hosts may be put together.
 * The manifest tells what is there; it is written last.
 */
#include "base/base.h"

#include "export/export.h"

#include "db/stmt.h"
#include "index/roots.h"
#include "query/dirtree.h"
#include "sys/replace.h"
#include "sys/stop.h"
#include "ui/quote.h"

const char *const export_kind_names[EXPORT_KINDS] = {
	[EXPORT_KEYS] = "keys", [EXPORT_FILES] = "files", [EXPORT_SIZES] = "sizes", [EXPORT_DIRS] = "dirs",
};

static export_kind_fn *const export_kinds[EXPORT_KINDS] = {
	[EXPORT_KEYS] = export_keys, [EXPORT_FILES] = export_files, [EXPORT_SIZES] = export_sizes, [EXPORT_DIRS] = export_dirs,
};

static int
export_load_volumes(struct export_work *w)
{
	struct stmt st = stmt_get(w->ix->db, SQL_VOLUME_ALL, w->err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct buf shown = { 0 };
		size_t len;
		const char *key = stmt_col_text(&st, 1, &len);

		/* It may be a mount point, of any bytes. */
		name_show(&shown, key, len);
		vec_push(&w->volumes, ((struct export_volume){ stmt_col_int(&st, 0), arena_dup(&w->memory, buf_str(&shown), shown.len), shown.len }));
		buf_release(&shown);
	}
	return ret;
}

void
export_put_volume(const struct export_work *w, struct table_file *t, int64_t volume)
{
	size_t i = 0;

	while (i < w->volumes.n && w->volumes.v[i].id != volume)
		i++;
	if (i < w->volumes.n)
		table_file_text(t, w->volumes.v[i].key, w->volumes.v[i].len);
	else
		table_file_text(t, "", 0);
}

void
export_put_origin(const struct export_work *w, struct table_file *t)
{
	table_file_int(t, w->origin.hash_id);
	table_file_text(t, w->origin.host, strlen(w->origin.host));
	table_file_int(t, w->origin.index_id);
	table_file_int(t, w->origin.generation);
}

void
export_put_shown(struct table_file *t, const char *name, size_t len)
{
	struct buf shown = { 0 };

	name_show(&shown, name, len);
	table_file_text(t, buf_str(&shown), shown.len);
	buf_release(&shown);
}

void
export_halves(const uint8_t hash[HASH_SIZE], uint64_t *hi, uint64_t *lo)
{
	*hi = *lo = 0;
	for (size_t i = 0; i < HASH_SIZE / 2; i++) {
		*hi = *hi << 8 | hash[i];
		*lo = *lo << 8 | hash[HASH_SIZE / 2 + i];
	}
}

int
export_parts(struct export_work *w, struct buckets *buckets, export_part_fn *fn, void *arg, struct table_size *size)
{
	struct buf records = { 0 };
	int ret = 0;

	for (int i = 0; ret == 0 && i < BUCKETS; i++) {
		char part[8];

		snprintf(part, sizeof(part), "b=%02x", (unsigned)i & 0xff);
		ret = buckets_read(buckets, i, &records, w->err);
		if (ret == 0 && records.len > 0)
			ret = fn(arg, part, &records, size);
		if (ret == 0)
			ret = stop_check(w->err);
	}
	buf_release(&records);
	return ret;
}

int
export_open(struct export_work *w, enum export_kind kind, const char *part, const struct table_column *columns, size_t n,
            struct table_file **t)
{
	struct buf dir = { 0 };
	int ret;

	*t = NULL;
	buf_addf(&dir, "kind=%s%s%s", export_kind_names[kind], part != NULL ? "/" : "", part != NULL ? part : "");
	ret = staging_mkdir(&w->staging, buf_str(&dir), w->err);
	buf_cut(&w->path, 0);
	buf_addf(&w->path, "%s/%s/host=%s-%lld.%s", w->staging.dir, buf_str(&dir), w->origin.host, (long long)w->origin.generation,
	         table_format_names[w->q->format]);
	buf_release(&dir);
	return ret < 0 ? -1 : table_file_open(t, w->q->format, buf_str(&w->path), columns, n, w->err);
}

/* Find out whether files may be in no row: by options of roots, or for errors of directories. */
static int
export_find_left_out(struct export_work *w)
{
	struct stmt st = stmt_get(w->ix->db, SQL_DIR_ERRORS, w->err);
	struct roots roots = { 0 };
	int ret = stmt_step(&st);

	stmt_done(&st);
	w->left_out = ret == 1;
	if (ret >= 0)
		ret = roots_load(&roots, w->ix->db, w->err);
	for (size_t i = 0; i < roots.n; i++)
		w->left_out |= rules_leave_out(&roots.v[i].rules);
	roots_release(&roots);
	return ret;
}

/* Write manifest.json: what the export is, and what it came to. */
static int
export_put_manifest(struct export_work *w, const struct export_told *told)
{
	const char *before = "";
	struct buf json = { 0 }, path = { 0 };
	int ret = 0;

	buf_addf(&json, "{\"twindex\":\"%s\",\"host\":", PACKAGE_VERSION);
	quote_json(&json, w->origin.host, strlen(w->origin.host));
	buf_addf(&json, ",\"index_id\":%lld,\"generation\":%lld,\"hash_id\":%lld,\"made\":%lld,\"format\":\"%s\",\"finished_scan\":%s,\"left_out\":%s,\"kinds\":{",
	         (long long)w->origin.index_id, (long long)w->origin.generation, (long long)w->origin.hash_id, (long long)fs_time_now().sec,
	         table_format_names[w->q->format], w->q->unfinished ? "false" : "true", w->left_out ? "true" : "false");
	for (size_t i = 0; i < EXPORT_KINDS; i++) {
		if (!w->q->kinds[i])
			continue;
		buf_addf(&json, "%s\"%s\":{\"rows\":%lld,\"files\":%lld,\"bytes\":%lld}", before, export_kind_names[i],
		         (long long)told->sizes[i].rows, (long long)told->sizes[i].files, (long long)told->sizes[i].bytes);
		before = ",";
	}
	buf_adds(&json, "}}\n");
	buf_addf(&path, "%s/manifest.json", w->staging.dir);
	if (replace_file(buf_str(&path), json.data, json.len, 0) < 0)
		ret = err_sys(w->err, "cannot write '%s'", buf_str(&path));
	buf_release(&json);
	buf_release(&path);
	return ret;
}

/* Open the place of an export, and load what its kinds share. */
static int
export_begin(struct export_work *w, struct export_told *told)
{
	struct buf name = { 0 };
	int ret;

	if (origin_find(&w->origin, w->ix, w->q->host, w->err) < 0)
		return -1;
	buf_addf(&name, "%s-%lld", w->origin.host, (long long)w->origin.generation);
	ret = staging_open(&w->staging, w->q->out, buf_str(&name), w->q->replace, w->err);
	buf_addf(&w->path, "%s/%s", w->q->out, buf_str(&name));
	told->dir = buf_take(&w->path);
	buf_release(&name);
	if (ret < 0 || export_load_volumes(w) < 0 || export_find_left_out(w) < 0 || dirtree_load(&w->dirs, w->ix->db, w->err) < 0)
		return -1;
	w->reasons = dirtree_reasons(w->dirs, NULL, 0);
	return 0;
}

int
export_run(struct index *ix, const struct export_query *q, struct export_told *told, struct err *err)
{
	struct export_work w = { .ix = ix, .q = q, .err = err };
	int ret;

	*told = (struct export_told){ .dir = NULL };
	ret = export_begin(&w, told);
	for (size_t i = 0; ret == 0 && i < EXPORT_KINDS; i++) {
		if (q->kinds[i])
			ret = export_kinds[i](&w, &told->sizes[i]);
	}
	if (ret == 0)
		ret = export_put_manifest(&w, told);
	if (ret == 0)
		ret = staging_publish(&w.staging, err);
	staging_close(&w.staging);
	origin_release(&w.origin);
	vec_release(&w.volumes);
	arena_release(&w.memory);
	dirtree_free(w.dirs);
	free(w.reasons);
	buf_release(&w.path);
	if (ret < 0)
		export_told_release(told);
	return ret;
}

void
export_told_release(struct export_told *told)
{
	free(told->dir);
	*told = (struct export_told){ .dir = NULL };
}
