#define _GNU_SOURCE
#include "launch.h"

#include "app_log.h"
#include "legs.h"
#include "ports.h"

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
    "sip_tcp_port=%d\n"
    "sip_tls_port=%d\n"
    "bind_address=%s\n"
    "use_ipv6=0\n"
    "ipv6_migration_done=1\n" /* or the line before is forgotten */
    "guess_hostname=0\n"
    "%s"
    "inc_timeout=600\n" /* how long it rings is for the broker to say */
    "max_calls=%d\n"
    "[rtp]\n"
    "%s%s\n" /* that of all networks would be in the descriptions of calls */
    "audio_rtp_port=%d-%d\n"
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

static struct ports ports; /* of the one that was launched */

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

/* With an account the address in its messages follows from that, and beyond loopback from the
 * network. */
static void write_contact(const struct options *options, char contact[512])
{
    *contact = '\0';
    if (!options->account.address && strcmp(ports.host, "0.0.0.0") != 0)
        snprintf(contact, 512, "contact=\"%s\" <sip:%s@%s:%d>\n", options->display_name,
                 options->user, ports.host, ports.sip);
}

/* For the user alone: there is the password in it. */
static bool write_private(const char *path, const char *text)
{
    unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0 && close(file) != 0)
        is_written = false;
    if (!is_written)
        fprintf(stderr, "linphone_provider: %s: %s\n", path, strerror(errno));
    return is_written;
}

static bool claim_ports(const struct options *options)
{
    if (!choose_ports(options->address, options->rtp, &ports)) {
        fprintf(stderr, "linphone_provider: --address: expected an IPv4 address such as 127.0.0.1 or "
                        "127.0.0.1:5060; --rtp: at least ten ports such as 7078-7177\n");
        return false;
    }
    if (!are_claimed(&ports))
        fprintf(stderr, "linphone_provider: linphone-daemon cannot open %s; is the port in use? Choose "
                        "another --address\n", launched_at());
    return are_claimed(&ports);
}

static bool write_configuration(const struct options *options)
{
    char contact[512], path[sizeof options->folder + 64], text[8192];
    const struct account *account = &options->account;
    bool is_everywhere = strcmp(ports.host, "0.0.0.0") == 0;
    write_contact(options, contact);
    int length = snprintf(text, sizeof text, configuration, ports.sip,
                          goes_over(account, "tcp") ? -1 : 0, goes_over(account, "tls") ? -1 : 0,
                          ports.host, contact, options->calls, is_everywhere ? "" : "bind_address=",
                          is_everywhere ? "" : ports.host, ports.first, ports.last);
    snprintf(path, sizeof path, "%s/linphonerc", options->folder);
    return length > 0 && (size_t)length < sizeof text &&
           append_account(account, text, sizeof text) && write_private(path, text);
}

/* A log has whole messages, and with them who calls. So it is in memory, unless the user wants a file. False:
 * there is none. */
static bool choose_log(const struct options *options, char *log, size_t size)
{
    if (options->verbose)
        snprintf(log, size, "%s/log", options->folder);
    return options->verbose || create_log(log, size);
}

static void become(const struct options *options)
{
    char home[sizeof options->folder + 64], run[sizeof home], file[sizeof home], log[sizeof home];
    bool has_log = choose_log(options, log, sizeof log);
    snprintf(home, sizeof home, "%s/home", options->folder);
    snprintf(run, sizeof run, "%s/run", options->folder);
    snprintf(file, sizeof file, "%s/linphonerc", options->folder);
    setenv("HOME", home, 1);
    setenv("XDG_RUNTIME_DIR", run, 1);
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CONFIG_HOME");
    umask(077);
    signal(SIGCHLD, SIG_DFL); /* what is ignored here would be there as well */
    pass_claims(&ports);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        dup2(nothing, descriptor);
    execlp("linphone-daemon", "linphone-daemon", "--config", file, "--pipe", options->pipe,
           "--disable-stats-events", has_log ? "--log" : (char *)NULL, log, (char *)NULL);
}

pid_t launch(const struct options *options)
{
    int failure[2], error = 0;
    if (!make_folders(options->folder) || !claim_ports(options))
        return -1;
    bool is_ready = write_configuration(options) && pipe2(failure, O_CLOEXEC) == 0;
    pid_t process = is_ready ? fork() : -1;
    if (process == 0) {
        setsid();
        become(options);
        error = errno;
        if (write(failure[1], &error, sizeof error) < 0)
            _exit(1);
        _exit(127);
    }
    release_ports(&ports);
    if (!is_ready)
        return -1;
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

enum owner launched_owner(pid_t process)
{
    return port_owner(&ports, process);
}

bool has_chosen_port(void)
{
    return ports.is_chosen;
}

const char *launched_at(void)
{
    static char text[80];
    snprintf(text, sizeof text, "%s:%d", ports.host, ports.sip);
    return text;
}
