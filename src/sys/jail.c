/* SPDX-License-Identifier: MIT */
/*
 * Hides how a process gives up what it does not need, in the order in which it can:
 *
 *	signals      it ignores those of a terminal; it dies with its parent
 *	descriptors  the file becomes 3, the pipe 4, 0 to 2 lead to /dev/null, all others are closed
 *	limits       no file can be opened or written, memory and time are bounded
 *	calls        Linux: a filter lets those through that reading, memory and the end need
 *
 * A call that is not allowed fails with EPERM: libraries try some that they can do without.  The
 * filter is made for the processors named below; on others limits alone hold.
 *
 * The parent uses only struct jail; nothing that the child does to its memory is seen here.
 */
#include "base/base.h"

#include "sys/jail.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(LINUX_PATHS) && defined(HAVE_LINUX_SECCOMP_H) && (defined(__x86_64__) || defined(__aarch64__))
#define JAIL_FILTER 1
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "sys/fs.h"
#include "sys/stop.h"

/* The descriptors of the process. */
enum { JAIL_IN = 3, JAIL_OUT = 4 };
/* It exits with this when it can't lock itself in: nothing was read by then. */
enum { JAIL_FAILED = 125 };
/* Milliseconds between two looks at signals. */
enum { JAIL_TICK = 100 };

/* Address sanitizers map terabytes. */
#if defined(__SANITIZE_ADDRESS__)
#define JAIL_NO_MEMORY_LIMIT 1
#endif

#ifdef JAIL_FILTER
#ifdef __x86_64__
#define JAIL_ARCH AUDIT_ARCH_X86_64
#else
#define JAIL_ARCH AUDIT_ARCH_AARCH64
#endif

/* Allowed whatever their arguments are. */
static const int jail_calls[] = {
	SYS_read, SYS_lseek, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_exit, SYS_exit_group,
	SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_clock_gettime, SYS_gettimeofday, SYS_getpid, SYS_gettid,
	SYS_getrandom, SYS_sched_yield, SYS_restart_syscall, SYS_tgkill
};

enum { JAIL_CALLS = sizeof(jail_calls) / sizeof(jail_calls[0]) };

#define JAIL_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define JAIL_RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)

/* Let the kernel refuse every call that is not named here.  Returns 0 or -1 with errno. */
static int
jail_filter(void)
{
	struct sock_filter code[JAIL_CALLS * 2 + 24];
	struct sock_fprog program = { .filter = code };
	unsigned n = 0;

	code[n++] = (struct sock_filter)JAIL_LOAD(arch);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, JAIL_ARCH, 1, 0);
	code[n++] = (struct sock_filter)JAIL_RETURN(SECCOMP_RET_KILL_PROCESS);
	code[n++] = (struct sock_filter)JAIL_LOAD(nr);
	for (size_t i = 0; i < JAIL_CALLS; i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)jail_calls[i], 0, 1);
		code[n++] = (struct sock_filter)JAIL_RETURN(SECCOMP_RET_ALLOW);
	}
	/* Writing to the pipe alone. */
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 4);
	code[n++] = (struct sock_filter)JAIL_LOAD(args[0]);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, JAIL_OUT, 0, 1);
	code[n++] = (struct sock_filter)JAIL_RETURN(SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)JAIL_RETURN(SECCOMP_RET_ERRNO | EPERM);
	/* Memory, but none that could be run. */
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3);
	code[n++] = (struct sock_filter)JAIL_LOAD(args[2]);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
	code[n++] = (struct sock_filter)JAIL_RETURN(SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)JAIL_RETURN(SECCOMP_RET_ERRNO | EPERM);
	assert(n <= sizeof(code) / sizeof(code[0]));
	program.len = (unsigned short)n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#endif

bool
jail_is_tight(void)
{
#ifdef JAIL_FILTER
	return true;
#else
	return false;
#endif
}

/* The bytes that the process has mapped, or 0 where the system does not tell. */
static int64_t
jail_mapped(void)
{
	int64_t pages = 0;
#ifdef LINUX_PATHS
	FILE *f = fopen("/proc/self/statm", "re");
	char text[64];

	if (f == NULL)
		return 0;
	if (fgets(text, sizeof(text), f) != NULL) {
		for (size_t i = 0; text[i] >= '0' && text[i] <= '9'; i++)
			pages = pages * 10 + (text[i] - '0');
	}
	fclose(f);
#endif
	return pages * sysconf(_SC_PAGESIZE);
}

/* Lower a limit.  One that is lower already stays. */
static int
jail_limit(int what, int64_t most)
{
	struct rlimit limit;

	if (getrlimit(what, &limit) < 0)
		return -1;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t)most)
		limit.rlim_cur = (rlim_t)most;
	/* What the processor's time is over sends a signal first. */
	if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > limit.rlim_cur)
		limit.rlim_max = limit.rlim_cur + (what == RLIMIT_CPU ? 5 : 0);
	return setrlimit(what, &limit);
}

/* Close all descriptors from first on. */
static void
jail_close_from(int first)
{
	struct rlimit limit;
	int last = 65536;

#if defined(JAIL_FILTER) && defined(SYS_close_range)
	if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0)
		return;
