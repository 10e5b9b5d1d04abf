/* SPDX-License-Identifier: MIT */
/* vec - typed growable arrays: struct { T *v; size_t n, cap; } by VEC(T), embedded and zeroed. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"

/** Declare an anonymous vector type of T. */
#define VEC(T) struct { T *v; size_t n, cap; }

/** Append an uninitialised element and evaluate to its address, valid until the next append. */
#define vec_add(p) \
	((p)->n < (p)->cap ? &(p)->v[(p)->n++] : \
	 ((p)->cap = (p)->cap ? (p)->cap * 2 : 16, \
	  (p)->v = mem_resize((p)->v, (p)->cap, sizeof(*(p)->v)), \
	  &(p)->v[(p)->n++]))

/** Append a value. */
#define vec_push(p, x) ((void)(*vec_add(p) = (x)))

/** Free the memory; the vector may be used again. */
#define vec_release(p) (free((p)->v), (p)->v = NULL, (p)->n = (p)->cap = 0)

#endif
