/* SPDX-License-Identifier: MIT */
/* answer - what a query says of a file or of a set of duplicates; printers read these records. */
#ifndef QUERY_ANSWER_H
#define QUERY_ANSWER_H

#include "index/mark.h"
#include "index/presence.h"
#include "sys/fs.h"

/** What is known of one file, after a look at the file system. */
enum file_state {
	STATE_DUP,         /* another copy is in the index, and there unchanged when asked */
	STATE_UNIQUE,      /* every other indexed file is proven different */
	STATE_LINKED,      /* only other names of the same inode */
	STATE_EMPTY,       /* zero bytes */
	STATE_SKIPPED,     /* a scan of its root leaves it out: why says by which rule */
	STATE_UNREADABLE,  /* why says the system's reason */
	STATE_CHANGED,     /* differs now from what was indexed */
	STATE_GONE,        /* indexed, no longer there */
	STATE_UNKNOWN,     /* not in the index, or not proven: why says so */
	STATE_COUNT
};

/** The word for a state ("dup", "unique", ...). */
const char *state_name(enum file_state state);
/** All of them. */
extern const char *const answer_states[STATE_COUNT];

/** What a listing says of a subdirectory that it does not go into. */
enum dir_state {
	DIR_INDEXED,       /* and, unless it is offline, there */
	DIR_GONE,          /* indexed, no longer there */
	DIR_SKIPPED,       /* not indexed: a scan of its root leaves it out */
	DIR_UNKNOWN,       /* not in the index, or it can't be looked at */
	DIR_UNREADABLE,    /* not in the index, and it can't be listed */
	DIR_STATES
};

/** A subdirectory in a listing that does not go into it. */
struct subdir_answer {
	const char *path;          /* absolute; bytes as on disk */
	enum dir_state state;
	const char *why;           /* of that state; or NULL */
	int64_t bytes, redundant;  /* as in struct usage_sum; -1: not known, or not asked for */
};

/** How another name of the content relates to the file or set in question. */
enum member_kind {
	MEMBER_COPY,      /* a distinct inode, there and unchanged */
	MEMBER_LINK,      /* another name of the file's (in a set: of an earlier member's) inode */
	MEMBER_GONE,      /* indexed, no longer there */
	MEMBER_CHANGED,   /* differs now from what was indexed */
	MEMBER_EXCLUDED,  /* lies where the query was told not to look */
	MEMBER_TRASH,     /* lies in a trash, and will be emptied */
	MEMBER_BACKUP,    /* in a set: lies in a backup, counts for nothing, and never goes */
	MEMBER_FLEETING,  /* may go by itself where the file would not: in a cache, in memory ... */
	MEMBER_OFFLINE,   /* its root or its volume is not there */
	MEMBER_UNREADABLE, /* it can't be looked at: its error says why */
	MEMBER_VIEW,      /* in a set: it may be the same file as a copy, shown by another volume */
	MEMBER_COUNT
};

/** The kind of a member that is no link, by its presence. */
enum member_kind member_kind_of(enum presence presence);

/** Why a file stays unknown whose only copies may be itself (query/alias_volumes). */
extern const char answer_view[];

/** The word for a kind ("copy", "link", "gone", ...). */
const char *member_kind_name(enum member_kind kind);
extern const char *const answer_kinds[MEMBER_COUNT];

/** Whether a member stays, where the query asks for a choice. */
enum member_choice {
	MEMBER_UNCHOSEN,  /* nothing: nobody asked, or it is not there */
	MEMBER_STAYS,
	MEMBER_GOES,
	MEMBER_CHOICES
};

/** The word for it ("stays", "goes"), NULL for nothing. */
const char *member_choice_name(enum member_choice choice);
extern const char *const answer_choices[MEMBER_CHOICES];

/** One name. */
struct member {
	const char *path;     /* absolute; bytes as on disk */
	enum member_kind kind;
	int64_t inode, nlink;
	struct fs_time mtime;
	enum mark_decision mark; /* the decision in effect */
	int error;               /* of MEMBER_UNREADABLE: an errno, else 0 */
	enum member_choice choice; /* of a set whose query asks who stays */
	const char *index;       /* of a name that only another index has: which; else NULL */
	int64_t seen;            /* then: when that index was scanned, seconds since 1970, or 0 */
	unsigned fleeting;       /* why it may go where others would not (index/fleeting), or 0 */
	bool backup;             /* it lies in a declared backup (index/backups) */
	const char *disk;        /* of MEMBER_OFFLINE: words for its disk (index/drawer), or NULL */
};

