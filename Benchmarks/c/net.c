#define _GNU_SOURCE
#include "net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_READ = 4096, BACKLOG_WAIT_US = 500 };

void fail(const char *what) {
    fprintf(stderr, "load: %s\n", what);
    exit(1);
}

void fail_errno(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- dialling */

static void set_timeouts(int fd) {
    struct timeval t = { .tv_sec = ANSWER_TIMEOUT_S };
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t)) fail_errno("SO_RCVTIMEO");
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t)) fail_errno("SO_SNDTIMEO");
}

/* EAGAIN: the listener's backlog is full, and stayed so as long as the socket's
 * own time-out lets connect() wait. */
static void connect_patiently(int fd, const struct sockaddr_un *address) {
    time_t deadline = time(NULL) + ANSWER_TIMEOUT_S;
    while (connect(fd, (const struct sockaddr *)address, sizeof *address)) {
        if ((errno != EAGAIN && errno != EINTR) || time(NULL) >= deadline) fail_errno(address->sun_path);
        usleep(BACKLOG_WAIT_US);
    }
}

void conn_dial(struct conn *c, const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) fail("the socket's path is too long");
    strcpy(address.sun_path, path);
    *c = (struct conn){ .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    if (c->fd < 0) fail_errno("socket");
    set_timeouts(c->fd);
    connect_patiently(c->fd, &address);
}

void conn_watch(struct conn *c, int epoll) {
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &e)) fail_errno("epoll_ctl");
}

/* ---- reading */

static void make_room(char **bytes, size_t *capacity, size_t wanted) {
    if (*capacity >= wanted) return;
    *capacity = wanted > *capacity * 2 ? wanted : *capacity * 2;
    if (!(*bytes = realloc(*bytes, *capacity))) fail_errno("realloc");
}

void conn_read(struct conn *c) {
    make_room(&c->in, &c->in_capacity, c->in_length + FIRST_READ);
    ssize_t n;
    do n = recv(c->fd, c->in + c->in_length, c->in_capacity - c->in_length, 0);
    while (n < 0 && errno == EINTR);
    if (n == 0) fail("the broker closed the connection");
    if (n < 0 && errno == EAGAIN) fail("no answer in time");
    if (n < 0) fail_errno("recv");
    c->in_length += (size_t)n;
    if (c->in_length == c->in_capacity)                  /* more was waiting: read more at once */
        make_room(&c->in, &c->in_capacity, c->in_capacity * 2);
}

void conn_consume(struct conn *c, size_t n) {
    c->in_length -= n;
    if (c->in_length && n) memmove(c->in, c->in + n, c->in_length);
}

/* ---- writing */

char *conn_reserve(struct conn *c, size_t n) {
    make_room(&c->out, &c->out_capacity, c->out_length + n);
    return c->out + c->out_length;
}

void conn_queue(struct conn *c, const void *bytes, size_t n) {
    memcpy(conn_reserve(c, n), bytes, n);
    c->out_length += n;
}

void conn_flush(struct conn *c) {
    for (size_t sent = 0; sent < c->out_length;) {
        ssize_t n = send(c->fd, c->out + sent, c->out_length - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail_errno("send");
        sent += (size_t)n;
    }
    c->out_length = 0;
}

void conn_trim(struct conn *c) {
    free(c->out);
    c->out = NULL;
    c->out_length = c->out_capacity = 0;
    if (c->in_length) return;
    free(c->in);
    c->in = NULL;
    c->in_capacity = 0;
}

void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) fail_errno("getrlimit");
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit)) fail_errno("setrlimit");
}
