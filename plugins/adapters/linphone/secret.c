#define _GNU_SOURCE
#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYRING_MS = 60000 /* for the user to unlock it */, WORDS_MAX = 32 };

__attribute__((format(printf, 2, 3)))
static bool complain(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: --password: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

/* Reads until there is no more, or the time is over. False: it was over. */
static bool read_all(int from, char *text, size_t size, int milliseconds)
{
    size_t length = 0;
    while (length < size - 1) {
        struct pollfd wait = {from, POLLIN, 0};
        if (milliseconds > 0 && poll(&wait, 1, milliseconds) == 0)
            return false;
        ssize_t got = read(from, text + length, size - 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    text[length] = '\0';
    return true;
}

static bool read_file(const char *program, const char *path, bool is_private, char *secret,
                      size_t size)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) < 0) {
        complain(program, "%s cannot be read: %s", path, strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    bool is_safe = !is_private || !(about.st_mode & (S_IRWXG | S_IRWXO));
    if (is_safe)
        read_all(file, secret, size, 0);
    close(file);
    return is_safe || complain(program, "others may read %s: chmod 600 %s", path, path);
}

/* A shell leaves a ~ in the middle of a word as it is. */
static bool read_home_file(const char *program, const char *name, char *secret, size_t size)
{
    char path[4096];
    const char *home = getenv("HOME");
    bool is_below = strncmp(name, "~/", 2) == 0;
    snprintf(path, sizeof path, "%s%s", is_below && home ? home : "", is_below ? name + 1 : name);
    return read_file(program, path, true, secret, size);
}

static bool read_credential(const char *program, const char *name, char *secret, size_t size)
{
    char path[4096];
    const char *folder = getenv("CREDENTIALS_DIRECTORY"), *slash = strrchr(name, '/');
    if (!folder || !*folder)
        return complain(program, "there is no CREDENTIALS_DIRECTORY: add to the service "
                                 "LoadCredential=%s:PATH", name);
    snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : name);
    return read_file(program, path, false, secret, size); /* systemd keeps it from others */
}

/* Splits "service=sip,user=ada" into words for secret-tool. False: it is none. */
static bool split(char *attributes, char *words[WORDS_MAX], int *count)
{
    for (char *pair = strtok(attributes, ","); pair; pair = strtok(NULL, ",")) {
        char *value = strchr(pair, '=');
        if (!value || value == pair || !value[1] || *count + 3 > WORDS_MAX)
            return false;
        *value = '\0';
        words[(*count)++] = pair;
        words[(*count)++] = value + 1;
    }
    return *count > 2;
}

/* Starts secret-tool; its process, or -1. What it prints can be read from *output. */
static pid_t ask_keyring(char *words[WORDS_MAX], int *output)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    pid_t process = fork();
    if (process == 0) {
        int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, 0);
        dup2(ends[1], 1);
        signal(SIGCHLD, SIG_DFL);
        execvp(*words, words);
        _exit(127);
    }
    close(ends[1]);
    *output = ends[0];
    return process;
}

static bool read_keyring(const char *program, const char *text, char *secret, size_t size)
{
    char attributes[512], lookup[] = "lookup", tool[] = "secret-tool";
    char *words[WORDS_MAX] = {tool, lookup};
    int count = 2, output = -1, status = 0;
    snprintf(attributes, sizeof attributes, "%s", text);
    if (!split(attributes, words, &count))
        return complain(program, "expected " FORM_OF_SECRET);
    pid_t process = ask_keyring(words, &output);
    bool is_over = process > 0 && read_all(output, secret, size, KEYRING_MS);
    if (output >= 0)
        close(output);
    if (process > 0 && !is_over)
        kill(process, SIGKILL);
    if (process > 0)
        waitpid(process, &status, 0);
    if (!is_over)
        return complain(program, "the keyring is locked; unlock it");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return complain(program, "secret-tool is not installed; it is in the package libsecret-tools");
    return status == 0 || complain(program, "the keyring has none; store it: secret-tool store "
                                            "--label=SIP ATTRIBUTE VALUE ... (%s)", text);
}

static bool is_secret(char *secret)
{
    secret[strcspn(secret, "\r\n")] = '\0';
    for (const char *at = secret; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return false;
    return *secret;
}

bool read_secret(const char *program, const char *source, char *secret, size_t size)
{
    const char *rest = strchr(source, ':');
    bool is_read = false;
    *secret = '\0';
    if (rest && rest[1] && strncmp(source, "file:", 5) == 0)
        is_read = read_home_file(program, rest + 1, secret, size);
    else if (rest && rest[1] && strncmp(source, "credential:", 11) == 0)
        is_read = read_credential(program, rest + 1, secret, size);
    else if (rest && rest[1] && strncmp(source, "keyring:", 8) == 0)
        is_read = read_keyring(program, rest + 1, secret, size);
    else /* and not what was given instead of it */
        return complain(program, "expected " FORM_OF_SECRET);
    return is_read && (is_secret(secret) ||
                       complain(program, "what %s has is empty, or has a control character", source));
}
