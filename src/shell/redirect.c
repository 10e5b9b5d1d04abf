/* SPDX-License-Identifier: MIT */
/*
 * A pager is started only when there is more than a screen: what fits stays on
 * the terminal, and nothing flickers.  Quitting it makes the next write fail
 * with EPIPE, which ends the query.
 *
 * Whether sh could start the pager is known only when it has ended, with 126 or
 * 127.  Until somebody must have read from the pipe, all of the output is kept,
 * so that it can be shown without a pager after all.
 *
 * A file is opened before the command runs, so that it does not run in vain,
 * and emptied at its first byte, so that a command that fails at once destroys
 * nothing.
 */
#include "base/base.h"

#include "shell/redirect.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/command.h"
#include "sys/fs.h"
#include "ui/pager.h"
#include "ui/progress.h"
#include "ui/width.h"

/* More than a pipe holds that nobody reads from (pipe(7): 64 KiB). */
#define REDIRECT_KEPT (128 * 1024)

/* Start a command with a pipe to its standard input. */
static int
redirect_start(struct redirect *s, const char *command, struct err *err)
{
	int fds[2];

	fflush(s->out);
	if (pipe(fds) < 0)
		return err_sys(err, "make a pipe");
	(void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	s->pid = command_start(command, s->dir, fds[0]);
	close(fds[0]);
	if (s->pid < 0) {
		s->pid = 0;
		close(fds[1]);
		return err_sys(err, "start '%s'", command);
	}
	s->fd = fds[1];
	/* A program that ends early must not end us. */
	s->pipe_handler = signal(SIGPIPE, SIG_IGN);
	return 0;
}

/* End the program's input and wait for it.  Returns its exit status. */
static int
redirect_stop(struct redirect *s)
{
	int status;

	close(s->fd);
	s->fd = -1;
	status = command_wait(s->pid);
	s->pid = 0;
	signal(SIGPIPE, s->pipe_handler);
	return status;
}

/*
 * End the pager.  If it never ran, show the held output.  Returns whether output goes
 * on.
 */
static bool
redirect_end_pager(struct redirect *s)
{
	const int status = s->pid != 0 ? redirect_stop(s) : 127;

	s->state = (status == 126 || status == 127) && s->held.len > 0 ? REDIRECT_PLAIN : REDIRECT_OVER;
	if (s->state == REDIRECT_PLAIN)
		fwrite(s->held.data, 1, s->held.len, s->out);
	buf_release(&s->held);
	return s->state == REDIRECT_PLAIN;
}

/* Write to the pager, or hold a screen. */
static bool
redirect_write_pager(struct redirect *s, const char *data, size_t len)
{
	struct buf command = { 0 };
	struct err ignored = { 0 };
	bool ok;

	if (s->state == REDIRECT_PLAIN)
		return fwrite(data, 1, len, s->out) == len;
	if (s->state == REDIRECT_OVER)
		return false;
	if (s->state == REDIRECT_RUNS && s->held.len == 0)
		return fs_write_all(s->fd, data, len) == 0;
	buf_add(&s->held, data, len);
	if (s->state == REDIRECT_RUNS)
		ok = fs_write_all(s->fd, data, len) == 0;
	else {
		const char *text = s->held.data + s->counted, *newline = mem_last(text, '\n', s->held.len - s->counted);
		const size_t whole = newline != NULL ? (size_t)(newline + 1 - text) : 0;

		s->rows += width_rows(text, whole, s->width);
		s->counted += whole;
		/* Hold what does not fill the screen, with a row for the prompt. */
		if (s->rows + width_rows(text + whole, s->held.len - s->counted, s->width) < s->height)
			return true;
		pager_command(&command);
		ok = redirect_start(s, buf_str(&command), &ignored) == 0 && fs_write_all(s->fd, s->held.data, s->held.len) == 0;
		s->state = REDIRECT_RUNS;
		buf_release(&command);
	}
	if (!ok)
		return redirect_end_pager(s);
	if (s->held.len > REDIRECT_KEPT)
		buf_release(&s->held);
	return true;
}

/* stream_fn */
static bool
redirect_write(void *arg, const char *data, size_t len)
{
	struct redirect *s = arg;
	bool ok;

	if (s->first_ns == 0)
		s->first_ns = fs_clock_ns();
	if (s->kind == REDIRECT_PAGER)
		return redirect_write_pager(s, data, len);
	ok = s->kind != REDIRECT_REPLACE || s->wrote || !s->regular || ftruncate(s->fd, 0) == 0;
	s->wrote = true;
	return ok && fs_write_all(s->fd, data, len) == 0;
}

/* Open a file as its kind says. */
static int
redirect_open_file(struct redirect *s, struct err *err)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (s->kind == REDIRECT_APPEND ? O_APPEND : 0);
	const int at = s->dir >= 0 ? s->dir : AT_FDCWD;
	struct stat st;

	s->fd = openat(at, s->where, flags | O_CREAT | O_EXCL, 0666);
	s->made = s->fd >= 0;
	if (s->fd < 0 && errno == EEXIST)
		s->fd = openat(at, s->where, flags);
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return err_sys(err, "open '%s'", s->where);
	s->regular = S_ISREG(st.st_mode);
	if (s->kind == REDIRECT_FILE && !s->made && s->regular)
		return err_set(err, ERR_USAGE, "'%s' is there already: >! replaces it, >> appends to it", s->where);
	return 0;
}

