/* What Swift's Glibc module leaves out, or exports as macros it cannot read. */
#ifndef CALLBROKER_CLINUX_H
#define CALLBROKER_CLINUX_H

#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Since Linux 6.5; older headers lack the name, older kernels answer ENOPROTOOPT. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef P_PIDFD
#define P_PIDFD 3
#endif
/* These need _GNU_SOURCE, which a module cannot set: the kernel's own numbers. */
#define LINUX_CLONE_VM 0x00000100
#define LINUX_CLONE_PIDFD 0x00001000
#define LINUX_CLONE_VFORK 0x00004000
#define LINUX_CLONE_INTO_CGROUP 0x200000000
#ifndef SYS_clone3
#define SYS_clone3 435
#endif

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

int accept4(int, struct sockaddr *, socklen_t *, int);

struct dl_phdr_info;
int dl_iterate_phdr(int (*)(struct dl_phdr_info *, size_t, void *), void *);
/* How a dl_phdr_info begins: a program or a library, as it lies in memory. */
struct linux_object {
    uintptr_t base;
    const char *name;
    const Elf64_Phdr *parts;
    Elf64_Half part_count;
};

static inline int linux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int linux_stream_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int linux_tcp_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
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

/* Where a thread is: it writes that down itself, in a signal that nobody else uses (as the Go runtime
   does), while another one waits for it. */
enum { LINUX_STACK_MAX = 64 };

/* Lives for ever: a thread may answer late. */
struct linux_stack {
    void *frames[LINUX_STACK_MAX];
    int count;
    int is_written;
};

int pthread_sigqueue(pthread_t, int, const union sigval);

static inline void linux_write_stack(int signal, siginfo_t *info, void *context) {
    struct linux_stack *stack = (struct linux_stack *)info->si_value.sival_ptr;
    int kept = errno;
    (void)signal;
    (void)context;
    if (info->si_code != SI_QUEUE || info->si_pid != getpid()) return;
    stack->count = backtrace(stack->frames, LINUX_STACK_MAX);
    __atomic_store_n(&stack->is_written, 1, __ATOMIC_RELEASE);
    errno = kept;
}

/* The first call of backtrace loads a library, which a signal handler may not. */
static inline void linux_allow_stack_capture(void) {
    struct sigaction action = {0};
    void *frame;
    backtrace(&frame, 1);
    action.sa_sigaction = linux_write_stack;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(SIGURG, &action, NULL);
}

/* 0, or an error if there is no such thread. */
static inline int linux_ask_for_stack(pthread_t thread, struct linux_stack *stack) {
    union sigval value = {.sival_ptr = stack};
    __atomic_store_n(&stack->is_written, 0, __ATOMIC_RELEASE);
    return pthread_sigqueue(thread, SIGURG, value);
}

static inline int linux_has_stack(const struct linux_stack *stack) {
    return __atomic_load_n(&stack->is_written, __ATOMIC_ACQUIRE);
}

/* What becomes of a child between its birth and its program. All of it was made ready before: the
   child shares our memory until then, and may only make system calls. */
struct linux_child {
    const char *program;
    char *const *arguments;
    char *const *environment;
    const char *folder;
    /* Its descriptors from 0 on, each with a number above these here; all others are closed. */
    int descriptors[4];
    int descriptor_count;
    /* 0 for no limit of ours. */
    uint64_t memory_bytes;
    uint64_t files;
    /* The folder of the cgroup that it is born in, if that can be; -1 for ours. */
    int group;
    pid_t parent;
    /* Which step failed, and why; 0 if none did. */
    int failed_step;
    int failed_errno;
};

enum { LINUX_CHILD_GROUP = 1, LINUX_CHILD_DESCRIPTORS, LINUX_CHILD_FOLDER, LINUX_CHILD_LIMITS,
       LINUX_CHILD_PROGRAM };

/* clone by its other name: by the one of the manual, ThreadSanitizer takes it for a fork, and a child
   that shares our memory for one that has its own. */
