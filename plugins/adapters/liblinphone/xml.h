/* Documents from the network: elements of one namespace, and values of limited length. */
#ifndef LIBLINPHONE_XML_H
#define LIBLINPHONE_XML_H

#include <libxml/tree.h>
#include <stddef.h>

/* Reads a document with that element and namespace as its root; NULL if it is none. It is released
 * with xmlFreeDoc(). */
xmlDoc *xml_read(const char *text, size_t length, const char *root, const char *namespace);

/* The next child with that name and the namespace of its parent, or the first one after NULL. */
xmlNode *xml_next(const xmlNode *parent, const xmlNode *after, const char *name);

/* The value of an attribute, or of the text without the blanks around it; empty if there is none,
 * or if it does not fit, as a part of it would mean something else. */
void xml_attribute(const xmlNode *node, const char *name, char *value, size_t size);
void xml_text(const xmlNode *node, char *value, size_t size);

#endif
