#include "text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* At most size - 1 bytes of it, and no part of a character at the end. */
static void copy(char *to, size_t size, const char *from, size_t length)
{
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(to, from, length);
    to[length] = '\0';
}

/* JSON takes nothing else, and the call would not be listed at all. */
void make_utf8(char *text)
{
    json_t *probe = json_string(text);
    for (; !probe && *text; text++)
        if ((unsigned char)*text >= 0x80)
            *text = '?';
    json_decref(probe);
}

bool block_is_ok(const char *block)
{
    return strncmp(block, "Status: Ok", strlen("Status: Ok")) == 0;
}

bool block_value(const char *block, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    for (const char *line = block; line; line = strchr(line, '\n')) {
        line += line > block || *line == '\n';
        if (strncmp(line, name, length) == 0 && strncmp(line + length, ": ", 2) == 0) {
            line += length + 2;
            copy(value, size, line, strcspn(line, "\r\n"));
            return true;
        }
    }
    return false;
}

int block_number(const char *block, const char *name)
{
    char value[16], *end;
    if (!block_value(block, name, value, sizeof value))
        return -1;
    long number = strtol(value, &end, 10);
    return end > value && *end == '\0' && number >= 0 && number <= 1000000000 ? (int)number : -1;
}

enum state state_named(const char *name)
{
    static const struct { const char *name; enum state state; } states[] = {
        {"IncomingReceived", INCOMING}, {"IncomingEarlyMedia", INCOMING},
        {"PushIncomingReceived", INCOMING}, {"OutgoingInit", DIALING},
        {"OutgoingProgress", DIALING}, {"OutgoingRinging", FAR_END_RINGS},
        {"OutgoingEarlyMedia", FAR_END_SOUNDS}, {"Connected", CONNECTED},
        {"StreamsRunning", STREAMING}, {"Pausing", PAUSING}, {"Paused", PAUSED},
        {"Resuming", RESUMING}, {"PausedByRemote", PAUSED_BY_REMOTE}, {"End", ENDED},
        {"Released", ENDED}, {"Error", FAILED}};
    static const char prefix[] = "LinphoneCall";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return UNKNOWN;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(name + sizeof prefix - 1, states[i].name) == 0)
            return states[i].state;
    return UNKNOWN;
}

/* The user part may have parameters, as the whole may. */
static void copy_bare(char *address, size_t size, const char *uri)
{
    const char *host = uri + strcspn(uri, "@>");
    copy(address, size, uri, strcspn(uri, ">;"));
    size_t length = strlen(address);
    if (*host == '@' && uri + length < host)
        copy(address + length, size - length, host, strcspn(host, ">;"));
}

void read_address(const char *text, char *address, size_t address_size, char *name,
                  size_t name_size)
{
    const char *open = strrchr(text, '<');
    const char *from = open ? open + 1 : text;
    const char *first = text + strspn(text, " \"");
    const char *last = open ? open : first;
    while (last > first && strchr(" \"", last[-1]))
        last--;
    copy(name, name_size, first, last > first ? (size_t)(last - first) : 0);
    copy_bare(address, address_size, from);
    make_utf8(name);
    make_utf8(address);
}

bool is_word(const char *text)
{
    if (*text == '\0' || *text == '-')
        return false;
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return false;
    return true;
}
