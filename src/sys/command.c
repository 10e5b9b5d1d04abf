/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/command.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/stop.h"

pid_t
command_start(const char *command, int dir, int input)
{
	const pid_t pid = fork();

	if (pid == 0) {
		if (input >= 0)
			dup2(input, 0);
		if (dir >= 0 && fchdir(dir) < 0)
			_exit(126);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	return pid;
}

int
command_wait(pid_t pid)
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

int
command_run(const char *command, int dir, struct err *err)
{
	pid_t pid;

	fflush(NULL);
	pid = command_start(command, dir, -1);
	return pid < 0 ? err_sys(err, "start '%s'", command) : command_wait(pid);
}