int __clone(int (*)(void *), void *, int, void *, ...);
int pipe2(int[2], int);

/* _exit would be known to a sanitizer, which looks back over the memory that it takes for the child's. */
__attribute__((noreturn)) static inline void linux_child_exit(void) {
    for (;;) syscall(SYS_exit_group, 127);
}

static inline int linux_child_fails(struct linux_child *child, int step) {
    child->failed_errno = errno;
    child->failed_step = step;
    linux_child_exit();
}

static inline int linux_child_limit(int resource, uint64_t wanted) {
    struct rlimit limit;
    if (wanted == 0) return 0;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max) limit.rlim_max = wanted;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

/* We have raised our own soft limit as far as we may; programs that use select do not survive that. */
static inline int linux_child_usual_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max < 1024 ? limit.rlim_max : 1024;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

static inline int linux_child_run(void *context) {
    struct linux_child *child = (struct linux_child *)context;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int number = 1; number < 65; number++) sigaction(number, &usual, NULL);
    if (setpgid(0, 0) != 0) return linux_child_fails(child, LINUX_CHILD_GROUP);
    /* Nobody is left who would end it; and maybe its parent has gone already. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != child->parent) linux_child_exit();
    for (int number = 0; number < child->descriptor_count; number++) {
        if (dup2(child->descriptors[number], number) != number)
            return linux_child_fails(child, LINUX_CHILD_DESCRIPTORS);
    }
    if (syscall(SYS_close_range, child->descriptor_count, ~0u, 0) != 0)
        return linux_child_fails(child, LINUX_CHILD_DESCRIPTORS);
    if (chdir(child->folder) != 0) return linux_child_fails(child, LINUX_CHILD_FOLDER);
    if (linux_child_limit(RLIMIT_AS, child->memory_bytes) != 0
        || (child->files > 0 ? linux_child_limit(RLIMIT_NOFILE, child->files)
                             : linux_child_usual_files()) != 0)
        return linux_child_fails(child, LINUX_CHILD_LIMITS);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(child->program, child->arguments, child->environment);
    return linux_child_fails(child, LINUX_CHILD_PROGRAM);
}

/* struct clone_args, as far as it goes here: older headers lack it. */
struct linux_clone_args {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
        set_tid_size, cgroup;
};

/* clone3 is a system call without a function: a child with a stack of its own cannot return from one.
   Both registers of the call are free in the child, all others are as they were. */
static inline long linux_clone3(struct linux_clone_args *arguments, int (*run)(void *), void *context) {
    const uint64_t size = sizeof *arguments;
#if defined(__x86_64__)
    long result;
    register void *code __asm__("r12") = (void *)run;
    register void *about __asm__("r13") = context;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "mov %%r13, %%rdi\n\t"
                     "call *%%r12\n\t"
                     "ud2\n"
                     "1:"
                     : "=a"(result)
                     : "0"((long)SYS_clone3), "D"(arguments), "S"(size), "r"(code), "r"(about)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_clone3;
    register long result __asm__("x0") = (long)arguments;
    register uint64_t second __asm__("x1") = size;
    register void *code __asm__("x19") = (void *)run;
    register void *about __asm__("x20") = context;
    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x30, xzr\n\t"
                     "mov x0, x20\n\t"
                     "blr x19\n\t"
                     "brk #0\n"
                     "1:"
                     : "+r"(result)
                     : "r"(number), "r"(second), "r"(code), "r"(about)
                     : "memory", "cc");
#else
    (void)run, (void)context, (void)size;
    long result = -ENOSYS;
#endif
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
}

/* A child that is born in a cgroup: to move one later takes the kernel tens of milliseconds. */
static inline pid_t linux_clone_into_group(struct linux_child *child, char *stack, int stack_bytes,
                                           int *pidfd) {
    struct linux_clone_args arguments = {
        .flags = LINUX_CLONE_VM | LINUX_CLONE_VFORK | LINUX_CLONE_PIDFD | LINUX_CLONE_INTO_CGROUP,
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .exit_signal = SIGCHLD,
        .stack = (uint64_t)(uintptr_t)stack,
        .stack_size = (uint64_t)stack_bytes,
        .cgroup = (uint64_t)child->group,
    };
    return (pid_t)linux_clone3(&arguments, linux_child_run, child);
}

