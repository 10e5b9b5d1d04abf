/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/library.h"

#include <dlfcn.h>

int
library_load(const char *file, const struct library_function *functions, size_t n, struct err *err)
{
	void *library = NULL;

	if (file != NULL && (library = dlopen(file, RTLD_NOW | RTLD_LOCAL)) == NULL)
		return err_set(err, ERR_SYS, "%s", dlerror());
	for (size_t i = 0; i < n; i++) {
		const struct library_function *f = &functions[i];

		/* POSIX has dlsym return functions as void *. */
		if (library != NULL) {
			void *address = dlsym(library, f->name);

			if (address == NULL)
				return err_set(err, ERR_SYS, "%s has no %s", file, f->name);
			assert(f->pointer_size == sizeof(address));
			memcpy(f->pointer, &address, f->pointer_size);
		} else {
			memcpy(f->pointer, &f->linked, f->pointer_size);
		}
	}
	return 0;
}
