/* SPDX-License-Identifier: MIT */
/*
 * Runs every suite and prints TAP.  CK_RUN_SUITE=name runs one of them.
 *
 * Each suite has a process of its own, in which its tests run one after another: a process for each of the thousands
 * of rows takes longer than the row.  CK_FORK=yes gives each test a process, which tells the test that crashed;
 * CK_FORK=no keeps all in this one, for a debugger.  CK_DEFAULT_TIMEOUT=600 lets a test last longer than 60 s.
 */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "unit.h"

/* Their tests end the process, or leave it in a state that the next test must not find. */
static const char *const forks_each[] = { "buf", "compare", "fleeting", "mem", "members" };

/* Run suites of this process, and print TAP. */
static int
run_here(Suite *const *suites, int n, enum fork_status how)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

	for (int i = 0; i < n; i++)
		srunner_add_suite(runner, suites[i]);
	srunner_set_fork_status(runner, how);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed;
}

static enum fork_status
how_to_run(const char *name)
{
	const char *wanted = getenv("CK_FORK");

	if (wanted != NULL && strcmp(wanted, "yes") == 0)
		return CK_FORK;
	for (int i = 0; i < N_ROWS(forks_each); i++)
		if (strcmp(forks_each[i], name) == 0)
			return CK_FORK;
	return CK_NOFORK;
}

/*
 * Run a suite in a process of its own, and print its results with the numbers that follow *n.  A process that does not
 * end as it should, or says no plan at its end, is a result that failed.  Returns the number of failures.
 */
static int
run_apart(Suite *suite, const char *name, int *n)
{
	int fds[2], status = -1, failed = 0;
	bool planned = false;
	char *line = NULL;
	size_t size = 0;
	FILE *results;
	pid_t pid;

	fflush(NULL);
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		return perror(name), 1;
	if (pid == 0) {
		const enum fork_status how = how_to_run(name);

		if (dup2(fds[1], STDOUT_FILENO) < 0)
			_exit(EXIT_FAILURE);
		close(fds[0]);
		close(fds[1]);
		/* Check itself ends only tests that have a process each. */
		if (how == CK_NOFORK)
			alarm(10 * (unsigned)atoi(getenv("CK_DEFAULT_TIMEOUT")));
		run_here(&suite, 1, how);
		exit(EXIT_SUCCESS);
	}
	close(fds[1]);
	results = fdopen(fds[0], "r");
	while (results != NULL && getline(&line, &size, results) > 0) {
		const bool passes = strncmp(line, "ok ", 3) == 0;

		if (passes || strncmp(line, "not ok ", 7) == 0) {
			const char *said = line + (passes ? 3 : 7);

			printf("%s %d%s", passes ? "ok" : "not ok", ++*n, said + strspn(said, "0123456789"));
			failed += !passes;
		} else if (strncmp(line, "1..", 3) == 0)
			planned = true;
		else
			fputs(line, stdout);
	}
	free(line);
	if (results != NULL)
		fclose(results);
	if (waitpid(pid, &status, 0) != pid || status != 0 || !planned) {
		printf("not ok %d - %s: its process ends with wait status %d; CK_FORK=yes tells the test\n", ++*n, name, status);
		failed++;
	}
	return failed;
}

int
main(void)
{
#define UNIT_CALL(name) suite_##name(),
#define UNIT_NAME(name) #name,
	/* A limit that a slow or busy machine keeps, for tests that never end; read when a test case is made. */
	const int set = setenv("CK_DEFAULT_TIMEOUT", "60", 0);
	Suite *suites[] = { UNIT_SUITES(UNIT_CALL) };
	static const char *const names[] = { UNIT_SUITES(UNIT_NAME) };
#undef UNIT_NAME
#undef UNIT_CALL
	const char *wanted = getenv("CK_FORK");
	int failed = 0, n = 0;
	SRunner *all;

	if (set != 0 || !fixture_prepare())
		return EXIT_FAILURE;
	if (wanted != NULL && strcmp(wanted, "no") == 0)
		return run_here(suites, N_ROWS(suites), CK_NOFORK) > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	for (int i = 0; i < N_ROWS(suites); i++)
		failed += run_apart(suites[i], names[i], &n);
	printf("1..%d\n", n);
	/* A runner alone frees suites, and a sanitizer that finds what is lost here takes the last lines along. */
	all = srunner_create(NULL);
	for (int i = 0; i < N_ROWS(suites); i++)
		srunner_add_suite(all, suites[i]);
	srunner_free(all);
	return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
