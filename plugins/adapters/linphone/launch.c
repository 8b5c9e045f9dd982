#define _GNU_SOURCE
#include "launch.h"

#include "legs.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char configuration[] =
    "[sip]\n"
    "sip_port=%d\n"
    "sip_tcp_port=0\n"
    "sip_tls_port=0\n"
    "bind_address=%s\n"
    "use_ipv6=0\n"
    "guess_hostname=0\n"
    "contact=\"%s\" <sip:%s@%s:%d>\n"
    "inc_timeout=600\n" /* how long it rings is for the broker to say */
    "max_calls=%d\n"
    "[rtp]\n"
    "bind_address=%s\n"
    "audio_rtp_port=%s\n"
    "nortp_timeout=3600\n" /* a held call may be silent */
    "[audio_codec_0]\n"
    "mime=PCMU\n"
    "rate=8000\n"
    "channels=1\n"
    "enabled=1\n"
    "[audio_codec_1]\n"
    "mime=PCMA\n"
    "rate=8000\n"
    "channels=1\n"
    "enabled=1\n"
    "[video]\n"
    "enabled=0\n"
    "capture=0\n"
    "display=0\n"
    "automatically_initiate=0\n"
    "automatically_accept=0\n";

/* host and port of "127.0.0.1:5060". */
static bool read_endpoint(const char *text, char host[64], int *port)
{
    struct in_addr address;
    return sscanf(text, "%63[^:]:%d", host, port) == 2 && *port > 0 && *port < 65536 &&
           inet_pton(AF_INET, host, &address) == 1;
}

static bool make_folders(const char *folder)
{
    static const char *const below[] = {"", "/run", "/home", "/home/.local", "/home/.local/share",
                                        "/home/.local/share/linphone"}; /* or it has no port */
    char path[sizeof ((struct options *)0)->folder + 64];
    make_parents(folder); /* a fresh account has none of them */
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(path, sizeof path, "%s%s", folder, below[i]);
        if (mkdir(path, 0700) < 0 && errno != EEXIST) {
            fprintf(stderr, "linphone_provider: %s: %s; choose another --folder\n", path,
                    strerror(errno));
            return false;
        }
    }
    return true;
}

static bool write_configuration(const struct options *options)
{
    char host[64], path[sizeof options->folder + 64];
    int port;
    if (!read_endpoint(options->address, host, &port)) {
        fprintf(stderr, "linphone_provider: --address: expected an IPv4 address and a port such as "
                        "127.0.0.1:5060\n");
        return false;
    }
    snprintf(path, sizeof path, "%s/linphonerc", options->folder);
    FILE *file = fopen(path, "we");
    bool is_written = file && fprintf(file, configuration, port, host, options->display_name,
                                      options->user, host, port, options->calls, host,
                                      options->rtp) > 0;
    if (file && fclose(file) != 0)
        is_written = false;
    if (!is_written)
        fprintf(stderr, "linphone_provider: %s: %s\n", path, strerror(errno));
    return is_written;
}

static void become(const struct options *options)
{
    char home[sizeof options->folder + 64], run[sizeof home], file[sizeof home], log[sizeof home];
    snprintf(home, sizeof home, "%s/home", options->folder);
    snprintf(run, sizeof run, "%s/run", options->folder);
    snprintf(file, sizeof file, "%s/linphonerc", options->folder);
    snprintf(log, sizeof log, "%s/log", options->folder);
    setenv("HOME", home, 1);
    setenv("XDG_RUNTIME_DIR", run, 1);
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CONFIG_HOME");
    signal(SIGCHLD, SIG_DFL); /* what is ignored here would be there as well */
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        dup2(nothing, descriptor);
    /* Its log has whole messages, and with them who calls; and it grows for ever. */
    execlp("linphone-daemon", "linphone-daemon", "--config", file, "--pipe", options->pipe,
           "--disable-stats-events", options->verbose ? "--log" : (char *)NULL, log, (char *)NULL);
}

pid_t launch(const struct options *options)
{
    int failure[2], error = 0;
    if (!make_folders(options->folder) || !write_configuration(options) ||
        pipe2(failure, O_CLOEXEC) < 0)
        return -1;
    pid_t process = fork();
    if (process == 0) {
        setsid();
        become(options);
        error = errno;
        if (write(failure[1], &error, sizeof error) < 0)
            _exit(1);
        _exit(127);
    }
    close(failure[1]);
    if (process > 0 && read(failure[0], &error, sizeof error) > 0) {
        fprintf(stderr, "linphone_provider: linphone-daemon: %s; it is in the package "
                        "linphone-cli\n", strerror(error));
        process = -1;
    }
    close(failure[0]);
    return process;
}

bool was_launched(const struct options *options, pid_t process)
{
    /* Each argument ends with a zero, so that the file's name is found only as a whole one. */
    char path[64], given[16384], wanted[sizeof options->folder + 64];
    int length = snprintf(wanted, sizeof wanted, "--config%c%s/linphonerc", 0, options->folder);
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)process);
    FILE *file = fopen(path, "re");
    size_t count = file ? fread(given, 1, sizeof given, file) : 0;
    if (file)
        fclose(file);
    return memmem(given, count, wanted, (size_t)length + 1) != NULL;
}

static bool has_socket(pid_t process, unsigned long inode)
{
    char path[64], target[64], wanted[64];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && !is_found && (entry = readdir(folder));) {
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = '\0';
        is_found = strcmp(target, wanted) == 0;
    }
    if (folder)
        closedir(folder);
    return is_found;
}

bool has_port(const struct options *options, pid_t process)
{
    char host[64], wanted[32], local[32], line[256];
    int port;
    unsigned long inode;
    bool is_found = false;
    struct in_addr address;
    if (!read_endpoint(options->address, host, &port) || inet_pton(AF_INET, host, &address) != 1)
        return false;
    snprintf(wanted, sizeof wanted, "%08X:%04X", (unsigned)address.s_addr, (unsigned)port);
    FILE *sockets = fopen("/proc/net/udp", "re");
    while (sockets && !is_found && fgets(line, sizeof line, sockets))
        is_found = sscanf(line, " %*s %31s %*s %*s %*s %*s %*s %*s %*s %lu", local, &inode) == 2 &&
                   strcmp(local, wanted) == 0 && has_socket(process, inode);
    if (sockets)
        fclose(sockets);
    return is_found;
}
