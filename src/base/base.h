/* SPDX-License-Identifier: MIT */
/* base - the first include of every file: standard C, the configuration, and the room base. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <config.h>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/err.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "base/bits.h"
#include "base/order.h"
#include "base/num.h"
#include "base/base64.h"
#include "base/name.h"
#include "base/prog.h"
#include "base/path.h"
#include "base/backup_name.h"
#include "base/pathset.h"
#include "base/table.h"
#include "base/glob.h"

#endif
