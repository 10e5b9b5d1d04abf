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

#include "sys/fs.h"
#include "sys/stop.h"
#include "sys/stream.h"
#include "ui/progress.h"
#include "ui/width.h"

/* More than a pipe holds that nobody reads from (pipe(7): 64 KiB). */
#define REDIRECT_KEPT (128 * 1024)

struct redirect {
	struct redirect_target target;
	struct stream_writer writer;
	FILE *stream;            /* to it, or the target's */
	int fd;                  /* to the file or the running program; else -1 */
	pid_t pid;               /* of the program, until it was waited for; else 0 */
	bool made;               /* the file was not there before */
	bool regular;            /* the file is one */
	bool wrote;              /* to the file */
	struct buf held;         /* pager: the output, while it may yet be shown without one */
	size_t counted;          /* ... of it whole lines, */
	int rows;                /* ... and their rows on the screen */
	/* Of a pager.  PLAIN: it could not be run; OVER: it was left. */
	enum { REDIRECT_HOLDS, REDIRECT_RUNS, REDIRECT_PLAIN, REDIRECT_OVER } state;
	int64_t first_ns;
	void (*pipe_handler)(int);   /* of SIGPIPE, from before the program ran */
	FILE *messages;          /* held, or the target's */
	char *message_text;      /* owned; of messages that are held */
	size_t message_len;
};