/** Who claims to have a file: one claim of a listing (index/claims). */
struct file_claim {
	const char *source;   /* the name of the listing */
	const char *kind;     /* its format */
	const char *digest;   /* the kind of equal digests; NULL: only size and name are equal */
	int64_t made;         /* seconds since 1970: the listing is of this time */
	const char *name;     /* there; bytes */
};

/** A file with the content of another one, but for its tags (index/payloads). */
struct file_tags {
	const char *path;     /* absolute; bytes as on disk */
	int64_t size;
	struct fs_time mtime;
};

/** A member of an archive: "ARCHIVE!/NAME". */
struct archive_place {
	const char *path;
};

/** The answer for one file.  All pointers are borrowed for the call that delivers it. */
struct file_answer {
	const char *path;      /* absolute; bytes as on disk */
	enum file_state state;
	const char *why;       /* a reason for people, or NULL */
	int64_t size;          /* bytes; -1 when unknown */
	int64_t allocated;     /* bytes on disk; -1 when unknown */
	struct fs_time mtime;
	int64_t inode, nlink;
	const uint8_t *hash;   /* HASH_SIZE bytes, or NULL */
	int64_t n_copies;      /* other inodes with its content; where links are copies, names */
	const struct member *members;  /* the other names of its content */
	size_t n_members;      /* 0 also when they were not asked for */
	enum mark_decision mark; /* the decision in effect */
	bool unread;           /* unknown for what a scan has yet to read, or to put in order */
	unsigned fleeting;     /* unique, with copies not to be relied on: why */
	bool unseen;           /* unknown, or linked, because of names that can't be looked at */
	int64_t n_inodes;      /* other inodes with its content, also where links are copies */
	bool offline;          /* unknown, or linked, because its copies or links are offline */
	const char *told_with; /* the file that was delivered with these members; or NULL */
	const struct file_claim *claims;  /* who else claims to have it */
	size_t n_claims;       /* 0 also where nobody asked */
	const struct file_tags *other_tags;  /* those that differ from it in tags alone */
	size_t n_other_tags;   /* 0 also where nobody asked */
	const char *disk;      /* if copies are offline: words for the disk of one, or NULL */
	const char *archive;   /* it is a member of this archive, no file; or NULL */
	const char *within;    /* ... in this member of it, an archive; or NULL */
	const struct archive_place *places;   /* members with its content, if they were asked for */
	size_t n_places;
};

/** The bytes that the other copies of a file take up: n_inodes times size.  At most INT64_MAX. */
int64_t file_redundant(const struct file_answer *a);

/** The answer for one set of duplicates. */
struct set_answer {
	int64_t size;            /* bytes of each copy */
	const uint8_t *hash;     /* HASH_SIZE bytes; NULL: links of one inode that was not read */
	int64_t n_copies;        /* inodes (names, if links are copies) that are there: 2 or more */
	/**
	 * Freed by removing all copies but one.  Inodes with names elsewhere free nothing, nor
	 * does what another index has.
	 */
	int64_t redundant;
	int64_t redundant_disk;  /* the same in allocated bytes; the largest copy stays */
	const struct member *members;  /* copies by path, each before its links; then the others */
	size_t n_members;
};

/** Totals below the sets of a report. */
struct set_totals {
	int64_t n_sets;
	int64_t n_files;   /* names of live members, links included */
	int64_t redundant, redundant_disk;
	int64_t n_stale;   /* members that are gone or changed */
	int64_t n_offline; /* members whose volume is not there */
	int64_t n_unreadable; /* members that can't be looked at */
	int error;         /* the errno of one of these */
	int64_t n_views;   /* members that may be the same files as copies */
	int64_t n_trash;   /* members in a trash */
	int64_t n_unproven; /* files that could not be read: they may be members */
	int64_t n_left_out; /* sets that the options leave out, if they leave out all */
	bool unfinished;   /* a scan has still to meet or read files */
};

/** Whether members were not counted: sums as of the last scan are more than what is there. */
bool set_totals_lack(const struct set_totals *t);
/** Append a line for each reason why. */
void set_totals_show_lacking(struct buf *b, const struct set_totals *t);

