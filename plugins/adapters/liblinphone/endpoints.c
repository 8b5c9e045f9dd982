/* Where the sound of a call comes out: the devices that liblinphone can play to. */
#include "phone.h"

#include <linphone/api/c-audio-device.h>
#include <stdio.h>
#include <string.h>

enum { ENDPOINTS_MAX = 16, ID_LENGTH = 256, NAME_LENGTH = 128 };

static const char *kind_of(const LinphoneAudioDevice *device)
{
    switch (linphone_audio_device_get_type(device)) {
    case LinphoneAudioDeviceTypeEarpiece: return "earpiece";
    case LinphoneAudioDeviceTypeBluetooth:
    case LinphoneAudioDeviceTypeBluetoothA2DP: return "bluetooth";
    case LinphoneAudioDeviceTypeHeadset:
    case LinphoneAudioDeviceTypeHeadphones:
    case LinphoneAudioDeviceTypeAuxLine: return "wired";
    default: return "speaker";
    }
}

static bool is_playing(const LinphoneAudioDevice *device)
{
    return linphone_audio_device_has_capability(device, LinphoneAudioDeviceCapabilityPlay) &&
           strlen(linphone_audio_device_get_id(device)) <= ID_LENGTH;
}

static json_t *read_endpoint_of(const LinphoneAudioDevice *device, const LinphoneAudioDevice *used)
{
    const char *id = linphone_audio_device_get_id(device);
    const char *name = linphone_audio_device_get_device_name(device);
    bool is_used = used && strcmp(linphone_audio_device_get_id(used), id) == 0;
    json_t *endpoint = json_pack("{s:s, s:s, s:s}", "endpoint", id, "kind", kind_of(device),
                                 "state", is_used ? "in_use" : "available");
    if (endpoint && name && strlen(name) <= NAME_LENGTH)
        json_object_set_new(endpoint, "name", json_string(name));
    return endpoint;
}

/* A choice of one is none. */
json_t *read_endpoints(const struct phone *phone, const LinphoneCall *call)
{
    json_t *endpoints = json_array();
    const LinphoneAudioDevice *used = linphone_call_get_output_audio_device(call);
    bctbx_list_t *devices = linphone_core_get_extended_audio_devices(phone->core);
    if (!used)
        used = linphone_core_get_output_audio_device(phone->core);
    if (!used)
        used = linphone_core_get_default_output_audio_device(phone->core);
    for (bctbx_list_t *each = devices; each; each = bctbx_list_next(each)) {
        LinphoneAudioDevice *device = bctbx_list_get_data(each);
        if (is_playing(device) && json_array_size(endpoints) < ENDPOINTS_MAX)
            json_array_append_new(endpoints, read_endpoint_of(device, used));
        linphone_audio_device_unref(device);
    }
    bctbx_list_free(devices);
    if (json_array_size(endpoints) < 2 || strcmp(phone->options->sound, "none") == 0)
        json_array_clear(endpoints);
    return endpoints;
}

/* A headset is microphone and speaker. */
static void use_device(LinphoneCall *call, LinphoneAudioDevice *device)
{
    linphone_call_set_output_audio_device(call, device);
    if (linphone_audio_device_has_capability(device, LinphoneAudioDeviceCapabilityRecord))
        linphone_call_set_input_audio_device(call, device);
}

static bool is_used(const LinphoneCall *call, const char *id)
{
    const LinphoneAudioDevice *used = linphone_call_get_output_audio_device(call);
    return used && strcmp(linphone_audio_device_get_id(used), id) == 0;
}

/* liblinphone changes the device when it sets up the sound anew, which a re-INVITE makes it do. */
static void renew_sound(struct phone *phone, struct leg *leg)
{
    LinphoneCallParams *params = linphone_core_create_call_params(phone->core, leg->call);
    choose_media(params, leg->video, leg->has_text);
    int status = linphone_call_update(leg->call, params);
    linphone_call_params_unref(params);
    if (status != 0 && leg->doing == ENDPOINT)
        refuse(phone, leg, "app_refused", "liblinphone cannot set up the sound anew now");
}

void set_endpoint(struct phone *phone, struct leg *leg, const cb_action *action)
{
    const char *id = json_string_value(json_object_get(action->arguments, "endpoint"));
    bctbx_list_t *devices = linphone_core_get_extended_audio_devices(phone->core);
    begin(leg, ENDPOINT, action);
    for (bctbx_list_t *each = devices; each; each = bctbx_list_next(each)) {
        LinphoneAudioDevice *device = bctbx_list_get_data(each);
        if (id && is_playing(device) && strcmp(linphone_audio_device_get_id(device), id) == 0)
            use_device(leg->call, device);
        linphone_audio_device_unref(device);
    }
    bctbx_list_free(devices);
    if (!id || !is_used(leg->call, id))
        refuse(phone, leg, "app_refused", "liblinphone does not play the call there");
    else if (leg->is_streaming)
        renew_sound(phone, leg);
    else
        fulfill(phone, leg); /* it counts when there is sound */
}

/* Devices have come or gone. */
void devices_changed(LinphoneCore *core)
{
    struct phone *phone = linphone_core_get_user_data(core);
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++)
        if (*leg->id && leg->call && phone->client)
            cb_report_update(phone->client, leg->id,
                             json_pack("{s:o}", "endpoints", read_endpoints(phone, leg->call)),
                             NULL, NULL);
}
