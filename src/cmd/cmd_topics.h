/* SPDX-License-Identifier: MIT */
/* cmd_topics - help of what several commands have in common: rules, paths, sizes, statuses. */
#ifndef CMD_CMD_TOPICS_H
#define CMD_CMD_TOPICS_H

/** A topic that help knows beside the commands. */
struct cmd_topic {
	const char *name;
	const char *summary;     /* lower case, no period */
	const char *text;        /* lines as wide as a terminal of 80 columns at most */
};

/** All topics; one without a name at the end. */
extern const struct cmd_topic cmd_topics[];

/** The topic of that name, or NULL. */
const struct cmd_topic *cmd_topic_find(const char *name);

/** Append a line for each topic: its name and summary. */
void cmd_topics_list(struct buf *b);

/** Append to the text of a failed look-up which topics there are. */
void cmd_topics_hint(struct err *err);

#endif