/** What a line of a listing of directories stands for. */
enum dir_kind {
	DIR_WHOLE,         /* a directory with all below it */
	DIR_FILES,         /* the files directly in a directory */
	DIR_REST           /* some directories that are not listed */
};

/** The answer for one directory, as indexed. */
struct dir_answer {
	enum dir_kind kind;
	const char *path;    /* absolute: of the directory; of DIR_REST the one that they are in */
	int64_t depth;       /* below the directory that was asked for: 1 and more */
	int64_t files;       /* names; of DIR_REST: directories */
	int64_t bytes, duplicated, redundant, marked;  /* as in struct usage_sum */
	int64_t grown, grown_files;  /* since a scan: bytes and names more, or less */
};

/** Directories, in order; the total is that of the directory that was asked for. */
struct dirs_answer {
	struct dir_answer total;
	const struct dir_answer *v;
	size_t n;
	bool tree;           /* nested, else the immediate subdirectories */
	bool marks;          /* marked bytes are shown; text: if there are some */
	bool paths;          /* lines say their paths; text has no total */
	bool grown;          /* text: by how much each has grown, and its size; bars show that */
	bool by_redundant;   /* bars show redundant bytes */
	bool cut;            /* text: names are cut in the middle where a line would be too long */
	const char *more;    /* text: what DIR_REST counts; or NULL */
};

/** How two directories that share content relate. */
enum similar_kind {
	SIMILAR_TWINS,       /* the same contents under the same relative paths */
	SIMILAR_SAME,        /* the same contents, under other paths */
	SIMILAR_CONTAINED,   /* all contents of one of them are in the other */
	SIMILAR_OVERLAP,     /* each has contents that the other has not */
	SIMILAR_KINDS
};

/** The words for kinds ("twins", ...). */
extern const char *const answer_similar_kinds[SIMILAR_KINDS];

/** One of two directories that share content.  Files without bytes are not counted. */
struct similar_answer_side {
	const char *path;    /* absolute; bytes as on disk */
	const char *index;   /* of another index: which; else NULL */
	int64_t files;       /* names in it that could be judged */
	int64_t bytes;       /* of their inodes, each once */
	int64_t shared_files, shared_bytes;  /* those of them whose content is in the other, too */
	int64_t unjudged;    /* what could not be judged in it */
	int64_t twins;       /* other directories with the same contents under the same paths */
	unsigned fleeting;   /* why it may go where the other would not (index/fleeting), or 0 */
	unsigned partly;     /* the same of directories in it */
};

/** A further twin of two directories. */
struct similar_twin {
	const char *path;    /* absolute */
	unsigned fleeting;   /* as of similar_answer_side */
};

/** Two directories that share content, and all twins of both where they are twins. */
struct similar_answer {
	enum similar_kind kind;
	int64_t contents, bytes;   /* that are in both, each content once */
	int64_t linked;      /* inodes with a name in both: removing one of these frees nothing */
	int64_t linked_bytes;
	struct similar_answer_side left, right;
	const struct similar_twin *twins;  /* SIMILAR_TWINS: others like these two */
	size_t n_twins;
};

/** A file or directory that was found by its name, as indexed. */
struct found_answer {
	const char *path;    /* absolute */
	bool is_dir;
	int64_t size;        /* of a file; of a directory -1 */
};

/** A file system of the index.  Pointers are borrowed for the call that delivers it. */
struct volume_answer {
	const char *label;     /* the name that people gave it, any bytes; NULL: none is known */
	const char *name, *place, *note; /* as people say (index/drawer), UTF-8; or NULL */
	int64_t volume;        /* the first in the index on that disk */
	const char *key;       /* its key */
	const char *type;      /* "ext4", "vfat" ... */
	bool online;           /* it is mounted, where we may look */
	const char *point;     /* its mount point, or when it was seen last; NULL: not known */
	const char *path;      /* the first directory that the index has on it; NULL: none */
	bool elsewhere;        /* it is online, but not where the index has it */
	bool memory;           /* it lies in memory: gone at the next boot */
	bool lost;             /* a file system in memory that is unmounted: it never comes back */
	bool timeless;         /* its files keep no time of change of their own */
	int64_t capacity, available; /* bytes, now or when it was seen last; -1: not known */
	int64_t seen;          /* seconds since 1970; -1: not known */
	int64_t files, bytes;  /* names; each inode once */
	/** What no other volume holds: names, and bytes of their contents, each content once. */
	int64_t only_files, only_bytes;
};

