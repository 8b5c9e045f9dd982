/* liblinphone: its configuration, its start and its end. */
#define _GNU_SOURCE
#include "phone.h"

#include <bctoolbox/logging.h>
#include <errno.h>
#include <linphone/api/c-api.h>
#include <linphone/factory.h>
#include <linphone/logging.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ENDING_MS = 3000, /* for hanging up and unregistering */
    STARTS = 5, /* at other ports, if another program is faster */
    TURN_MS = 20
};

/* The folder and those above it, for the user alone. */
static bool make_folder(const char *path)
{
    char folder[sizeof ((struct options *)0)->folder];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0700);
        *slash = '/';
    }
    if (mkdir(folder, 0700) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "liblinphone_provider: %s: %s; choose another --folder\n", path,
            strerror(errno));
    return false;
}

/* Reads the accounts of the user, which are never written. */
static LinphoneConfig *read_config(const struct options *options)
{
    static char text[65536];
    if (options->config) {
        FILE *file = fopen(options->config, "re");
        if (!file) {
            fprintf(stderr, "liblinphone_provider: --config %s: %s\n", options->config,
                    strerror(errno));
            return NULL;
        }
        size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        if (length == sizeof text) {
            fprintf(stderr, "liblinphone_provider: --config: expected less than 64 KiB\n");
            return NULL;
        }
        text[length] = '\0';
    }
    if (!append_account(&options->account, text, sizeof text)) {
        fprintf(stderr, "liblinphone_provider: --account: it is too long\n");
        return NULL;
    }
    return linphone_factory_create_config_from_string(linphone_factory_get(), text);
}

static void set_addresses(LinphoneConfig *config, const struct options *options)
{
    const char *host = options->ports.host;
    char contact[512];
    snprintf(contact, sizeof contact, "\"%s\" <sip:%s@%s:%d>", options->display_name,
             options->user, host, options->ports.sip);
    linphone_config_set_int(config, "sip", "sip_port", options->ports.sip);
    /* Accounts may register over these, from any port. */
    bool has_tcp = options->config || goes_over(&options->account, "tcp");
    bool has_tls = options->config || goes_over(&options->account, "tls");
    linphone_config_set_int(config, "sip", "sip_tcp_port",
                            has_tcp ? LC_SIP_TRANSPORT_RANDOM : LC_SIP_TRANSPORT_DISABLED);
    linphone_config_set_int(config, "sip", "sip_tls_port",
                            has_tls ? LC_SIP_TRANSPORT_RANDOM : LC_SIP_TRANSPORT_DISABLED);
    linphone_config_set_string(config, "sip", "bind_address", host);
    /* With an account the address in messages follows from that, and beyond loopback from the
     * network. */
    if (!options->account.address && strcmp(host, "0.0.0.0") != 0)
        linphone_config_set_string(config, "sip", "contact", contact);
    linphone_config_set_bool(config, "sip", "use_ipv6", false);
    linphone_config_set_bool(config, "sip", "ipv6_migration_done", true); /* or that is forgotten */
    linphone_config_set_bool(config, "sip", "guess_hostname", false);
    if (strcmp(host, "0.0.0.0") != 0) /* it would be in the descriptions of calls */
        linphone_config_set_string(config, "rtp", "bind_address", host);
}

/* Sound has half of the ports, picture a third, text the rest. Each stream has two. */
static void set_ports(LinphoneConfig *config, const struct options *options)
{
    int first = options->ports.first, last = options->ports.last;
    int picture = first + (last + 1 - first) / 2 / 2 * 2;
    int text = picture + (last + 1 - first) / 3 / 2 * 2;
    linphone_config_set_range(config, "rtp", "audio_rtp_port", first, picture - 1);
    linphone_config_set_range(config, "rtp", "video_rtp_port", picture, text - 1);
    linphone_config_set_range(config, "rtp", "text_rtp_port", text, last);
}

/* The broker decides how long a call rings, which one talks, and keeps the history. */
static void set_conduct(LinphoneConfig *config, const struct options *options)
{
    linphone_config_set_int(config, "sip", "inc_timeout", 600);
    linphone_config_set_int(config, "sip", "max_calls", options->calls);
    linphone_config_set_int(config, "rtp", "nortp_timeout", 3600); /* a held call may be silent */
    /* A database, but no file: a line of real-time text that is complete is put there. */
    linphone_config_set_string(config, "storage", "backend", "sqlite3");
    linphone_config_set_string(config, "storage", "uri", ":memory:");
    linphone_config_set_string(config, "storage", "call_logs_db_uri", "null");
    linphone_config_set_bool(config, "lime", "enabled", false);
    linphone_config_set_bool(config, "misc", "tone_indications", false);
}

/* A picture that was received goes nowhere: there is no window. */
static void set_pictures(LinphoneConfig *config)
{
    linphone_config_set_bool(config, "video", "enabled", true);
    linphone_config_set_bool(config, "video", "capture", true);
    linphone_config_set_bool(config, "video", "display", true);
    linphone_config_set_string(config, "video", "displaytype", "MSExtDisplay");
    linphone_config_set_bool(config, "video", "automatically_initiate", false);
    linphone_config_set_bool(config, "video", "automatically_accept", false);
}

static FILE *log_file;

/* Called by threads of mediastreamer too. */
static void write_log(void *context, const char *domain, BctbxLogLevel level, const char *format,
                      va_list arguments)
{
    (void)context, (void)level;
    if (!log_file)
        return;
    flockfile(log_file);
    fprintf(log_file, "%s: ", domain ? domain : "");
    vfprintf(log_file, format, arguments);
    fputc('\n', log_file);
    funlockfile(log_file);
}

