/* SPDX-License-Identifier: MIT */
/* twindex hash - the hashes of files. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "index/index.h"
#include "sys/content.h"
#include "ui/doc.h"

struct cmd_hash_args {
	bool keyed;
	struct opt_list files;
};

static const struct opt cmd_hash_opts[] = {
	OPT_FLAG_('k', "keyed", struct cmd_hash_args, keyed, "the hash that the index stores, which depends on its secret"),
	OPT_LIST_('f', "file", struct cmd_hash_args, files, "PATH", "the same as the operand PATH"),
	OPT_END
};

/* Returns 0, or an errno with *why in words. */
static int
cmd_hash_read(struct content_reader *r, const char *path, bool keyed, uint8_t hash[HASH_SIZE], const char **why)
{
	struct content_result res;
	struct fs_stat st;
	int fd = -1, error = 0;

	*why = NULL;
	if (keyed && fs_stat_path(path, &st) == 0 && S_ISREG(st.mode)) {
		content_read(r, AT_FDCWD, path, CONTENT_FULL, &st, &res);
		memcpy(hash, res.hash, HASH_SIZE);
		error = res.error < 0 ? EAGAIN : res.error;
		*why = res.error < 0 ? "it changed while it was read" : strerror(error);
		return error;
	}
	fd = fs_open_file(AT_FDCWD, path);
	if (fd < 0 || fs_stat_fd(fd, &st) < 0)
		error = errno;
	else if (!S_ISREG(st.mode)) {
		error = S_ISDIR(st.mode) ? EISDIR : EINVAL;
		*why = S_ISDIR(st.mode) ? NULL : "it is not a regular file";
	} else if (content_plain_hash(r, fd, hash) < 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	/* Links were followed, as far as they lead anywhere. */
	if (error == ELOOP && access(path, F_OK) < 0 && errno == ENOENT) {
		error = ENOENT;
		*why = "the link leads to nothing";
	}
	if (*why == NULL)
		*why = strerror(error);
	return error;
}

/* Print a hash, or add it to d if that is not NULL.  Returns 0, or an errno that has been told. */
static int
cmd_hash_print(const struct cmd_call *c, struct doc *d, struct content_reader *r, const char *path, const char *typed)
{
	const bool keyed = ((const struct cmd_hash_args *)c->args)->keyed;
	uint8_t hash[HASH_SIZE];
	struct buf line = { 0 };
	const char *why;
	const int error = cmd_hash_read(r, path, keyed, hash, &why);

	if (error != 0) {
		if (d != NULL)
			doc_problem(d, path, why);
		cmd_message(c, "'%s': %s", typed, why);
		return error;
	}
	if (d != NULL) {
		doc_object(d, NULL);
		doc_path(d, "path", path);
		doc_hash(d, hash);
		doc_object_end(d);
		return 0;
	}
	buf_add_hex(&line, hash, sizeof(hash));
	buf_adds(&line, "  ");
	cmd_add_path(c, &line, typed);
	buf_addc(&line, '\n');
	fwrite(line.data, 1, line.len, c->out);
	buf_release(&line);
	return 0;
}

static int
cmd_hash_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_hash_args *a = c->args;
	const uint8_t none[CONTENT_SECRET_SIZE] = { 0 };
	struct content_reader r;
	struct index *ix = NULL;
	struct doc *d;
	const size_t n = (size_t)c->n_operands + a->files.n;
	int ret = 0, error;

	if (n == 0)
		return err_set(err, ERR_USAGE, "hash needs a path");
	if (a->keyed) {
		if (cmd_open(c->globals, 0, &ix, err) < 0)
			return -1;
	}
	d = cmd_doc(c);
	if (d != NULL)
		doc_list(d, "files");
	content_reader_init(&r, ix != NULL ? ix->secret : none, (struct fs_time){ 0, 0 });
	for (size_t i = 0; i < n; i++) {
		const char *typed = i < (size_t)c->n_operands ? c->operands[i] : a->files.v[i - (size_t)c->n_operands];
		struct cmd_paths abs = { 0 };

		if (cmd_paths_add(c, &typed, 1, &abs, err) < 0) {
			ret = -1;
			break;
		}
		error = cmd_hash_print(c, d, &r, abs.v[0], typed);
		if (error == ENOENT || error == ENOTDIR)
			c->verdict->missing = true;
		else if (error != 0)
			gaps_count(&c->verdict->told, GAP_UNREADABLE, false);
		cmd_paths_release(&abs);
	}
	if (d != NULL) {
		doc_list_end(d);
		ret = doc_close(d, ret, err);
	}
	content_reader_release(&r);
	index_close(ix);
	return ret;
}

const struct cmd cmd_hash = {
	.name = "hash",
	.operands = "PATH...",
	.summary = "print the hashes of files",
	.help = "XXH3-128, as 'xxhsum -H2' prints it.  The index stores another, keyed one.",
	.opts = cmd_hash_opts,
	.args_size = sizeof(struct cmd_hash_args),
	.flags = CMD_DISK | CMD_TELLS,
	.run = cmd_hash_run,
};