/** How a file of one tree relates to the other tree. */
enum pair_class {
	PAIR_DIFFERENT,  /* the same path, another content */
	PAIR_MOVED,      /* the same content, and none of it at this path */
	PAIR_LEFT,       /* only in the left tree: the path, and the content if there is any */
	PAIR_RIGHT,      /* only in the right one */
	PAIR_SAME,       /* the same path and content */
	PAIR_UNSURE,     /* something of it could not be judged */
	PAIR_CLASSES
};

/** The words for classes ("different", "moved", "only-left", ...). */
extern const char *const answer_pairs[PAIR_CLASSES];

/** One file of each of two trees, or one file that only one of them has. */
struct pair_answer {
	enum pair_class class;
	const char *left, *right;        /* absolute; NULL: no such file */
	size_t left_below, right_below;  /* where the path below the tree begins in these */
	int64_t left_size, right_size;   /* bytes; -1: no such file */
};

/** Files and their bytes. */
struct pairs_sum {
	int64_t n, bytes;
};

/** Add n files. */
void pairs_sum_add(struct pairs_sum *sum, int64_t n, int64_t bytes);

/** Totals of a comparison of two trees. */
struct pairs_totals {
	struct pairs_sum left[PAIR_CLASSES], right[PAIR_CLASSES];
	/** Files with a content that the other tree has nowhere. */
	struct pairs_sum left_missing, right_missing;
	int64_t left_empty, right_empty; /* empty files of PAIR_LEFT and PAIR_RIGHT */
	bool unread;                     /* some are PAIR_UNSURE because files are not read yet */
	int64_t trash;                   /* files in a trash: copies at their own path alone */
	int64_t fleeting;                /* files that the other tree has only where they may go, */
	unsigned fleeting_why;           /* and why: index/fleeting */
};

/** What became of a file, or of a directory with all below it, between two runs. */
enum change_class {
	CHANGE_NEW,      /* no file was at this path, and none elsewhere became it */
	CHANGE_CHANGED,  /* another content at its path, or one that is not proven the same */
	CHANGE_MOVED,    /* the same file or directory, or content, at another path */
	CHANGE_GONE,     /* no longer at its path, and at no other */
	CHANGE_LOST,     /* gone or changed, and no lasting copy of its old content remains */
	CHANGE_TOUCHED,  /* other times, owner or inode, and the same content, if it was read */
	CHANGE_CLASSES
};

/** The word for a class ("new", "changed", "lost", ...). */
const char *change_class_name(enum change_class class);
extern const char *const answer_changes[CHANGE_CLASSES];

/**
 * One change.  Pointers are borrowed for the call that delivers it.  Of CHANGE_TOUCHED maybe says
 * that the file was not read: only its size and mtime tell that its content is the same.
 */
struct change_answer {
	enum change_class class;
	bool dir;                        /* a directory */
	bool maybe;                      /* of CHANGE_LOST: files of its size were never read */
	const char *before, *after;      /* absolute; NULL: there was, or is, no such file */
	int64_t files;                   /* of a directory: in it, of this class; of a file 1 */
	int64_t size_before, size_after; /* bytes, of a directory those of its files; -1: none */
};

/** Totals of all changes. */
struct changes_totals {
	struct pairs_sum sums[CHANGE_CLASSES]; /* of CHANGE_LOST: each content's bytes once */
	struct pairs_sum maybe;          /* lost, perhaps */
	struct pairs_sum uncompared;     /* of those touched: maybe */
	int64_t left_out;                /* files that options of a scan have left out since */
};

/** One decision.  Pointers are borrowed for the call that delivers it. */
struct mark_answer {
	const char *path;      /* absolute; bytes as on disk */
	enum mark_decision decision;
	enum mark_state state;
	const char *why;       /* more about the state, for people, or NULL */
	int64_t size;          /* of the content that it was made for */
	const uint8_t *hash;   /* of that content, HASH_SIZE bytes, or NULL */
	int64_t made;          /* seconds since 1970 */
};

/** Totals of a listing of decisions. */
struct mark_totals {
	int64_t n_drop, n_keep;          /* in effect */
	int64_t n_stale, n_offline, n_last;
	int64_t frees, frees_disk;       /* bytes of the inodes that lose all names to drops */
	bool at_most;                    /* ... or less, on the disk */
};

#endif