static void replace_handlers(void)
{
    bctbx_list_t *handlers = bctbx_list_copy(bctbx_get_log_handlers());
    for (bctbx_list_t *each = handlers; each; each = bctbx_list_next(each))
        bctbx_remove_log_handler(bctbx_list_get_data(each));
    bctbx_list_free(handlers);
    bctbx_add_log_handler(bctbx_create_log_handler(write_log, bctbx_logv_out_destroy, NULL));
}

/* Its log has whole messages, and with them who calls: it is written with --verbose only, for the
 * user alone. */
static bool set_log(const struct options *options)
{
    char path[sizeof options->folder + 8];
    LinphoneLoggingService *log = linphone_logging_service_get();
    linphone_logging_service_set_log_level_mask(log, 0);
    replace_handlers();
    if (!options->verbose || log_file)
        return true;
    snprintf(path, sizeof path, "%s/log", options->folder);
    log_file = fopen(path, "we");
    if (!log_file) {
        fprintf(stderr, "liblinphone_provider: %s: %s\n", path, strerror(errno));
        return false;
    }
    setvbuf(log_file, NULL, _IOLBF, 0);
    linphone_logging_service_set_log_level(log, LinphoneLogLevelMessage);
    return true;
}

static void set_callbacks(struct phone *phone)
{
    LinphoneCoreCbs *callbacks = linphone_factory_create_core_cbs(linphone_factory_get());
    linphone_core_cbs_set_call_state_changed(callbacks, call_changed);
    linphone_core_cbs_set_transfer_state_changed(callbacks, transfer_changed);
    linphone_core_cbs_set_registration_state_changed(callbacks, registration_changed);
    linphone_core_cbs_set_notify_received(callbacks, notified);
    linphone_core_cbs_set_subscription_state_changed(callbacks, subscription_changed);
    linphone_core_cbs_set_is_composing_received(callbacks, typed);
    linphone_core_cbs_set_audio_devices_list_updated(callbacks, devices_changed);
    linphone_core_add_callbacks(phone->core, callbacks);
    phone->callbacks = callbacks;
}

/* A screen of the broker rings. */
static void set_sound(struct phone *phone)
{
    linphone_core_enable_native_ringing(phone->core, false);
    linphone_core_set_ring(phone->core, NULL);
    if (strcmp(phone->options->sound, "none") == 0)
        linphone_core_set_use_files(phone->core, true);
}

static bool start(struct phone *phone, const struct options *options)
{
    LinphoneFactory *factory = linphone_factory_get();
    char folder[sizeof options->folder + 1];
    memset(phone, 0, sizeof *phone);
    phone->options = options;
    umask(077);
    if (!make_folder(options->folder) || !set_log(options))
        return false;
    snprintf(folder, sizeof folder, "%s/", options->folder);
    linphone_factory_set_config_dir(factory, folder);
    linphone_factory_set_data_dir(factory, folder);
    linphone_factory_set_download_dir(factory, folder);
    LinphoneConfig *config = read_config(options);
    if (!config)
        return false;
    set_addresses(config, options);
    set_ports(config, options);
    set_conduct(config, options);
    set_pictures(config);
    phone->core = linphone_factory_create_core_with_config_3(factory, config, NULL);
    linphone_config_unref(config);
    linphone_core_set_user_data(phone->core, phone);
    linphone_core_set_user_agent(phone->core, "CallBroker", "0.1.0");
    linphone_core_enable_auto_iterate(phone->core, false);
    set_callbacks(phone);
    set_sound(phone);
    watch_open(phone);
    return linphone_core_start(phone->core) == 0;
}

static void wait_for(struct phone *phone, bool (*is_over)(struct phone *))
{
    for (int waited = 0; waited < ENDING_MS && !is_over(phone); waited += TURN_MS) {
        linphone_core_iterate(phone->core);
        poll(NULL, 0, TURN_MS);
    }
}

static bool is_quiet(struct phone *phone)
{
    return linphone_core_get_calls_nb(phone->core) == 0;
}

static bool is_off(struct phone *phone)
{
    return linphone_core_get_global_state(phone->core) == LinphoneGlobalOff;
}

void phone_close(struct phone *phone)
{
    if (!phone->core)
        return;
    watch_close(phone);
    linphone_core_terminate_all_calls(phone->core);
    wait_for(phone, is_quiet);
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++)
        if (*leg->id)
            leg_free(leg);
    linphone_core_stop_async(phone->core);
    wait_for(phone, is_off);
    linphone_core_remove_callbacks(phone->core, phone->callbacks);
    linphone_core_cbs_unref(phone->callbacks);
    linphone_core_unref(phone->core);
    phone->core = NULL;
    json_decref(phone->lines);
}

static void log_port(const struct options *options, const char *what)
{
    if (options->verbose)
        fprintf(stderr, "liblinphone_provider: %s %s:%d\n", what, options->ports.host,
                options->ports.sip);
}

/* Another program may open the port after it was chosen: then another one is chosen. */
bool phone_open(struct phone *phone, struct options *options)
{
    struct ports *ports = &options->ports;
    for (int i = 0; i < STARTS && are_claimed(ports); i++) {
        log_port(options, "opening");
        if (!start(phone, options))
            return false;
        if (port_owner(ports, getpid()) == THIS_ONE) {
            log_port(options, "it takes calls at");
            return true;
        }
        phone_close(phone);
        if (ports->is_chosen)
            break;
        log_port(options, "another program was faster:");
        release_ports(ports);
        choose_ports(options->address, options->rtp, ports);
    }
    fprintf(stderr, "liblinphone_provider: cannot open %s:%d; is the port in use? Choose another "
                    "--address\n", ports->host, ports->sip);
    return false;
}