static bool
redirect_is_file(const struct redirect *s)
{
	return s->kind == REDIRECT_FILE || s->kind == REDIRECT_REPLACE || s->kind == REDIRECT_APPEND;
}

int
redirect_open(struct redirect *s, struct err *err)
{
	int ret = 0;

	assert(s->where != NULL || s->kind == REDIRECT_THROUGH || s->kind == REDIRECT_PAGER);
	s->fd = -1;
	if (redirect_is_file(s))
		ret = redirect_open_file(s, err);
	else if (s->kind == REDIRECT_PROGRAM)
		ret = redirect_start(s, s->where, err);
	s->writer = (struct stream_writer){ redirect_write, s };
	s->stream = s->kind == REDIRECT_THROUGH ? s->out : ret == 0 ? stream_open(&s->writer) : NULL;
	if (ret == 0 && s->stream == NULL)
		ret = err_sys(err, "open a stream");
	if (ret < 0 && s->pid != 0)
		redirect_stop(s);
	else if (ret < 0 && s->fd >= 0)
		close(s->fd);
	if (ret == 0 && !s->talks && (s->kind == REDIRECT_PROGRAM || s->kind == REDIRECT_PAGER))
		s->messages = open_memstream(&s->message_text, &s->message_len);
	if (s->messages == NULL)
		s->messages = s->msg;
	return ret;
}

/* Close the file. */
static int
redirect_close_file(struct redirect *s, bool failed, struct err *err)
{
	int ret = 0;

	if (!s->wrote && failed && s->made)
		unlinkat(s->dir >= 0 ? s->dir : AT_FDCWD, s->where, 0);
	if (!s->wrote && !failed && s->kind == REDIRECT_REPLACE && s->regular)
		ret = ftruncate(s->fd, 0);
	if (close(s->fd) < 0)
		ret = -1;
	return ret < 0 ? err_sys(err, "write '%s'", s->where) : 0;
}

int
redirect_close(struct redirect *s, bool failed, struct err *err)
{
	const bool is_file = redirect_is_file(s);
	int ret = 0;

	if (s->kind == REDIRECT_THROUGH)
		fflush(s->stream);
	/* A failure before this was told by the command. */
	else if (fclose(s->stream) != 0 && is_file)
		ret = err_sys(err, "write '%s'", s->where);
	if (is_file && redirect_close_file(s, failed, ret == 0 ? err : &(struct err){ 0 }) < 0)
		ret = -1;
	if (s->kind == REDIRECT_PROGRAM)
		redirect_stop(s);
	if (s->state == REDIRECT_RUNS)
		redirect_end_pager(s);
	else if (s->held.len > 0)
		fwrite(s->held.data, 1, s->held.len, s->out);
	fflush(s->out);
	if (s->messages != s->msg) {
		fclose(s->messages);
		width_print(s->msg, s->message_text, WIDTH_MORE, progress_columns(s->msg));
		fflush(s->msg);
		free(s->message_text);
	}
	buf_release(&s->held);
	return ret;
}
