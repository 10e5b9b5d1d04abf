/* SPDX-License-Identifier: MIT */
/*
 * Runs every suite and prints TAP.  CK_RUN_SUITE=name runs one of them;
 * CK_FORK=no keeps the tests in this process, for a debugger.
 */
#include <config.h>

#include <stdlib.h>

#include "unit.h"

int
main(void)
{
#define UNIT_CALL(name) suite_##name(),
	Suite *suites[] = { UNIT_SUITES(UNIT_CALL) };
#undef UNIT_CALL
	SRunner *runner = srunner_create(NULL);
	int failed;

	for (int i = 0; i < N_ROWS(suites); i++)
		srunner_add_suite(runner, suites[i]);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