/* Makes a child that shares our memory until it runs its program, as vfork does, and a descriptor of
   it. Returns its pid when the program runs, or has failed to; then nothing is left of it. */
static inline pid_t linux_spawn(struct linux_child *child, int *pidfd) {
    enum { stack_bytes = 65536 };
    sigset_t all, former;
    char *stack = (char *)mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -1;
    child->parent = getpid();
    child->failed_step = 0;
    /* No handler of ours may run in the child. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t pid = -1;
    if (child->group >= 0) pid = linux_clone_into_group(child, stack, stack_bytes, pidfd);
    if (pid < 0)
        pid = __clone(linux_child_run, stack + stack_bytes,
                      LINUX_CLONE_VM | LINUX_CLONE_VFORK | LINUX_CLONE_PIDFD | SIGCHLD, child,
                      pidfd);
    int number = errno;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    munmap(stack, stack_bytes);
    if (pid > 0 && child->failed_step != 0) {
        /* It gives our memory back before it has ended; so its end may still come. */
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
        close(*pidfd);
    }
    errno = number;
    return pid;
}

/* How the process of a pidfd has ended; 0 if that is known now. It is forgotten by that. */
static inline int linux_reap(int pidfd, int *is_signal, int *status) {
    siginfo_t info;
    info.si_pid = 0;
    if (waitid((idtype_t)P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG) != 0) return -1;
    if (info.si_pid == 0) return -1;
    *is_signal = info.si_code != CLD_EXITED;
    *status = info.si_status;
    return 0;
}

/* Ends a child with its group, and forgets it. */
static inline void linux_abandon(pid_t pid) {
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

/* Whether it has ended; it is not forgotten by that, so its number stays its own. */
static inline int linux_has_ended(int pidfd) {
    siginfo_t info;
    info.si_pid = 0;
    return waitid((idtype_t)P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG | WNOWAIT) == 0
        && info.si_pid != 0;
}

/* Exchanges what two paths name, at once. */
static inline int linux_exchange(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2u /* RENAME_EXCHANGE */);
}

/* Renames unless something has the new name. */
static inline int linux_rename_new(const char *path, const char *name) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, 1u /* RENAME_NOREPLACE */);
}

