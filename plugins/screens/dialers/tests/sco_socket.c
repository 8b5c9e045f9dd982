/* For hosts whose kernel has no Bluetooth: the sound of a headset (SCO) over Unix sockets. To be
 * preloaded; a connection to a Bluetooth device goes to the socket SCO_OF_HEADSET instead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

typedef int (*address_call)(int, const struct sockaddr *, socklen_t);

int socket(int domain, int type, int protocol)
{
	int (*real)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");

	if (domain == AF_BLUETOOTH && (type & SOCK_SEQPACKET) == SOCK_SEQPACKET)
		return real(AF_UNIX, type, 0);
	return real(domain, type, protocol);
}

int bind(int socket, const struct sockaddr *address, socklen_t size)
{
	address_call real = (address_call)dlsym(RTLD_NEXT, "bind");
	const struct sockaddr any = {.sa_family = AF_UNIX};

	if (address->sa_family == AF_BLUETOOTH)
		return real(socket, &any, sizeof any.sa_family);
	return real(socket, address, size);
}

int connect(int socket, const struct sockaddr *address, socklen_t size)
{
	address_call real = (address_call)dlsym(RTLD_NEXT, "connect");
	const char *path = getenv("SCO_OF_HEADSET");
	struct sockaddr_un headset = {.sun_family = AF_UNIX};

	if (address->sa_family != AF_BLUETOOTH)
		return real(socket, address, size);
	if (!path || strlen(path) >= sizeof headset.sun_path) {
		errno = EHOSTDOWN;
		return -1;
	}
	strcpy(headset.sun_path, path);
	return real(socket, (const struct sockaddr *)&headset, sizeof headset);
}
