/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "sys/command.h"
#include "sys/locale.h"
#include "sys/stop.h"
#include "ui/pager.h"

/*
 * The pager's command line.  sh becomes a plain one itself (exec), so that
 * signals reach it.  That there is no less is not worth a word, unlike a
 * mistake in a variable.
 */
void
pager_command(struct buf *command)
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
	/* less takes other bytes for control characters where it finds no such locale. */
	if (locale_is_utf8())
		buf_adds(command, "LESSCHARSET=${LESSCHARSET-utf-8}; export LESSCHARSET; ");
	if (pager[strspn(pager, plain)] == '\0')
		buf_adds(command, "exec ");
	buf_adds(command, pager);
}

bool
pager_show(const char *text, size_t len)
{
	void (*const handler)(int) = signal(SIGPIPE, SIG_IGN);
	struct buf command = { 0 };
	int fds[2], status = -1;
	pid_t pid = -1;

	pager_command(&command);
	if (pipe(fds) == 0) {
		(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
		pid = command_start(buf_str(&command), -1, fds[0]);
		(void)close(fds[0]);
		for (ssize_t n = 0; pid > 0 && len > 0 && (n = write(fds[1], text, len)) >= 0; text += n, len -= (size_t)n)
			continue;
		(void)close(fds[1]);
	}
	if (pid > 0)
		status = command_wait(pid);
	signal(SIGPIPE, handler);
	/* Ctrl-C was for the pager. */
	if (stop_signal() == SIGINT)
		stop_clear();
	buf_release(&command);
	return status >= 0 && status != 126 && status != 127;
}
