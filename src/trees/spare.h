/* SPDX-License-Identifier: MIT */
/* spare - which directories are rather a copy kept in reserve than what it was made of. */
#ifndef TREES_SPARE_H
#define TREES_SPARE_H

#include <stdbool.h>

/** Whether a name says so: "backup", "old" or the like is a word in it, in capitals or not. */
bool spare_name(const char *name);

#endif
