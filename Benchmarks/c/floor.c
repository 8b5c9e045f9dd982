/* The floor: the least a single-threaded broker on a Unix stream socket can do.
 *
 *   floor SOCKET
 *
 * It returns every complete line to the connection it came from and never looks
 * inside.  One thread, one epoll loop, one read per readable connection and one
 * write per connection and turn.  Whatever a broker costs beyond this is its own
 * doing: parsing, checking, answering.
 *
 * A connection whose first line is "floor ROLE" and some numbers takes part in a
 * relay (relay.c): what a controller sends goes to a provider, what that answers
 * goes back, and every observer gets events.  The numbers are the lengths that
 * lines get on their way; the relay does not look inside either.
 *
 * Buffers live only while they hold something, so that an idle connection costs
 * its descriptor and one small struct.
 */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { EVENTS_PER_TURN = 256, READ_SIZE = 1 << 18, BACKLOG = 4096 };

static int loop;                    /* the epoll descriptor */
static int listener;
static struct connection *dirty;    /* everyone with output, in the order they got it */
static struct connection **dirty_end = &dirty;
static char scratch[READ_SIZE];

void die(const char *what) {
    perror(what);
    exit(1);
}

/* ---- buffers */

static void append(struct buffer *b, const char *bytes, size_t n) {
    if (b->length + n > b->capacity) {
        b->capacity = (b->length + n) * 2;
        if (!(b->bytes = realloc(b->bytes, b->capacity))) die("realloc");
    }
    memcpy(b->bytes + b->length, bytes, n);
    b->length += n;
}

static void discard(struct buffer *b) {
    free(b->bytes);
    *b = (struct buffer){ 0 };
}

static void drop_front(struct buffer *b, size_t n) {
    b->length -= n;
    if (!b->length) { discard(b); return; }
    memmove(b->bytes, b->bytes + n, b->length);
}

/* ---- output */

void queue(struct connection *c, const char *bytes, size_t n) {
    append(&c->output, bytes, n);
    if (c->dirty) return;
    c->dirty = true;
    c->next_dirty = NULL;
    *dirty_end = c;
    dirty_end = &c->next_dirty;
}

static void watch_writable(struct connection *c, bool on) {
    if (c->blocked == on) return;
    c->blocked = on;
    struct epoll_event e = { .events = EPOLLIN | (on ? EPOLLOUT : 0), .data.ptr = c };
    if (epoll_ctl(loop, EPOLL_CTL_MOD, c->fd, &e)) die("epoll_ctl");
}

/* One write.  An error other than "full" is left for the next read to notice. */
static void flush(struct connection *c) {
    if (!c->output.length) return;
    ssize_t n = send(c->fd, c->output.bytes, c->output.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) n = (ssize_t)c->output.length;
    if (n > 0) drop_front(&c->output, (size_t)n);
    watch_writable(c, c->output.length > 0);
}

static void flush_dirty(void) {
    while (dirty) {
        struct connection *c = dirty;
        dirty = c->next_dirty;
        c->dirty = false;
        flush(c);
    }
    dirty_end = &dirty;
}

/* ---- input */

static void forget_dirty(struct connection *c) {
    struct connection **p = &dirty;
    while (*p && *p != c) p = &(*p)->next_dirty;
    if (*p) *p = c->next_dirty;
    for (dirty_end = &dirty; *dirty_end;) dirty_end = &(*dirty_end)->next_dirty;
}

static void close_connection(struct connection *c) {
    if (c->dirty) forget_dirty(c);
    if (c->role != ROLE_NONE) relay_leave(c);
    close(c->fd);
    discard(&c->partial);
    discard(&c->output);
    free(c);
}

/* What a line gets here: itself, back, unless it goes on to somebody else. */
static void line_arrived(struct connection *c, const char *line, size_t n) {
    if (c->role == ROLE_NONE && line[0] == 'f') relay_join(c, line);
    else if (c->role == ROLE_CONTROLLER) { relay_request(c, line, n); return; }
    else if (c->role == ROLE_PROVIDER) { relay_answer(c, line, n); return; }
    queue(c, line, n);
}

/* Finishes a line begun by an earlier read; returns how many bytes it took. */
static size_t finish_partial(struct connection *c, const char *bytes, size_t n) {
    const char *newline = memchr(bytes, '\n', n);
    size_t taken = newline ? (size_t)(newline + 1 - bytes) : n;
    append(&c->partial, bytes, taken);
    if (newline) {
        line_arrived(c, c->partial.bytes, c->partial.length);
        discard(&c->partial);
    }
    return taken;
}

static void bytes_arrived(struct connection *c, const char *p, size_t n) {
    const char *end = p + n, *newline;
    if (c->partial.length) p += finish_partial(c, p, n);
    while (p < end && (newline = memchr(p, '\n', (size_t)(end - p)))) {
        line_arrived(c, p, (size_t)(newline + 1 - p));
        p = newline + 1;
    }
    if (p < end) append(&c->partial, p, (size_t)(end - p));
}

static void readable(struct connection *c) {
    ssize_t n = recv(c->fd, scratch, sizeof scratch, MSG_DONTWAIT);
    if (n > 0) bytes_arrived(c, scratch, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) close_connection(c);
}

/* ---- the loop */

static void watch(int fd, void *tag) {
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = tag };
    if (epoll_ctl(loop, EPOLL_CTL_ADD, fd, &e)) die("epoll_ctl");
}

static void accept_all(void) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct connection *c = calloc(1, sizeof *c);
        if (!c) die("calloc");
        c->fd = fd;
        watch(fd, c);
    }
}

static void dispatch(const struct epoll_event *e) {
    struct connection *c = e->data.ptr;
    if (!c) { accept_all(); return; }
    if (e->events & EPOLLOUT) flush(c);
    if (e->events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readable(c);
}

static void turn(void) {
    static struct epoll_event events[EVENTS_PER_TURN];
    int n = epoll_wait(loop, events, EVENTS_PER_TURN, -1);
    if (n < 0 && errno != EINTR) die("epoll_wait");
    for (int i = 0; i < n; i++) dispatch(&events[i]);
    flush_dirty();
}

/* ---- start */

static int listen_on(const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) { errno = ENAMETOOLONG; die(path); }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) die("socket");
    if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, BACKLOG)) die(path);
    return fd;
}

static void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) die("getrlimit");
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Without fixed thresholds the allocator moves its own with what it has seen, and two
 * processes that do the same differ in CPU by a factor of two.
 */
static void fix_allocator(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 26);
}

int main(int argc, char **argv) {
    if (argc != 2) { fprintf(stderr, "usage: floor SOCKET\n"); return 2; }
    fix_allocator();
    raise_descriptor_limit();
    if ((loop = epoll_create1(EPOLL_CLOEXEC)) < 0) die("epoll_create1");
    listener = listen_on(argv[1]);
    watch(listener, NULL);
    fprintf(stderr, "listening on %s\n", argv[1]);
    for (;;) turn();
}
