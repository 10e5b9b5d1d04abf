/* SPDX-License-Identifier: MIT */
/*
 * A pager is started only when there is more than a screen: what fits stays
 * on the terminal, and nothing flickers.  Who quits the pager has seen enough:
 * the next write fails with EPIPE, which stops the query.
 */
#include <config.h>

#include "cmd/shell_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "sys/fs.h"
#include "sys/stop.h"

struct sink {
	struct sink_target target;
	char *where;             /* owned */
	FILE *stream;
	int fd;                  /* to the program, once it runs; else -1 */
	pid_t pid;
	struct buf held;         /* pager: the screen so far */
	int rows;                /* ... and its lines */
	int64_t first_ns;
	void (*pipe_handler)(int);   /* of SIGPIPE, from before the program ran */
};

/* In the child: become sh. */
static void
sink_exec(const char *command, const char *dir)
{
	/* Where that directory is not there, the command runs where the shell was started. */
	if (dir != NULL && chdir(dir) < 0)
		errno = 0;
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Wait for a child, whatever signals come: the terminal sends them to it as well.  Returns its exit status. */
static int
sink_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 127;
		/* What ends us ends it; an interrupt it has got itself. */
		if (stop_signal() != 0 && stop_signal() != SIGINT)
			kill(pid, stop_signal());
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Start a command with a pipe to its standard input. */
static int
sink_start(struct sink *s, const char *command, struct err *err)
{
	int fds[2];

	fflush(s->target.out);
	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_sys(err, "make a pipe");
	s->pid = fork();
	if (s->pid == 0) {
		dup2(fds[0], 0);
		sink_exec(command, s->target.dir);
	}
	close(fds[0]);
	if (s->pid < 0) {
		close(fds[1]);
		return err_sys(err, "start '%s'", command);
	}
	s->fd = fds[1];
	/* Its end is no end of ours. */
	s->pipe_handler = signal(SIGPIPE, SIG_IGN);
	return 0;
}

/* Lines of the terminal that the text takes; bytes stand for columns, so that it is rather too many. */
static int
sink_rows(const char *text, size_t len, int width)
{
	const char *end = text + len;
	int rows = 0;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline != NULL ? newline : end;

		rows += newline != NULL;
		if (width > 0)
			rows += (int)((stop - text) / (width + 1));
		text = stop + 1;
	}
	return rows;
}

/* The pager's command line. */
static const char *
sink_pager(void)
{
	const char *pager = getenv("TWINDEX_PAGER");

	if (pager == NULL || *pager == '\0')
		pager = getenv("PAGER");
	/* As git does: leave at once what fits, show colours, leave the screen as it is. */
	return pager != NULL && *pager != '\0' ? pager : "less -FRX";
}

/* cookie_write_function_t: hold a screen, then write to the program. */
static ssize_t
sink_write(void *cookie, const char *data, size_t len)
{
	struct sink *s = cookie;
	struct err ignored = { 0 };

	if (s->first_ns == 0)
		s->first_ns = fs_clock_ns();
	if (s->fd < 0) {
		s->rows += sink_rows(data, len, s->target.width);
		buf_add(&s->held, data, len);
		if (s->rows < s->target.height)
			return (ssize_t)len;
		if (sink_start(s, sink_pager(), &ignored) < 0 || fs_write_all(s->fd, s->held.data, s->held.len) < 0)
			return 0;
		buf_release(&s->held);
		return (ssize_t)len;
	}
	return fs_write_all(s->fd, data, len) < 0 ? 0 : (ssize_t)len;
}

/* Open the stream of a sink whose target is set. */
static int
sink_open_stream(struct sink *s, struct err *err)
{
	const cookie_io_functions_t io = { .write = sink_write };

	switch (s->target.kind) {
	case SINK_THROUGH:
		s->stream = s->target.out;
		return 0;
	case SINK_FILE:
	case SINK_APPEND:
		s->stream = fopen(s->where, s->target.kind == SINK_FILE ? "we" : "ae");
		return s->stream != NULL ? 0 : err_sys(err, "open '%s'", s->where);
	case SINK_PROGRAM:
		if (sink_start(s, s->where, err) < 0)
			return -1;
		break;
	case SINK_PAGER:
		break;
	}
	s->stream = fopencookie(s, "w", io);
	return s->stream != NULL ? 0 : err_sys(err, "open a stream");
}

struct sink *
sink_open(const struct sink_target *target, struct err *err)
{
	struct sink *s = mem_zalloc(1, sizeof(*s));

	s->target = *target;
	s->where = target->where != NULL ? mem_dup(target->where, strlen(target->where)) : NULL;
	s->fd = -1;
	if (sink_open_stream(s, err) == 0)
		return s;
	if (s->fd >= 0) {
		close(s->fd);
		sink_wait(s->pid);
		signal(SIGPIPE, s->pipe_handler);
	}
	free(s->where);
	free(s);
	return NULL;
}

FILE *
sink_stream(const struct sink *s)
{
	return s->stream;
}

int64_t
sink_first_ns(const struct sink *s)
{
	return s->first_ns;
}

int
sink_close(struct sink *s, struct err *err)
{
	const bool is_file = s->target.kind == SINK_FILE || s->target.kind == SINK_APPEND;
	int ret = 0;

	if (s->target.kind == SINK_THROUGH)
		fflush(s->stream);
	/* A failure before this was told by the command. */
	else if (fclose(s->stream) != 0 && is_file)
		ret = err_sys(err, "write '%s'", s->where);
	if (s->fd >= 0) {
		close(s->fd);
		sink_wait(s->pid);
		signal(SIGPIPE, s->pipe_handler);
	} else if (s->held.len > 0) {
		fwrite(s->held.data, 1, s->held.len, s->target.out);
		fflush(s->target.out);
	}
	buf_release(&s->held);
	free(s->where);
	free(s);
	return ret;
}

int
sink_command(const char *command, const char *dir, struct err *err)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		sink_exec(command, dir);
	return pid < 0 ? err_sys(err, "start '%s'", command) : sink_wait(pid);
}
