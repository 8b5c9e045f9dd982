/* The ports that a telephone claims before it opens them. */
#include "tests.h"

#include "ports.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_udp(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int one = 1, opened = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); /* as linphone does */
    CHECK(bind(opened, (struct sockaddr *)&address, sizeof address) == 0);
    return opened;
}

static void differ(void)
{
    struct ports ports[8];
    for (int i = 0; i < 8; i++) {
        CHECK(choose_ports("127.0.0.1", NULL, &ports[i]));
        CHECK(are_claimed(&ports[i]) && !ports[i].is_chosen);
        for (int j = 0; j < i; j++)
            CHECK(ports[i].sip != ports[j].sip && ports[i].first != ports[j].first);
    }
    for (int i = 0; i < 8; i++)
        release_ports(&ports[i]);
}

static void chosen_ones(void)
{
    struct ports usual, one, other;
    char address[32];
    CHECK(choose_ports("127.0.0.1", NULL, &usual)); /* which others may want */
    CHECK(choose_ports("127.0.0.1", "20000-20100", &one) && are_claimed(&one));
    CHECK(one.first == 20000 && one.last == 20100);
    snprintf(address, sizeof address, "127.0.0.1:%d", one.sip);
    CHECK(choose_ports(address, NULL, &other) && other.is_chosen && !are_claimed(&other));
    release_ports(&other);
    release_ports(&one);
    CHECK(choose_ports(address, NULL, &other) && are_claimed(&other) && other.sip == one.sip);
    release_ports(&other);
    int opened = open_udp(one.sip);
    CHECK(choose_ports(address, NULL, &other) && !are_claimed(&other));
    release_ports(&other);
    close(opened);
    CHECK(!choose_ports("here", NULL, &other) && !choose_ports("127.0.0.1:0", NULL, &other));
    CHECK(!choose_ports("127.0.0.1:x", NULL, &other));
    CHECK(!choose_ports("127.0.0.1", "20000-20001", &other));
    release_ports(&other);
    release_ports(&usual);
}

static void owners(void)
{
    struct ports ports;
    int ends[2];
    char byte;
    CHECK(choose_ports("127.0.0.1", NULL, &ports) && are_claimed(&ports));
    CHECK(port_owner(&ports, getpid()) == NOBODY);
    int opened = open_udp(ports.sip);
    CHECK(port_owner(&ports, getpid()) == THIS_ONE);
    CHECK(pipe(ends) == 0);
    pid_t other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(opened);
        open_udp(ports.sip); /* too */
        CHECK(write(ends[1], "", 1) == 1);
        pause();
        _exit(1);
    }
    CHECK(read(ends[0], &byte, 1) == 1);
    CHECK(port_owner(&ports, getpid()) == ANOTHER && port_owner(&ports, other) == ANOTHER);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    CHECK(port_owner(&ports, getpid()) == THIS_ONE);
    close(opened);
    release_ports(&ports);
}

void claims(void)
{
    differ();
    chosen_ones();
    owners();
}