static inline int linux_inotify(void) {
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

/* Text and constants: what nobody writes to is as it is in the file. */
static inline int linux_unmap_constants(struct dl_phdr_info *info, size_t size, void *context) {
    const struct linux_object *object = (const struct linux_object *)info;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->part_count; index++) {
        const Elf64_Phdr *part = &object->parts[index];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        uintptr_t start = (object->base + part->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->base + part->p_vaddr + part->p_memsz + page - 1) & ~(page - 1);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

/* What of the program and its libraries is used from now on is read again, mostly from the cache. */
static inline void linux_unmap_program(void) {
    dl_iterate_phdr(linux_unmap_constants, NULL);
}

/* Fixed thresholds: by themselves they grow with what is freed, and then nothing is given back. */
static inline void linux_give_back_large_buffers(void) {
    mallopt(M_MMAP_THRESHOLD, 32768);
    mallopt(M_TRIM_THRESHOLD, 524288);
    malloc_trim(0);
}

/* Reads the kernel's clock discipline and changes nothing; a filter that forbids it vouches for
   nothing. */
static inline _Bool linux_clock_is_synchronised(void) {
    struct timex state = {0};
    int verdict = adjtimex(&state);
    return verdict >= 0 && verdict != TIME_ERROR && !(state.status & STA_UNSYNC);
}

/* A part of a file that is mapped into memory. Somebody may cut the file short, and then a store
   behind its end raises SIGBUS. The handler puts memory of this process in the place of the mapping
   and records that; the store is repeated there, and the one who made it finds the record. (The X
   server and libwayland do the same.) One file of Swift uses all of this: the tables are its own. */
enum { LINUX_MAPS_MAX = 64 };

struct linux_map {
    uintptr_t start;
    size_t bytes;
    int is_lost;
};

static inline struct linux_map *linux_maps(void) {
    static struct linux_map maps[LINUX_MAPS_MAX];
    return maps;
}

static inline struct sigaction *linux_former_bus_action(void) {
    static struct sigaction former;
    return &former;
}

static inline void linux_catch_bus_error(int signal, siginfo_t *info, void *context) {
    uintptr_t place = (uintptr_t)info->si_addr;
    int kept = errno;
    (void)context;
    for (int index = 0; info->si_code > 0 && index < LINUX_MAPS_MAX; index++) {
        struct linux_map *map = &linux_maps()[index];
        uintptr_t start = __atomic_load_n(&map->start, __ATOMIC_ACQUIRE);
        if (start == 0 || place < start || place - start >= map->bytes) continue;
        void *memory = mmap((void *)start, map->bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (memory == MAP_FAILED) break;
        __atomic_store_n(&map->is_lost, 1, __ATOMIC_RELEASE);
        errno = kept;
        return;
    }
    /* It is not about such a file: it comes again, and has the effect that it had before. */
    sigaction(signal, linux_former_bus_action(), NULL);
    if (info->si_code <= 0) raise(signal);
    errno = kept;
}

static inline void linux_catch_bus_errors(void) {
    struct sigaction action = {0};
    action.sa_sigaction = linux_catch_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, linux_former_bus_action());
}

/* Whether blocks that were allocated stay those of the file: where each write takes new ones, as with
   btrfs, a full disk would be found out only later. */
static inline _Bool linux_keeps_blocks(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return 0;
    switch ((uint32_t)status.f_type) {
    case 0xEF53:     /* ext4 */
    case 0x58465342: /* XFS */
    case 0x01021994: /* tmpfs */
        return 1;
    default:
        return 0;
    }
}

int fallocate(int, int, off_t, off_t);

/* Allocates and maps a part of a file; the number of the map, or -1. */
static inline int linux_map_file(int file, off_t start, size_t bytes) {
    if (!linux_keeps_blocks(file) || fallocate(file, 0, start, (off_t)bytes) != 0) return -1;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, start);
    if (memory == MAP_FAILED) return -1;
    for (int index = 0; index < LINUX_MAPS_MAX; index++) {
        struct linux_map *map = &linux_maps()[index];
        size_t nothing = 0;
        if (!__atomic_compare_exchange_n(&map->bytes, &nothing, bytes, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED)) continue;
        map->is_lost = 0;
        __atomic_store_n(&map->start, (uintptr_t)memory, __ATOMIC_RELEASE);
        return index;
    }
    munmap(memory, bytes);
    return -1;
}

static inline void linux_unmap_file(int index) {
    struct linux_map *map = &linux_maps()[index];
    munmap((void *)map->start, map->bytes);
    __atomic_store_n(&map->start, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&map->bytes, 0, __ATOMIC_RELEASE);
}

/* Stores both parts, the first one last, and in one instruction if it has eight bytes: whoever is
   killed meanwhile leaves nothing in its place. False if the file does not have them. */
static inline _Bool linux_store_in_map(int index, size_t place, const void *first, size_t first_bytes,
                                       const void *rest, size_t rest_bytes) {
    struct word { uint64_t value; } __attribute__((packed));
    struct linux_map *map = &linux_maps()[index];
    char *at = (char *)map->start + place;
    memcpy(at + first_bytes, rest, rest_bytes);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (first_bytes == sizeof(struct word)) {
        ((volatile struct word *)at)->value = ((const struct word *)first)->value;
    } else {
        memcpy(at, first, first_bytes);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return !__atomic_load_n(&map->is_lost, __ATOMIC_ACQUIRE);
}

#endif
