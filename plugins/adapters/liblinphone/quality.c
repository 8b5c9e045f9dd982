/* How well the sound of each call is transmitted, every few seconds. */
#include "phone.h"

#include <linphone/call_stats.h>
#include <math.h>

enum { QUALITY_MS = 5000 };

/* -1: not known. */
static int milliseconds(float seconds)
{
    return seconds > 0 && seconds < 60 ? (int)lroundf(seconds * 1000) : -1;
}

/* The packets that were lost and that came, since the report before. */
static int loss_permille(struct leg *leg, const LinphoneCallStats *stats)
{
    const rtp_stats_t *rtp = linphone_call_stats_get_rtp_stats(stats);
    int64_t lost = (int64_t)rtp->cum_packet_loss, got = (int64_t)rtp->packet_recv;
    int64_t more_lost = lost - leg->lost, more = got - leg->got;
    leg->lost = lost, leg->got = got;
    if (more_lost < 0 || more < 0 || more_lost + more == 0)
        return -1;
    return (int)(1000 * more_lost / (more_lost + more));
}

static void report_leg(struct phone *phone, struct leg *leg)
{
    LinphoneCallStats *stats = linphone_call_get_audio_stats(leg->call);
    if (!stats)
        return;
    int loss = loss_permille(leg, stats);
    int jitter = milliseconds(linphone_call_stats_get_sender_interarrival_jitter(stats));
    int trip = milliseconds(linphone_call_stats_get_round_trip_delay(stats));
    linphone_call_stats_unref(stats);
    if (loss >= 0 || jitter >= 0 || trip >= 0)
        cb_report_quality(phone->client, leg->id, loss, jitter, trip, NULL, NULL);
}

void report_quality(struct phone *phone, int64_t now)
{
    if (now < phone->quality_at)
        return;
    phone->quality_at = now + QUALITY_MS;
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++)
        if (*leg->id && leg->call && leg->is_streaming && cb_is_open(phone->client))
            report_leg(phone, leg);
}