#endif
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)last)
		last = (int)limit.rlim_cur;
	for (int fd = first; fd < last; fd++)
		close(fd);
}

/* Give the file and the pipe their numbers.  Returns 0 or -1. */
static int
jail_descriptors(int in, int out)
{
	/* Neither may lie where the other one goes. */
	const int null = open("/dev/null", O_RDWR), a = fcntl(in, F_DUPFD, 16), b = fcntl(out, F_DUPFD, 16);

	if (null < 0 || a < 0 || b < 0)
		return -1;
	for (int fd = 0; fd < JAIL_IN; fd++) {
		if (dup2(null, fd) < 0)
			return -1;
	}
	if (dup2(a, JAIL_IN) < 0 || dup2(b, JAIL_OUT) < 0)
		return -1;
	jail_close_from(JAIL_OUT + 1);
	return 0;
}

/* Give up all that is not needed.  Returns 0 or -1. */
static int
jail_enter(const struct jail_limits *limits, int in, int out)
{
	const int64_t mapped = jail_mapped();

	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
#ifdef JAIL_FILTER
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -1;
#endif
	if (jail_descriptors(in, out) < 0 || jail_limit(RLIMIT_CORE, 0) < 0 || jail_limit(RLIMIT_FSIZE, 0) < 0 ||
	    jail_limit(RLIMIT_NOFILE, 0) < 0 || jail_limit(RLIMIT_CPU, limits->cpu) < 0)
		return -1;
#ifndef JAIL_NO_MEMORY_LIMIT
	if (mapped > 0 && jail_limit(RLIMIT_AS, mapped + limits->memory) < 0)
		return -1;
#else
	(void)mapped;
#endif
#ifdef JAIL_FILTER
	return jail_filter();
#else
	return 0;
#endif
}

int
jail_start(struct jail *j, int in, const struct jail_limits *limits, jail_ready_fn *ready, jail_fn *fn, void *arg, struct err *err)
{
	int ends[2];

	if (pipe(ends) < 0)
		return err_sys(err, "cannot make a pipe");
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	j->at = j->n = 0;
	j->closed = false;
	j->fd = ends[0];
	j->pid = fork();
	if (j->pid == 0) {
		ready();
		if (jail_enter(limits, in, ends[1]) < 0)
			_exit(JAIL_FAILED);
		fn(arg, JAIL_IN, JAIL_OUT);
		_exit(0);
	}
	close(ends[1]);
	if (j->pid > 0)
		return 0;
	err_sys(err, "cannot start a process");
	close(ends[0]);
	return -1;
}

/* Wait for bytes of the process.  Returns as jail_read. */
static int
jail_fill(struct jail *j, int64_t patience_ns, struct err *err)
{
	const int64_t until = num_add(fs_clock_ns(), patience_ns);
	struct pollfd p = { .fd = j->fd, .events = POLLIN };

	for (;;) {
		const int ready = poll(&p, 1, JAIL_TICK);

		if (stop_check(err) < 0)
			return -1;
		if (ready < 0 && errno != EINTR)
			return err_sys(err, "cannot wait for a process");
		if (ready > 0) {
			const ssize_t n = read(j->fd, j->block, sizeof(j->block));

			if (n < 0 && errno != EINTR)
				return err_sys(err, "cannot read what a process writes");
			if (n >= 0) {
				j->at = 0;
				j->n = (size_t)n;
				j->closed = n == 0;
				return n > 0 ? JAIL_READ : JAIL_CLOSED;
			}
		} else if (fs_clock_ns() >= until)
			return JAIL_SILENT;
	}
}

int
jail_read(struct jail *j, void *data, size_t len, int64_t patience_ns, struct err *err)
{
	uint8_t *to = data;

	while (len > 0) {
		const size_t n = j->n - j->at < len ? j->n - j->at : len;

		if (n == 0) {
			const int ret = jail_fill(j, patience_ns, err);

			if (ret != JAIL_READ)
				return ret;
			continue;
		}
		memcpy(to, j->block + j->at, n);
		j->at += n;
		to += n;
		len -= n;
	}
	return JAIL_READ;
}

/* Wait for a process that has closed its pipe, which it does as it ends.  Whether it has ended. */
static bool
jail_wait(const struct jail *j, int *status)
{
	const int64_t until = fs_clock_ns() + 2000000000;
	const struct timespec pause = { .tv_nsec = 200000 };

	for (;;) {
		const pid_t pid = waitpid(j->pid, status, WNOHANG);

		if (pid == j->pid || (pid < 0 && errno != EINTR))
			return true;
		if (!j->closed || fs_clock_ns() >= until)
			return false;
		nanosleep(&pause, NULL);
	}
}

enum jail_end
jail_end(struct jail *j)
{
	int status = 0;

	close(j->fd);
	if (!jail_wait(j, &status)) {
		/* It has nothing left to say: what it would still do is of no use. */
		kill(j->pid, SIGKILL);
		while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
			;
		return j->closed ? JAIL_END_DIED : JAIL_END_WELL;
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return JAIL_END_TIME;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? JAIL_END_WELL : JAIL_END_DIED;
}
