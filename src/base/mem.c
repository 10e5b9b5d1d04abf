/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#if defined(HAVE_MALLOC_TRIM) || defined(HAVE_MALLOPT)
#include <malloc.h>
#endif
#include <unistd.h>

/* Bytes of a block that has pages of its own, and of free memory that is kept. */
#define MEM_LARGE (1024 * 1024)

static void (*mem_death)(void);

void
mem_on_death(void (*fn)(void))
{
	mem_death = fn;
}

/* _exit, because any thread may call this: exit() would run handlers while others work. */
static _Noreturn void
mem_die(size_t n, size_t size)
{
	if (mem_death != NULL)
		mem_death();
	if (size == 1)
		fprintf(stderr, "twindex: out of memory for %zu bytes\n", n);
	else
		fprintf(stderr, "twindex: out of memory for %zu times %zu bytes\n", n, size);
	_exit(MEM_EXIT_STATUS);
}

void
mem_out(void)
{
	if (mem_death != NULL)
		mem_death();
	fprintf(stderr, "twindex: out of memory\n");
	_exit(MEM_EXIT_STATUS);
}

/* malloc(0) and realloc(p, 0) may return NULL, which would look like a failure. */
static size_t
mem_at_least_1(size_t size)
{
	return size ? size : 1;
}

void *
mem_alloc(size_t size)
{
	void *p = malloc(mem_at_least_1(size));

	if (!p)
		mem_die(size, 1);
	return p;
}

void *
mem_zalloc(size_t n, size_t size)
{
	void *p = calloc(mem_at_least_1(n), mem_at_least_1(size));

	if (!p)
		mem_die(n, size);
	return p;
}

void *
mem_resize(void *old, size_t n, size_t size)
{
	void *p;

	if (size && n > SIZE_MAX / size)
		mem_die(n, size);
	p = realloc(old, mem_at_least_1(n * size));
	if (!p)
		mem_die(n, size);
	return p;
}

char *
mem_dup(const void *data, size_t len)
{
	char *p;

	if (len == SIZE_MAX)
		mem_die(len, 1);
	p = mem_alloc(len + 1);
	if (len)
		memcpy(p, data, len);
	p[len] = '\0';
	return p;
}

char *
mem_str(const char *s)
{
	return mem_dup(s, strlen(s));
}

const char *
mem_last(const char *data, char c, size_t len)
{
	while (len > 0 && data[len - 1] != c)
		len--;
	return len > 0 ? data + len - 1 : NULL;
}

void
mem_begin(void)
{
#if defined(HAVE_MALLOPT) && defined(M_MMAP_THRESHOLD)
	mallopt(M_MMAP_THRESHOLD, MEM_LARGE);
	mallopt(M_TRIM_THRESHOLD, MEM_LARGE);
#endif
}

void
mem_trim(void)
{
#ifdef HAVE_MALLOC_TRIM
	malloc_trim(0);
#endif
}
