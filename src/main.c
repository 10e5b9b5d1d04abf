/* SPDX-License-Identifier: MIT */
/*
 * twindex - an index of every file, and what it knows about duplicates.  See README in this
 * folder for the layers.
 */
#include "base/base.h"

#include <fcntl.h>
#include <locale.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "sys/status_signal.h"
#include "sys/stop.h"

/*
 * A closed standard stream would be opened again as somebody's file.  Read-only, so that writing
 * results there still fails.
 */
static void
main_open_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

int
main(int argc, char **argv)
{
	mem_begin();
	main_open_streams();
	/* Numbers stay as machines read them. */
	setlocale(LC_CTYPE, "");
	/* localtime_r need not do it. */
	tzset();
	stop_install();
	status_signal_install();
	prog_set(argc > 0 ? argv[0] : NULL);
	return commands_main(argc - 1, argv + 1, stdout, stderr);
}
