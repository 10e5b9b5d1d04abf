/* SPDX-License-Identifier: MIT */
/* disk_names - the names in a directory of the disk that begin with something. */
#ifndef SHELL_DISK_NAMES_H
#define SHELL_DISK_NAMES_H

struct prefix;
struct prefix_query;

/**
 * Add names as prefix_load() does, in the directory of the disk; a link to a directory counts as
 * one.  It has none if it cannot be read.
 */
void disk_names_load(struct prefix *names, const struct prefix_query *q);

/**
 * The same of programs, in directories as $PATH has them: relative ones are below q->path, and
 * those that cannot be read have none.
 */
void disk_names_load_programs(struct prefix *names, const char *dirs, const struct prefix_query *q);

#endif
