/* SPDX-License-Identifier: MIT */
/*
 * Runs every suite and prints TAP.  CK_RUN_SUITE=name runs one of them;
 * CK_FORK=no keeps the tests in this process, for a debugger;
 * CK_DEFAULT_TIMEOUT=600 lets a test last longer than 60 s.
 */
#include "base/base.h"

#include "fixture.h"
#include "unit.h"

int
main(void)
{
#define UNIT_CALL(name) suite_##name(),
	/* A limit that a slow or busy machine keeps, for tests that never end; read when a test case is made. */
	const int set = setenv("CK_DEFAULT_TIMEOUT", "60", 0);
	Suite *suites[] = { UNIT_SUITES(UNIT_CALL) };
#undef UNIT_CALL
	SRunner *runner = srunner_create(NULL);
	int failed;

	if (set != 0 || !fixture_prepare())
		return EXIT_FAILURE;
	for (int i = 0; i < N_ROWS(suites); i++)
		srunner_add_suite(runner, suites[i]);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
