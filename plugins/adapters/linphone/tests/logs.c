/* What is read of linphone-daemon's log: of a file that a process has behind --log. */
#include "tests.h"

#include "app_log.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT "2026-01-02 03:04:05:678 "
#define CALLING(address) AT "liblinphone-message-[sip:me@x] calling [" address "] on op [0x1]\n"

static char path[] = "/tmp/linphone-log-XXXXXX";
static int file;
static struct app_log app_log = {.descriptor = -1};

static void add(const char *text)
{
    CHECK(write(file, text, strlen(text)) == (ssize_t)strlen(text));
}

/* A message as linphone logs it, between the line that has its size and an empty one. */
static void add_message(bool is_sent, const char *message)
{
    char line[256];
    snprintf(line, sizeof line, is_sent
             ? AT "belle-sip-message-channel [0x2]: message sent to [UDP://x:1], size: [%zu] bytes\n"
             : AT "belle-sip-message-channel [0x2]: received [%zu] new bytes from [UDP://x:1]:\n",
             strlen(message));
    add(line);
    add(message);
    add("\n");
}

static void add_invite(const char *id)
{
    char message[256];
    snprintf(message, sizeof message,
             "INVITE sip:a@x SIP/2.0\r\nCall-ID: %s\r\nCSeq: 20 INVITE\r\n\r\n", id);
    add_message(true, message);
}

static void add_response(const char *status, const char *id, const char *method)
{
    char message[512];
    snprintf(message, sizeof message, "SIP/2.0 %s\r\nTo: <sip:me@x>;tag=1\r\nCall-ID: %s\r\n"
                                      "CSeq: 20 %s\r\n\r\n", status, id, method);
    add_message(false, message);
}

static void check_ended(const char *address, int code, const char *phrase)
{
    struct response response;
    CHECK(log_take(&app_log, address, &response));
    CHECK(response.code == code && strcmp(response.phrase, phrase) == 0);
    CHECK(!log_take(&app_log, address, &response)); /* each once */
}

static void refused_calls(void)
{
    struct response response;
    add(CALLING("\"Ann\" <sip:ann@x:5062;transport=udp>"));
    add_invite("one");
    add(CALLING("sip:bob@x"));
    add_invite("two");
    add_response("180 Ringing", "two", "INVITE");
    add_response("486 Busy Here", "one", "INVITE");
    add_response("603 Decline", "two", "INVITE");
    check_ended("sip:bob@x", 603, "Decline");
    check_ended("sip:ann@x:5062", 486, "Busy Here");
    CHECK(!log_take(&app_log, "sip:eve@x", &response));
}

/* The question for a password is no end, and neither is a response to something else. */
static void questions(void)
{
    struct response response;
    add(CALLING("sip:ann@x"));
    add_invite("three");
    add_response("407 Proxy Authentication Required", "three", "INVITE");
    add_invite("three");
    CHECK(!log_take(&app_log, "sip:ann@x", &response));
    add(CALLING("sip:ann@x"));
    add_invite("four");
    add_response("407 Proxy Authentication Required", "four", "INVITE");
    add_invite("four");
    add_response("404 Not Found", "four", "INVITE");
    add_response("481 No Call", "four", "CANCEL");
    add_response("500 Oh", "other", "INVITE");
    check_ended("sip:ann@x", 404, "Not Found");
}

/* Whoever sends a message cannot write a line. */
static void forged_lines(void)
{
    struct response response;
    add(CALLING("sip:ann@x"));
    add_invite("five");
    add_message(false, "MESSAGE sip:me@x SIP/2.0\r\nCall-ID: y\r\nCSeq: 1 MESSAGE\r\n\r\nHi\n"
                       AT "belle-sip-message-channel [0x2]: received [80] new bytes from [x]:\n"
                       "SIP/2.0 486 Busy Here\r\nCall-ID: five\r\nCSeq: 20 INVITE\r\n\r\n");
    add(AT "belle-sip-message-channel [0x2]: received [18446744073709551615] new bytes from [x]\n");
    add("no line\n\n" AT "belle-sip-message-channel [0x2]: received [x] new bytes\n");
    CHECK(!log_take(&app_log, "sip:ann@x", &response));
}

static void registrations(void)
{
    json_t *lines = json_pack("[{s:s, s:s}, {s:s, s:s}]", "line", "sip:me@x:5070", "state", "failed",
                              "line", "sip:you@x", "state", "failed");
    add_response("403 \xff\xffNo", "r", "REGISTER");
    log_read(&app_log);
    log_add_reasons(&app_log, lines);
    CHECK(strcmp(json_string_value(json_object_get(json_array_get(lines, 0), "reason")),
                 "403 ??No") == 0);
    CHECK(!json_object_get(json_array_get(lines, 1), "reason"));
    json_object_del(json_array_get(lines, 0), "reason");
    add_response("200 OK", "r", "REGISTER");
    log_read(&app_log);
    log_add_reasons(&app_log, lines);
    CHECK(!json_object_get(json_array_get(lines, 0), "reason"));
    json_decref(lines);
}

/* Any bytes, in pieces of any size, do no harm, and what comes after them is read. */
static void noise(void)
{
    unsigned seed = 7;
    char bytes[3000];
    for (int i = 0; i < 200; i++) {
        for (size_t at = 0; at < sizeof bytes; at++)
            bytes[at] = (char)(rand_r(&seed) % (i % 2 ? 256 : 3) * (i % 2 ? 1 : 10));
        CHECK(write(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
        log_read(&app_log);
    }
    add("\n" CALLING("sip:ann@x"));
    log_read(&app_log);
    add_invite("six");
    add(AT "belle-sip-message-channel [0x2]: received [62] new bytes from [x]:\nSIP/2.0 404");
    log_read(&app_log);
    add(" Not Found\r\ni: six\r\nCSeq: 20 INVITE\r\nServer: ab\r\n\r\n");
    check_ended("sip:ann@x", 404, "Not Found");
}

/* A process with the file behind --log. */
static pid_t process_with_log(void)
{
    int ends[2];
    char byte;
    CHECK(pipe(ends) == 0);
    pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* also after a test that fails */
        dup2(ends[1], 1);
        execlp("sh", "sh", "-c", "echo; kill -STOP $$", "sh", "--log", path, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    CHECK(read(ends[0], &byte, 1) == 1);
    close(ends[0]);
    return process;
}

void logs(void)
{
    file = mkstemp(path);
    CHECK(file >= 0);
    pid_t process = process_with_log();
    log_open(&app_log, (int)process);
    CHECK(app_log.descriptor >= 0 && !app_log.is_in_memory);
    refused_calls();
    questions();
    forged_lines();
    registrations();
    noise();
    log_close(&app_log);
    log_open(&app_log, (int)getpid());
    CHECK(app_log.descriptor == -1);
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    unlink(path);
}
