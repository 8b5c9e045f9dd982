#include "dialogs.h"

#include "text.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char namespace[] = "urn:ietf:params:xml:ns:dialog-info";

static bool is_element(const xmlNode *node, const char *name)
{
    return node && node->type == XML_ELEMENT_NODE && node->ns && node->ns->href &&
           strcmp((const char *)node->ns->href, namespace) == 0 &&
           strcmp((const char *)node->name, name) == 0;
}

static xmlNode *child(const xmlNode *node, const char *name)
{
    for (xmlNode *each = node ? node->children : NULL; each; each = each->next)
        if (is_element(each, name))
            return each;
    return NULL;
}

/* Copies what fits; a longer value is none, as a part of it would mean something else. */
static void copy(char *to, size_t size, xmlChar *from)
{
    *to = '\0';
    if (from && strlen((const char *)from) < size)
        strcpy(to, (const char *)from);
    xmlFree(from);
}

static void read_attribute(const xmlNode *node, const char *name, char *value, size_t size)
{
    copy(value, size, node ? xmlGetNoNsProp(node, (const xmlChar *)name) : NULL);
}

static void read_text(const xmlNode *node, char *value, size_t size)
{
    xmlChar *text = node ? xmlNodeGetContent(node) : NULL;
    char *start = (char *)text;
    size_t blanks = text ? strspn(start, " \t\r\n") : 0;
    if (text)
        memmove(start, start + blanks, strlen(start + blanks) + 1);
    for (size_t end = text ? strlen(start) : 0; end > 0 && strchr(" \t\r\n", start[end - 1]); end--)
        start[end - 1] = '\0';
    copy(value, size, text);
}

static void read_parties(const xmlNode *node, struct dialog *dialog)
{
    const xmlNode *local = child(node, "local"), *remote = child(node, "remote");
    char identity[257], name[129];
    read_attribute(child(local, "identity"), "display", dialog->device, sizeof dialog->device);
    read_attribute(child(remote, "identity"), "display", dialog->name, sizeof dialog->name);
    read_text(child(remote, "identity"), identity, sizeof identity);
    read_attribute(child(remote, "target"), "uri", dialog->target, sizeof dialog->target);
    if (!*identity)
        strcpy(identity, dialog->target);
    if (!*dialog->target)
        strcpy(dialog->target, identity);
    read_address(identity, dialog->address, sizeof dialog->address, name, sizeof name);
}

static bool read_dialog(const xmlNode *node, struct dialog *dialog)
{
    char state[32], direction[32];
    *dialog = (struct dialog){.is_confirmed = false};
    read_attribute(node, "id", dialog->id, sizeof dialog->id);
    read_attribute(node, "call-id", dialog->call_id, sizeof dialog->call_id);
    read_attribute(node, "local-tag", dialog->local_tag, sizeof dialog->local_tag);
    read_attribute(node, "remote-tag", dialog->remote_tag, sizeof dialog->remote_tag);
    read_attribute(node, "direction", direction, sizeof direction);
    read_text(child(node, "state"), state, sizeof state);
    read_parties(node, dialog);
    dialog->is_outgoing = strcmp(direction, "initiator") == 0;
    dialog->is_confirmed = strcmp(state, "confirmed") == 0;
    return *dialog->id && *state;
}

static bool read_root(const xmlNode *root, struct dialogs *dialogs)
{
    char version[24], state[16], *end;
    if (!is_element(root, "dialog-info"))
        return false;
    read_attribute(root, "version", version, sizeof version);
    read_attribute(root, "state", state, sizeof state);
    dialogs->version = strtol(version, &end, 10);
    dialogs->is_full = strcmp(state, "full") == 0;
    dialogs->count = 0;
    return end > version && *end == '\0' && dialogs->version >= 0;
}

bool read_dialogs(const char *text, size_t length, struct dialogs *dialogs)
{
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    if (length > 1024 * 1024)
        return false;
    xmlDoc *document = xmlReadMemory(text, (int)length, NULL, NULL, options);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    bool is_read = root && read_root(root, dialogs);
    for (xmlNode *each = is_read ? root->children : NULL; each; each = each->next)
        if (is_element(each, "dialog") && dialogs->count < DIALOGS_MAX &&
            read_dialog(each, &dialogs->list[dialogs->count]))
            dialogs->count++;
    xmlFreeDoc(document);
    return is_read;
}

/* The remote party looks for its own dialog: its tag is the one after "to". */
bool replacement(const struct dialog *dialog, char *value, size_t size)
{
    const char *const parts[] = {dialog->call_id, dialog->local_tag, dialog->remote_tag};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!*parts[i] || strpbrk(parts[i], " \t\r\n;,\""))
            return false; /* it becomes a part of a SIP message */
    if (!is_word(dialog->target))
        return false;
    return (size_t)snprintf(value, size, "%s;to-tag=%s;from-tag=%s", dialog->call_id,
                            dialog->remote_tag, dialog->local_tag) < size;
}
