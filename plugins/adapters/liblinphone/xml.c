#include "xml.h"

#include <libxml/parser.h>
#include <stdbool.h>
#include <string.h>

enum { BYTES_MAX = 1024 * 1024 };

static bool is_element(const xmlNode *node, const char *name, const char *namespace)
{
    return node->type == XML_ELEMENT_NODE && node->ns && node->ns->href &&
           strcmp((const char *)node->ns->href, namespace) == 0 &&
           strcmp((const char *)node->name, name) == 0;
}

xmlDoc *xml_read(const char *text, size_t length, const char *root, const char *namespace)
{
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    xmlDoc *document =
        length <= BYTES_MAX ? xmlReadMemory(text, (int)length, NULL, NULL, options) : NULL;
    const xmlNode *found = document ? xmlDocGetRootElement(document) : NULL;
    if (found && is_element(found, root, namespace))
        return document;
    xmlFreeDoc(document);
    return NULL;
}

xmlNode *xml_next(const xmlNode *parent, const xmlNode *after, const char *name)
{
    xmlNode *each = after ? after->next : parent ? parent->children : NULL;
    while (each && !is_element(each, name, (const char *)parent->ns->href))
        each = each->next;
    return each;
}

static void copy(char *to, size_t size, const char *from, size_t length)
{
    if (length >= size)
        length = 0;
    memcpy(to, from, length);
    to[length] = '\0';
}

void xml_attribute(const xmlNode *node, const char *name, char *value, size_t size)
{
    xmlChar *found = node ? xmlGetNoNsProp(node, (const xmlChar *)name) : NULL;
    const char *text = found ? (const char *)found : "";
    copy(value, size, text, strlen(text));
    xmlFree(found);
}

void xml_text(const xmlNode *node, char *value, size_t size)
{
    xmlChar *found = node ? xmlNodeGetContent(node) : NULL;
    const char *text = found ? (const char *)found : "";
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    copy(value, size, text, length);
    xmlFree(found);
}
