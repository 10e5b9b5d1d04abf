/* SPDX-License-Identifier: MIT */
/* struct table_file hides which format it is; a row of text is put together in a buffer. */
#include "base/base.h"

#include "export/table_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "export/parquet.h"
#include "ui/quote.h"

const char *const table_format_names[] = { [TABLE_PARQUET] = "parquet", [TABLE_NDJSON] = "ndjson", [TABLE_CSV] = "csv" };

struct table_file {
	enum table_format format;
	const char *path;
	const struct table_column *columns;
	size_t n;
	FILE *out;
	struct parquet *parquet;  /* or NULL */
	size_t at;                /* columns of the row in hand that are set */
	struct buf row;           /* as text */
	int64_t rows;
};

/* Buffered bytes: rows are short. */
enum { TABLE_BUFFER = 1 << 16 };

static int
table_file_failed(const struct table_file *t, struct err *err)
{
	return err_sys(err, "cannot write '%s'", t->path);
}

/* Begin the next column of a row of text. */
static const struct table_column *
table_file_next(struct table_file *t)
{
	const struct table_column *c = &t->columns[t->at];

	assert(t->at < t->n);
	if (t->format == TABLE_NDJSON) {
		buf_addc(&t->row, t->at == 0 ? '{' : ',');
		quote_json(&t->row, c->name, strlen(c->name));
		buf_addc(&t->row, ':');
	} else if (t->at > 0)
		buf_addc(&t->row, ',');
	t->at++;
	return c;
}

int
table_file_open(struct table_file **t, enum table_format format, const char *path, const struct table_column *columns, size_t n,
                struct err *err)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	struct table_file *new = NULL;

	*t = NULL;
	if (fd < 0)
		return err_sys(err, "cannot create '%s'", path);
	new = mem_zalloc(1, sizeof(*new));
	*new = (struct table_file){ .format = format, .path = path, .columns = columns, .n = n, .out = fdopen(fd, "wb") };
	if (new->out == NULL) {
		err_sys(err, "cannot write '%s'", path);
		close(fd);
		free(new);
		return -1;
	}
	setvbuf(new->out, NULL, _IOFBF, TABLE_BUFFER);
	if (format == TABLE_PARQUET)
		new->parquet = parquet_begin(new->out, columns, n);
	for (size_t i = 0; format == TABLE_CSV && i < n; i++)
		fprintf(new->out, "%s%s", columns[i].name, i + 1 < n ? "," : "\r\n");
	*t = new;
	return 0;
}

void
table_file_int(struct table_file *t, int64_t v)
{
	if (t->parquet != NULL) {
		parquet_int(t->parquet, t->at++, v);
		return;
	}
	table_file_next(t);
	buf_add_int(&t->row, v);
}

void
table_file_text(struct table_file *t, const char *data, size_t len)
{
	struct buf text = { 0 };

	if (t->parquet != NULL) {
		parquet_bytes(t->parquet, t->at++, data, len);
		return;
	}
	if (table_file_next(t)->type == TABLE_BYTES)
		base64_add(&text, data, len);
	else if (len > 0)
		buf_add(&text, data, len);
	if (t->format == TABLE_NDJSON)
		quote_json(&t->row, buf_str(&text), text.len);
	else
		quote_csv(&t->row, buf_str(&text), text.len);
	buf_release(&text);
}

void
table_file_null(struct table_file *t)
{
	if (t->parquet != NULL) {
		parquet_null(t->parquet, t->at++);
		return;
	}
	table_file_next(t);
	if (t->format == TABLE_NDJSON)
		buf_adds(&t->row, "null");
}

int
table_file_end_row(struct table_file *t, struct err *err)
{
	assert(t->at == t->n);
	t->at = 0;
	t->rows++;
	if (t->parquet != NULL)
		parquet_end_row(t->parquet);
	else {
		buf_adds(&t->row, t->format == TABLE_NDJSON ? "}\n" : "\r\n");
		fwrite(t->row.data, 1, t->row.len, t->out);
		buf_cut(&t->row, 0);
	}
	return ferror(t->out) ? table_file_failed(t, err) : 0;
}

void
table_file_drop(struct table_file *t)
{
	if (t == NULL)
		return;
	if (t->parquet != NULL)
		parquet_free(t->parquet);
	if (t->out != NULL)
		fclose(t->out);
	buf_release(&t->row);
	free(t);
}

int
table_file_close(struct table_file *t, struct table_size *size, struct err *err)
{
	int ret = 0;
	off_t end;

	if (t->parquet != NULL)
		parquet_end(t->parquet);
	if (fflush(t->out) != 0 || ferror(t->out))
		ret = table_file_failed(t, err);
	end = ftello(t->out);
	if (ret == 0) {
		size->rows += t->rows;
		size->files++;
		size->bytes += end > 0 ? (int64_t)end : 0;
	}
	if (fclose(t->out) != 0 && ret == 0)
		ret = table_file_failed(t, err);
	t->out = NULL;
	table_file_drop(t);
	return ret;
}
