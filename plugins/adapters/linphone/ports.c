#define _GNU_SOURCE
#include "ports.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    USUAL = 5060, /* where callers look without a port */
    FIRST = 16384, LAST = 32768, /* below those that the kernel gives away */
    SIZE = 128,
    TRIES = 64
};

/* A socket that has the port; -1: somebody else has it. */
static int bound(const char *host, int port, int kind)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int socket_of_port = socket(AF_INET, kind | SOCK_CLOEXEC, 0);
    if (socket_of_port >= 0 &&
        bind(socket_of_port, (struct sockaddr *)&address, sizeof address) < 0) {
        close(socket_of_port);
        return -1;
    }
    return socket_of_port;
}

static bool is_free(const char *host, int port, int kind)
{
    int probe = bound(host, port, kind);
    if (probe >= 0)
        close(probe);
    return probe >= 0;
}

/* Claims a port that nobody has for UDP either; -1: somebody has it. */
static int claim(const char *host, int port)
{
    int claimed = bound(host, port, SOCK_STREAM);
    if (claimed >= 0 && !is_free(host, port, SOCK_DGRAM)) {
        close(claimed);
        return -1;
    }
    return claimed;
}

/* Whether nobody has one of SIZE ports but the first. */
static bool is_rest_free(const char *host, int first)
{
    for (int port = first + 1; port < first + SIZE; port++)
        if (!is_free(host, port, SOCK_DGRAM) || !is_free(host, port, SOCK_STREAM))
            return false;
    return true;
}

/* The first of SIZE ports that nobody has, which is claimed for all of them; 0 if there are none. */
static int claim_block(const char *host, int *claimed)
{
    for (int i = 0; i < TRIES; i++) {
        unsigned number = 0;
        if (getrandom(&number, sizeof number, 0) < 0)
            return 0;
        int first = FIRST + (int)(number % ((LAST - FIRST) / SIZE)) * SIZE;
        *claimed = claim(host, first);
        if (*claimed >= 0 && is_rest_free(host, first))
            return first;
        if (*claimed >= 0)
            close(*claimed);
        *claimed = -1;
    }
    return 0;
}

/* The one that is usual if nobody has it, else the first of the block. */
static void claim_free(struct ports *ports, int block)
{
    ports->sip = USUAL;
    ports->claims[0] = claim(ports->host, USUAL);
    if (ports->claims[0] >= 0)
        return;
    ports->sip = block;
    ports->claims[0] = ports->claims[1];
    ports->claims[1] = -1;
}

static bool read_address(const char *address, struct ports *ports)
{
    struct in_addr number;
    char colon = '\0';
    int found = sscanf(address, "%63[^:]%c%d", ports->host, &colon, &ports->sip);
    ports->is_chosen = found == 3;
    return (found == 1 || found == 3) && inet_pton(AF_INET, ports->host, &number) == 1 &&
           (found == 1 || (ports->sip >= 1 && ports->sip <= 65535));
}

bool choose_ports(const char *address, const char *rtp, struct ports *ports)
{
    *ports = (struct ports){.claims = {-1, -1}};
    if (!read_address(address, ports))
        return false;
    if (ports->is_chosen) /* first: it may be one of a block */
        ports->claims[0] = claim(ports->host, ports->sip);
    int block = !rtp || !ports->is_chosen ? claim_block(ports->host, &ports->claims[1]) : 0;
    if (!ports->is_chosen)
        claim_free(ports, block);
    if (!rtp && block) {
        ports->first = block + 4;
        ports->last = block + SIZE - 1;
    }
    if (!rtp)
        return true;
    return sscanf(rtp, "%d-%d", &ports->first, &ports->last) == 2 && ports->first >= 1024 &&
           ports->last <= 65535 && ports->last - ports->first >= 9;
}

bool are_claimed(const struct ports *ports)
{
    return ports->claims[0] >= 0 && ports->first > 0;
}

void pass_claims(const struct ports *ports)
{
    for (int i = 0; i < 2; i++)
        if (ports->claims[i] >= 0)
            fcntl(ports->claims[i], F_SETFD, 0);
}

void release_ports(struct ports *ports)
{
    for (int i = 0; i < 2; i++) {
        if (ports->claims[i] >= 0)
            close(ports->claims[i]);
        ports->claims[i] = -1;
    }
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

enum owner port_owner(const struct ports *ports, pid_t process)
{
    char wanted[32], local[32], line[256];
    unsigned long inode;
    enum owner owner = NOBODY;
    struct in_addr address;
    if (inet_pton(AF_INET, ports->host, &address) != 1)
        return NOBODY;
    snprintf(wanted, sizeof wanted, "%08X:%04X", (unsigned)address.s_addr, (unsigned)ports->sip);
    FILE *sockets = fopen("/proc/net/udp", "re");
    while (sockets && owner != ANOTHER && fgets(line, sizeof line, sockets))
        if (sscanf(line, " %*s %31s %*s %*s %*s %*s %*s %*s %*s %lu", local, &inode) == 2 &&
            strcmp(local, wanted) == 0)
            owner = has_socket(process, inode) ? THIS_ONE : ANOTHER;
    if (sockets)
        fclose(sockets);
    return owner;
}
