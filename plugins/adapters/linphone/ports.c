#define _GNU_SOURCE
#include "ports.h"

#include <arpa/inet.h>
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

static bool is_free_for(const char *host, int port, int kind)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int probe = socket(AF_INET, kind | SOCK_CLOEXEC, 0);
    bool is_free = probe >= 0 && bind(probe, (struct sockaddr *)&address, sizeof address) == 0;
    if (probe >= 0)
        close(probe);
    return is_free;
}

bool is_port_free(const char *host, int port)
{
    return is_free_for(host, port, SOCK_DGRAM) && is_free_for(host, port, SOCK_STREAM);
}

/* The first of SIZE ports that are most likely free: the first of them is. */
static int free_block(const char *host)
{
    int first = FIRST;
    for (int i = 0; i < TRIES; i++) {
        unsigned number = 0;
        if (getrandom(&number, sizeof number, 0) < 0)
            break;
        first = FIRST + (int)(number % ((LAST - FIRST) / SIZE)) * SIZE;
        if (is_port_free(host, first) && is_port_free(host, first + 4))
            break;
    }
    return first;
}

bool choose_ports(const char *address, const char *rtp, struct ports *ports)
{
    struct in_addr number;
    *ports = (struct ports){.sip = 0};
    char colon = '\0';
    int found = sscanf(address, "%63[^:]%c%d", ports->host, &colon, &ports->sip);
    if (found < 1 || found == 2 || inet_pton(AF_INET, ports->host, &number) != 1 ||
        (found == 3 && (ports->sip < 1 || ports->sip > 65535)))
        return false;
    int block = free_block(ports->host);
    if (found == 1)
        ports->sip = is_port_free(ports->host, USUAL) ? USUAL : block;
    if (!rtp) {
        ports->first = block + 4;
        ports->last = block + SIZE - 1;
        return true;
    }
    return sscanf(rtp, "%d-%d", &ports->first, &ports->last) == 2 && ports->first >= 1024 &&
           ports->last <= 65535 && ports->last - ports->first >= 9;
}
