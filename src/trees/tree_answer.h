/* SPDX-License-Identifier: MIT */
/* tree_answer - what a question about whole directories says of one; printers read it. */
#ifndef TREES_TREE_ANSWER_H
#define TREES_TREE_ANSWER_H

#include "index/gaps.h"

/** The verdict on a directory. */
enum tree_state {
	TREE_REDUNDANT,      /* it can go together with all others that can: nothing is lost */
	TREE_LEANED_ON,      /* it could go if others that can go stayed */
	TREE_UNPROVEN,       /* it could go as far as is known; something could not be judged */
	TREE_LIVE,           /* it could go, but only for copies in places that are more spare */
	TREE_ALL_BUT,        /* it could go but for a few files, as of the last scan */
	TREE_AT_RISK,        /* at risk is all in it */
	TREE_FILES_AT_RISK,  /* at risk are files directly in it */
	TREE_IN_ARCHIVE,     /* it is an archive: at risk are members of it */
	TREE_ARCHIVE,        /* it is an archive: all its members are files elsewhere, it can go */
	TREE_STATES
};

/** The words for states ("redundant", ...). */
extern const char *const tree_states[TREE_STATES];

/** A directory in which contents lie. */
struct tree_place {
	const char *path;    /* absolute; bytes as on disk */
	int64_t files;       /* of the directory in question: their contents lie there, too */
	bool direct;         /* ... directly in it, not below its subdirectories */
};

/** The answer for one directory.  All pointers are borrowed for the call that delivers it. */
struct tree_answer {
	const char *path;    /* absolute; bytes as on disk */
	enum tree_state state;
	int64_t files;       /* names below it that are there and hold something, or are at risk */
	int64_t of;          /* TREE_FILES_AT_RISK: all names directly in it; TREE_AT_RISK: files;
	                      * TREE_IN_ARCHIVE: its members that hold something */
	int64_t bytes;       /* of their inodes, each once */
	int64_t frees;       /* ... that have no name outside of it */
	const struct tree_place *places;  /* where the contents lie as well, most files first */
	size_t n_places;
	int64_t elsewhere;   /* files whose content lies elsewhere, in none of these */
	int64_t outside;     /* files whose content only links outside of the index keep */
	int64_t unseen;      /* TREE_UNPROVEN: files whose other copies can't be looked at */
	/** TREE_ALL_BUT: files with too few copies elsewhere; TREE_LIVE: with spare ones alone. */
	int64_t missing;
	bool alternative;    /* TREE_ALL_BUT: they are more once what can go has gone */
	const struct tree_place *leaning; /* TREE_LEANED_ON: what goes, and leans on it for files */
	size_t n_leaning;
	const char *pair;    /* TREE_REDUNDANT: a directory that could go in its place; or NULL */
	int64_t mounts;      /* directories at and below it at which something is mounted */
	bool mounted;        /* ... it is one of them */
	bool told;           /* TREE_LEANED_ON: it is the pair of another answer */
	struct gaps gaps;    /* what was not judged in it; links and special files go */
};

/** What a line of a policy asks for (trees/policy). */
enum policy_rule {
	POLICY_COPIES,       /* inodes with the content, the file's own among them */
	POLICY_VOLUMES,      /* disks with one */
	POLICY_OFFLINE,      /* copies on disks that are not there now */
	POLICY_RULES
};

/** The words for rules ("copies", ...). */
extern const char *const policy_rules[POLICY_RULES];

/** A line of a policy, and the files that break it. */
struct policy_line {
	const char *tree;    /* absolute */
	enum policy_rule rule;
	int64_t least;
	int64_t number;      /* of the line, in its file */
	int64_t files, bytes;    /* that break it; of each inode once */
	bool judged;         /* its tree is there, and in the index */
};

/** Totals of the directories that can go, or of what is at risk. */
struct tree_totals {
	int64_t dirs, files, bytes;
	int64_t frees;       /* by all of them together */
	int64_t leaned_on, unproven;   /* directories that can't */
	int64_t live;        /* ... that may not, for they are live and their copies spare */
	int64_t all_but;     /* ... that could, but for a few files: not all of them */
	int64_t offline;     /* files kept from risk by copies alone that are offline */
	int64_t inside;      /* ... by copies alone that lie in what was asked about as well */
	bool in_archives;    /* asked about are archives: files are members, dirs archives */
	int64_t asked;       /* ... archives, of which something is known */
	bool in_backups;     /* at risk is what no backup has, wherever else it is */
	const struct policy_line *policy;  /* at risk is what breaks one of these; or NULL */
	size_t n_policy;
	const char *policy_file; /* from which they are */
	bool shared;         /* copies of a file were all the same blocks of the disk */
	int64_t fleeting;    /* files at risk, or that stay, with copies not to be relied on */
	unsigned fleeting_why;   /* ... for these reasons: index/fleeting */
	int64_t in_wholes;   /* files that stay with a directory that belongs together */
	unsigned wholes;     /* ... of these kinds: index/wholes */
	int64_t left_hidden; /* hidden directories with files, which were left alone */
	bool hidden;         /* those that are leaned on are not printed */
	bool unfinished;     /* a scan has still to compare files */
	int64_t whole;       /* of those that were asked for: they go as a whole */
	struct gaps gaps;    /* of those that are not proven */
	int64_t unseen;      /* the same of tree_answer */
};

#endif
