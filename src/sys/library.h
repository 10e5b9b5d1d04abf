/* SPDX-License-Identifier: MIT */
/* library - a shared library that few commands need is loaded when one does. */
#ifndef SYS_LIBRARY_H
#define SYS_LIBRARY_H

/** A function of a library, and the pointer by which it is called. */
struct library_function {
	const char *name;
	void *pointer;         /* to the pointer */
	size_t pointer_size;
	void (*linked)(void);  /* the function, where the linker has it */
};

/**
 * A row for a function that is loaded, and for one that is linked.  The compiler checks that the
 * pointer has its type.
 */
#define LIBRARY_LOADED(to, function) { #function, &(to), sizeof((to) = (function)), NULL }
#define LIBRARY_LINKED(to, function) { #function, &(to), sizeof((to) = (function)), (void (*)(void))(function) }

/**
 * Set the pointers of n functions; the library stays loaded.  file is its name as the dynamic
 * linker knows it, NULL where the functions are linked.  Not from two threads at once.
 * Returns 0, or -1 with *err: ERR_SYS.
 */
int library_load(const char *file, const struct library_function *functions, size_t n, struct err *err);

#endif
