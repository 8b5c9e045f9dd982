#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char **text_option(const struct text_option *known, void *options, const char *name)
{
    for (; known->name; known++)
        if (strcmp(name, known->name) == 0)
            return (const char **)((char *)options + known->offset);
    return NULL;
}

json_t *read_chosen(const struct text_option *known, void *options)
{
    const char *text = getenv("BROKER_OPTIONS"), *option;
    json_t *chosen = text ? json_loads(text, 0, NULL) : NULL, *value;
    json_object_foreach(chosen, option, value) {
        char name[64];
        snprintf(name, sizeof name, "%s", option);
        for (char *at = name; *at; at++)
            *at = *at == '_' ? '-' : *at;
        const char **place = text_option(known, options, name);
        if (place && json_is_string(value))
            *place = json_string_value(value);
    }
    return chosen;
}

void state_folder(const char *plugin, char *folder, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        snprintf(folder, size, "%s/callbroker-%s", state, plugin);
    else
        snprintf(folder, size, "%s/.local/state/callbroker-%s", home ? home : "", plugin);
}
