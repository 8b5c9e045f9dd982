/* What Swift's Glibc module leaves out, or exports as macros it cannot read. */
#ifndef CALLBROKER_CLINUX_H
#define CALLBROKER_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* Since Linux 6.5; older headers lack the name, older kernels answer ENOPROTOOPT. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

int accept4(int, struct sockaddr *, socklen_t *, int);

static inline int linux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int linux_stream_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int linux_stream_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends);
}

static inline int linux_datagram_socket(void) {
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* struct ucred needs _GNU_SOURCE, which a module cannot set: the same three words. */
struct linux_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

static inline int linux_peer_credentials(int socket, struct linux_credentials *out) {
    socklen_t size = sizeof *out;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, out, &size);
}

static inline int linux_peer_pidfd(int socket) {
    int descriptor = -1;
    socklen_t size = sizeof descriptor;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) != 0) return -1;
    return descriptor;
}

static inline int linux_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0u);
}

static inline int linux_eventfd(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static inline int linux_signalfd(const sigset_t *set) {
    return signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC);
}

#endif
