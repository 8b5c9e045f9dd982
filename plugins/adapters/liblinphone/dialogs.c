#include "dialogs.h"

#include "text.h"
#include "xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_parties(const xmlNode *node, struct dialog *dialog)
{
    const xmlNode *here = xml_next(xml_next(node, NULL, "local"), NULL, "identity");
    const xmlNode *remote = xml_next(node, NULL, "remote");
    const xmlNode *there = xml_next(remote, NULL, "identity");
    char identity[257], name[129];
    xml_attribute(here, "display", dialog->device, sizeof dialog->device);
    xml_attribute(there, "display", dialog->name, sizeof dialog->name);
    xml_text(there, identity, sizeof identity);
    xml_attribute(xml_next(remote, NULL, "target"), "uri", dialog->target, sizeof dialog->target);
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
    xml_attribute(node, "id", dialog->id, sizeof dialog->id);
    xml_attribute(node, "call-id", dialog->call_id, sizeof dialog->call_id);
    xml_attribute(node, "local-tag", dialog->local_tag, sizeof dialog->local_tag);
    xml_attribute(node, "remote-tag", dialog->remote_tag, sizeof dialog->remote_tag);
    xml_attribute(node, "direction", direction, sizeof direction);
    xml_text(xml_next(node, NULL, "state"), state, sizeof state);
    read_parties(node, dialog);
    dialog->is_outgoing = strcmp(direction, "initiator") == 0;
    dialog->is_confirmed = strcmp(state, "confirmed") == 0;
    return *dialog->id && *state;
}

static bool read_root(const xmlNode *root, struct dialogs *dialogs)
{
    char version[24], state[16], *end;
    xml_attribute(root, "version", version, sizeof version);
    xml_attribute(root, "state", state, sizeof state);
    dialogs->version = strtol(version, &end, 10);
    dialogs->is_full = strcmp(state, "full") == 0;
    dialogs->count = 0;
    return end > version && *end == '\0' && dialogs->version >= 0;
}

bool read_dialogs(const char *text, size_t length, struct dialogs *dialogs)
{
    xmlDoc *document =
        xml_read(text, length, "dialog-info", "urn:ietf:params:xml:ns:dialog-info");
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    bool is_read = root && read_root(root, dialogs);
    const xmlNode *each = is_read ? xml_next(root, NULL, "dialog") : NULL;
    for (; each && dialogs->count < DIALOGS_MAX; each = xml_next(root, each, "dialog"))
        if (read_dialog(each, &dialogs->list[dialogs->count]))
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