/* In the child: become sh. */
static void
redirect_exec(const char *command, int dir)
{
	if (dir >= 0 && fchdir(dir) < 0)
		_exit(126);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/*
 * Wait for a child, whatever signals come: the terminal sends them to it as well.  Returns its
 * exit status.
 */
static int
redirect_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 127;
		/* Pass on what ends us; the terminal sends SIGINT to both. */
		if (stop_signal() != 0 && stop_signal() != SIGINT)
			kill(pid, stop_signal());
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Start a command with a pipe to its standard input. */
static int
redirect_start(struct redirect *s, const char *command, struct err *err)
{
	int fds[2];

	fflush(s->target.out);
	if (pipe(fds) < 0)
		return err_sys(err, "make a pipe");
	(void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	s->pid = fork();
	if (s->pid == 0) {
		dup2(fds[0], 0);
		redirect_exec(command, s->target.dir);
	}
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
	status = redirect_wait(s->pid);
	s->pid = 0;
	signal(SIGPIPE, s->pipe_handler);
	return status;
}

/*
 * The pager's command line.  sh becomes a plain one itself (exec), so that
 * signals reach it.  That there is no less is not worth a word, unlike a
 * mistake in a variable.
 */
void
redirect_pager(struct buf *command)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/.,:+%@- ";
	const char *pager = getenv("TWINDEX_PAGER");

	if (pager == NULL || *pager == '\0')
		pager = getenv("PAGER");
	if (pager == NULL || *pager == '\0') {
		pager = "less";
		buf_adds(command, "command -v less >/dev/null 2>&1 || exit 127; ");
	}
	/* As git does: leave at once what fits, show colours, leave the screen as it is. */
	buf_adds(command, "LESS=${LESS-FRX} LV=${LV--c}; export LESS LV; ");
	if (pager[strspn(pager, plain)] == '\0')
		buf_adds(command, "exec ");
	buf_adds(command, pager);
}

/* Whether what is held fills the screen, with a row for the prompt. */
static bool
redirect_is_long(struct redirect *s)
{
	const char *text = s->held.data + s->counted, *newline = mem_last(text, '\n', s->held.len - s->counted);
	const size_t whole = newline != NULL ? (size_t)(newline + 1 - text) : 0;

	s->rows += width_rows(text, whole, s->target.width);
	s->counted += whole;
	return s->rows + width_rows(text + whole, s->held.len - s->counted, s->target.width) >= s->target.height;
}

/*
 * End the pager.  When it never ran, show what was meant for it.  Returns whether output goes
 * on.
 */
static bool
redirect_end_pager(struct redirect *s)
{
	const int status = s->pid != 0 ? redirect_stop(s) : 127;

	s->state = (status == 126 || status == 127) && s->held.len > 0 ? REDIRECT_PLAIN : REDIRECT_OVER;
	if (s->state == REDIRECT_PLAIN)
		fwrite(s->held.data, 1, s->held.len, s->target.out);
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
		return fwrite(data, 1, len, s->target.out) == len;
	if (s->state == REDIRECT_OVER)
		return false;
	if (s->state == REDIRECT_RUNS && s->held.len == 0)
		return fs_write_all(s->fd, data, len) == 0;
	buf_add(&s->held, data, len);
	if (s->state == REDIRECT_RUNS)
		ok = fs_write_all(s->fd, data, len) == 0;
	else if (!redirect_is_long(s))
		return true;
	else {
		redirect_pager(&command);
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
	if (s->target.kind == REDIRECT_PAGER)
		ok = redirect_write_pager(s, data, len);
	else {
		ok = s->target.kind != REDIRECT_REPLACE || s->wrote || !s->regular || ftruncate(s->fd, 0) == 0;
		s->wrote = true;
		ok = ok && fs_write_all(s->fd, data, len) == 0;
	}
	return ok;
}

/* Open a file as its kind says. */
static int
redirect_open_file(struct redirect *s, struct err *err)
{
	const struct redirect_target *t = &s->target;
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (t->kind == REDIRECT_APPEND ? O_APPEND : 0);
	const int at = t->dir >= 0 ? t->dir : AT_FDCWD;
	struct stat st;

	s->fd = openat(at, t->where, flags | O_CREAT | O_EXCL, 0666);
	s->made = s->fd >= 0;
	if (s->fd < 0 && errno == EEXIST)
		s->fd = openat(at, t->where, flags);
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return err_sys(err, "open '%s'", t->where);
	s->regular = S_ISREG(st.st_mode);
	if (t->kind == REDIRECT_FILE && !s->made && s->regular)
		return err_set(err, ERR_USAGE, "'%s' is there already: >! replaces it, >> appends to it", t->where);
	return 0;
}

/* Open the stream of a sink whose target is set. */
static int
redirect_open_stream(struct redirect *s, struct err *err)
{
	switch (s->target.kind) {
	case REDIRECT_THROUGH:
		s->stream = s->target.out;
		return 0;
	case REDIRECT_FILE:
	case REDIRECT_REPLACE:
	case REDIRECT_APPEND:
		if (redirect_open_file(s, err) < 0)
			return -1;
		break;
	case REDIRECT_PROGRAM:
		if (redirect_start(s, s->target.where, err) < 0)
			return -1;
		break;
	case REDIRECT_PAGER:
		break;
	}
	s->writer = (struct stream_writer){ redirect_write, s };
	s->stream = stream_open(&s->writer);
	return s->stream != NULL ? 0 : err_sys(err, "open a stream");
}

struct redirect *
redirect_open(const struct redirect_target *target, struct err *err)
{
	struct redirect *s = mem_zalloc(1, sizeof(*s));

	assert(target->where != NULL || target->kind == REDIRECT_THROUGH || target->kind == REDIRECT_PAGER);
	s->target = *target;
	s->fd = -1;
	if (redirect_open_stream(s, err) < 0) {
		if (s->pid != 0)
			redirect_stop(s);
		else if (s->fd >= 0)
			close(s->fd);
		free(s);
		return NULL;
	}
	if (!target->talks && (target->kind == REDIRECT_PROGRAM || target->kind == REDIRECT_PAGER))
		s->messages = open_memstream(&s->message_text, &s->message_len);
	if (s->messages == NULL)
		s->messages = target->msg;
	return s;
}

FILE *
redirect_stream(const struct redirect *s)
{
	return s->stream;
}

FILE *
redirect_messages(const struct redirect *s)
{
	return s->messages;
}

int64_t
redirect_first_ns(const struct redirect *s)
{
	return s->first_ns;
}

/* Close the file. */
static int
redirect_close_file(struct redirect *s, bool failed, struct err *err)
{
	const struct redirect_target *t = &s->target;
	int ret = 0;

	if (!s->wrote && failed && s->made)
		unlinkat(t->dir >= 0 ? t->dir : AT_FDCWD, t->where, 0);
	if (!s->wrote && !failed && t->kind == REDIRECT_REPLACE && s->regular)
		ret = ftruncate(s->fd, 0);
	if (close(s->fd) < 0)
		ret = -1;
	return ret < 0 ? err_sys(err, "write '%s'", t->where) : 0;
}

int
redirect_close(struct redirect *s, bool failed, struct err *err)
{
	const enum redirect_kind kind = s->target.kind;
	const bool is_file = kind == REDIRECT_FILE || kind == REDIRECT_REPLACE || kind == REDIRECT_APPEND;
	int ret = 0;

	if (kind == REDIRECT_THROUGH)
		fflush(s->stream);
	/* A failure before this was told by the command. */
	else if (fclose(s->stream) != 0 && is_file)
		ret = err_sys(err, "write '%s'", s->target.where);
	if (is_file && redirect_close_file(s, failed, ret == 0 ? err : &(struct err){ 0 }) < 0)
		ret = -1;
	if (kind == REDIRECT_PROGRAM)
		redirect_stop(s);
	if (s->state == REDIRECT_RUNS)
		redirect_end_pager(s);
	else if (s->held.len > 0)
		fwrite(s->held.data, 1, s->held.len, s->target.out);
	fflush(s->target.out);
	if (s->messages != s->target.msg) {
		fclose(s->messages);
		width_print(s->target.msg, s->message_text, WIDTH_MORE, progress_columns(s->target.msg));
		fflush(s->target.msg);
		free(s->message_text);
	}
	buf_release(&s->held);
	free(s);
	return ret;
}

int
redirect_command(const char *command, int dir, struct err *err)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		redirect_exec(command, dir);
	return pid < 0 ? err_sys(err, "start '%s'", command) : redirect_wait(pid);
}
