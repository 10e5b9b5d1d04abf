/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/host.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* Whether a numeric address is one of this machine. */
static bool
host_has_address(const char *address)
{
	struct ifaddrs *all = NULL;
	char text[INET6_ADDRSTRLEN];
	bool is = false;

	if (getifaddrs(&all) < 0)
		return false;
	for (const struct ifaddrs *a = all; a != NULL && !is; a = a->ifa_next) {
		const void *number = a->ifa_addr == NULL ? NULL :
		                     a->ifa_addr->sa_family == AF_INET ? (const void *)&((const struct sockaddr_in *)(const void *)a->ifa_addr)->sin_addr :
		                     a->ifa_addr->sa_family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)(const void *)a->ifa_addr)->sin6_addr :
		                                                          NULL;

		is = number != NULL && inet_ntop(a->ifa_addr->sa_family, number, text, sizeof(text)) != NULL && strcmp(text, address) == 0;
	}
	freeifaddrs(all);
	return is;
}

bool
host_is_own(const char *host, size_t len)
{
	char name[256], own[256] = "";

	if (len == 0 || len >= sizeof(name))
		return true;
	memcpy(name, host, len);
	name[len] = '\0';
	if (gethostname(own, sizeof(own) - 1) < 0)
		return true;
	if (strcasecmp(name, own) == 0 || strncmp(name, "127.", 4) == 0 || strcmp(name, "::1") == 0 || strncasecmp(name, "localhost", 9) == 0)
		return true;
	own[strcspn(own, ".")] = '\0';
	name[strcspn(name, ".")] = '\0';
	if (own[0] != '\0' && strcasecmp(name, own) == 0)
		return true;
	memcpy(name, host, len);
	return host_has_address(name);
}
