// Made by make-types.js from the broker's description of its protocol.
import { EventEmitter } from "node:events";
import { Socket } from "node:net";

/** A word that a newer broker may say: treat it as "other". */
export type Other = string & {};

export type Handle = {
    /** the type */
    type: "phone" | "email" | "generic" | Other;
    /** the number or address */
    value: string;
};

export type Cause = {
    /** the origin */
    origin: "user" | "app" | "provider" | "remote" | "arbitration" | "timeout" | "policy" | "admin";
    /** the deciding rule */
    rule?: string;
    /** the transaction */
    transaction?: string;
    /** the other call involved */
    because_of?: string;
};

export type EndDetail = {
    /** the reason; that of the code if left out and the code is known */
    reason?: "busy" | "rejected" | "no_answer" | "unreachable" | "invalid_number" | "not_allowed" | "no_credit" | "not_registered" | "transferred" | "deflected" | "pulled" | "answered_elsewhere" | "declined_elsewhere" | "network_error" | "media_error" | "service_error" | Other;
    /** a sentence for people, in one line */
    text?: string;
    /** the code of the app's protocol or network, such as `SIP 486` or `Q.850 17` */
    code?: string;
};

export type LineSetting = {
    /** `forward_always`, or while the line is in a call (`forward_busy`), does not answer (`forward_no_reply`), or cannot be reached (`forward_unreachable`); `call_waiting`; `caller_id_hidden` */
    setting: "forward_always" | "forward_busy" | "forward_no_reply" | "forward_unreachable" | "call_waiting" | "caller_id_hidden" | Other;
    /** whether the setting is on */
    on: boolean;
    /** where calls are forwarded */
    to?: Handle;
    /** the time after which forward_no_reply forwards; the network's if left out */
    after_ms?: number;
};

export type Line = {
    /** the id of the line, unique in the app */
    line: string;
    /** the name for people */
    label: string;
    /** its own number or address */
    handle?: Handle;
    /** the URI schemes that it can dial; the app's if left out */
    url_schemes?: Array<string>;
    /** whether calls for which no line is named are placed on it; false if left out */
    default?: boolean;
    /** the state at its network; registered if left out */
    state?: "registered" | "registering" | "failed" | "off" | Other;
    /** the network's words for the state */
    reason?: string;
    /** the limit of its calls; the app's alone if left out */
    max_calls?: number;
    /** the messages for the user */
    messages_waiting?: number;
    /** the number or address of the voicemail */
    voicemail?: Handle;
    /** what its network keeps for it and line.set_setting changes, at most one of a kind; none if left out */
    settings?: Array<LineSetting>;
};

export type Endpoint = {
    /** the id, by which it is chosen */
    endpoint: string;
    /** the kind of device */
    kind: "earpiece" | "speaker" | "wired" | "bluetooth" | "streaming" | Other;
    /** the name of the device, for people */
    name?: string;
    /** whether the user may choose it, or it is in use; available if left out */
    state?: "available" | "in_use" | "unavailable";
};

export type Deadlines = {
    /** milliseconds */
    start?: number;
    /** milliseconds */
    answer?: number;
    /** milliseconds */
    end?: number;
    /** milliseconds */
    set_held?: number;
    /** milliseconds */
    set_muted?: number;
    /** milliseconds */
    set_group?: number;
    /** milliseconds */
    play_dtmf?: number;
    /** milliseconds */
    set_endpoint?: number;
    /** milliseconds */
    set_video?: number;
    /** milliseconds */
    set_text?: number;
    /** milliseconds */
    transfer?: number;
    /** milliseconds */
    attended_transfer?: number;
    /** milliseconds */
    deflect?: number;
};

export type Limits = {
    /** the limit of its call groups */
    max_call_groups: number;
    /** the limit of calls in one group */
    max_calls_per_group: number;
    /** how long its calls are kept after a disconnection */
    grace_ms: number;
    /** how long its calls ring */
    ring_timeout_ms: number;
    /** the deadline of each kind of action */
    action_deadlines: Deadlines;
};

export type PlannedAction = {
    /** the id of the action; absent while only planned */
    action?: string;
    /** the kind of action */
    kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
    /** the call */
    call: string;
    /** the provider */
    provider: string;
    /** whether the broker added the action */
    implied: boolean;
    /** the state */
    state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
    /** the app's reason for the failure; for the first eight actions */
    failure?: {
        /** the error code */
        code: number;
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message?: string;
        /** the code of the app's protocol or network */
        app_code?: string;
    };
};

export type Transaction = {
    /** the id of the transaction; absent in a dry run */
    transaction?: string;
    /** the state */
    state?: "accepted" | "completed" | "failed";
    /** true for a dry run */
    dry_run?: boolean;
    /** the actions, in the order in which they are sent */
    actions: Array<PlannedAction>;
    /** the calls that would be held */
    would_hold?: Array<string>;
    /** the calls that would be ended without being requested */
    would_end?: Array<string>;
    /** the calls that would become active */
    would_activate?: Array<string>;
    /** the providers that would be started first */
    would_start?: Array<string>;
    /** dry run: why it would be refused, or null; completed: why it failed */
    refusal?: {
        /** the error code */
        code: number;
        /** a sentence for people */
        message: string;
        /** as in an error */
        data: Record<string, unknown>;
    } | null;
    /** the call is started without the requested video, which its app does not have */
    video_fallback?: "audio" | Other;
    /** true if an equal request was pending already */
    joined?: boolean;
    /** true if this repeats the reply to an earlier request */
    replayed?: boolean;
    /** all events up to this number have been sent */
    seq?: number;
};

export type Options = {
    /** whether an end is meant for all calls of the group */
    group?: boolean;
    /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
    transaction?: string;
    /** the deadline of each action, from its dispatch; the provider's if left out */
    deadline_ms?: number;
    /** whether to return only what would happen */
    dry_run?: boolean;
    /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
    on_conflict?: "hold" | "end";
    /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
    wait?: "accepted" | "completed";
};

export type Update = {
    /** the provider's name for the remote party */
    display_name?: string | null;
    /** whether the call has video; false at first */
    has_video?: boolean | null;
    /** whether the call can be held; true at first */
    supports_holding?: boolean | null;
    /** whether the call can join a group; true at first */
    supports_grouping?: boolean | null;
    /** whether the call can leave a group; true at first */
    supports_ungrouping?: boolean | null;
    /** whether the call can play tones; true at first */
    supports_dtmf?: boolean | null;
    /** whether the call can be transferred to an address; false at first */
    supports_transfer?: boolean | null;
    /** whether the call can be joined with another one; false at first */
    supports_attended_transfer?: boolean | null;
    /** whether the call can be sent to another address before an answer; false at first */
    supports_deflect?: boolean | null;
    /** whether the remote party holds the call; false at first */
    remote_held?: boolean | null;
    /** whether the remote side sends sound before its answer; false at first */
    has_early_media?: boolean | null;
    /** the priority; normal at first */
    priority?: "background" | "normal" | "priority_caller" | "emergency" | null;
    /** the id of the provider's line that has the call */
    line?: string | null;
    /** the party that the call was meant for, before it was forwarded here */
    forwarded_from?: Handle | null;
    /** the network's verdict about the caller's number; none at first */
    verification?: "passed" | "failed" | "none" | null;
    /** the id of the call in the app's protocol, such as the Call-ID of SIP */
    external_id?: string | null;
    /** the name of the other device that has the call, or has answered or declined it */
    elsewhere?: string | null;
    /** whether the call can be pulled here from that device; false at first */
    supports_pull?: boolean | null;
    /** where the app can let the sound of the call out; none at first, if that is the host's choice */
    endpoints?: Array<Endpoint> | null;
    /** the direction of the video, as seen from here; off at first, both if only `has_video` is true */
    video?: "off" | "send" | "receive" | "both" | null;
    /** whether video can be added to the call, changed and taken away; false at first */
    supports_set_video?: boolean | null;
    /** whether the call has real-time text; false at first */
    has_text?: boolean | null;
    /** whether real-time text can be added to the call and taken away; false at first */
    supports_set_text?: boolean | null;
};

export type EventHead = {
    /** the subscription; absent for the client's own transaction without a subscription */
    subscription?: number;
    /** the id of the event sequence; seq counts within an epoch */
    epoch: string;
    /** the number of this event */
    seq: number;
    /** the number of the subscription's previous event, or of its start */
    prev?: number;
    /** the time of the event */
    at_ms: number;
    /** the call concerned */
    call?: string;
    /** the provider concerned */
    provider?: string;
};

export type LiveCall = Update & {
    /** the id of the call */
    call: string;
    /** the direction */
    direction: "incoming" | "outgoing";
    /** the state */
    state: "ringing" | "dialing" | "alerting" | "connecting" | "active" | "held" | "external";
    /** the remote party; null if unknown */
    remote: Handle | null;
    /** when the call was connected */
    connected_at_ms?: number;
};

export type Call = {
    /** the id of the call */
    call: string;
    /** the call's provider */
    provider: string;
    /** the direction */
    direction: "incoming" | "outgoing";
    /** the state */
    state: "starting" | "dialing" | "alerting" | "ringing" | "waiting" | "connecting" | "active" | "held" | "ending" | "ended" | "external";
    /** the pending action */
    pending_action?: "queued" | "starting" | "answering" | "holding" | "resuming" | "ending" | "muting" | "grouping" | "sending_dtmf" | "switching_endpoint" | "changing_video" | "changing_text" | "transferring" | "deflecting" | Other;
    /** whether a hold would be sent now */
    can_hold_now: boolean;
    /** tones that wait behind a pause; left out if there are none */
    paused_tones?: {
        /** the tones after the pause */
        digits: string;
        /** what ends the pause: time, or the user, by call.continue_tones */
        until: "time" | "user" | Other;
    };
    /** the call that its group was held for */
    held_because_of?: string;
    /** true if the held call can be resumed, and the user has been offered to */
    resume_offered?: boolean;
    /** whether the call is muted */
    muted: boolean;
    /** whether the call rings silently */
    silenced: boolean;
    /** the oldest member of its group; the call itself if alone */
    group: string;
    /** the remote party */
    remote?: Handle;
    /** the provider's name for the remote party */
    display_name?: string;
    /** whether the call has video */
    has_video: boolean;
    /** whether the call can be held */
    supports_holding: boolean;
    /** whether the call can join a group */
    supports_grouping: boolean;
    /** whether the call can leave a group */
    supports_ungrouping: boolean;
    /** whether the call can play tones */
    supports_dtmf: boolean;
    /** true if the call can be transferred to an address */
    supports_transfer?: boolean;
    /** true if the call can be joined with another one */
    supports_attended_transfer?: boolean;
    /** true if the call can be sent to another address before an answer */
    supports_deflect?: boolean;
    /** whether the remote party holds the call */
    remote_held: boolean;
    /** true if the remote side sends or has sent sound before its answer */
    has_early_media?: boolean;
    /** the priority */
    priority: "background" | "normal" | "priority_caller" | "emergency" | "emergency_callback" | Other;
    /** the line that has the call */
    line?: string;
    /** the party that the call was meant for */
    forwarded_from?: Handle;
    /** the network's verdict about the caller's number, if there is one */
    verification?: "passed" | "failed" | "none" | Other;
    /** the id of the call in the app's protocol */
    external_id?: string;
    /** the other device that has or had the call */
    elsewhere?: string;
    /** true if the call can be pulled here from that device */
    supports_pull?: boolean;
    /** the app's endpoints for the sound of the call; left out if the host has them */
    endpoints?: Array<Endpoint>;
    /** the direction of the video, as agreed; left out if there is none */
    video?: "off" | "send" | "receive" | "both";
    /** true if video can be added to the call, changed and taken away */
    supports_set_video?: boolean;
    /** the video that the remote party asks for, while the user has not decided */
    video_request?: "send" | "receive" | "both";
    /** true if the call has real-time text */
    has_text?: boolean;
    /** true if real-time text can be added to the call and taken away */
    supports_set_text?: boolean;
    /** true if the remote party asks for real-time text, while the user has not decided */
    text_request?: boolean;
    /** the remote party's names and labels, as far as known */
    caller?: {
        /** the contact's or the directory's name */
        name?: string;
        /** a label for the caller */
        label?: string;
        /** `contacts`, or the directory */
        source: string;
    };
    /** whether its provider is connected */
    provider_connected: boolean;
    /** the verbs that would not be refused now */
    allowed: Array<"answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer" | "decline" | "silence" | "end" | "hold" | "resume" | "swap" | "mute" | "unmute" | "merge" | "split" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | "pull" | Other>;
    /** merge: the possible groups, each by its oldest call; left out if there are none */
    merge_with?: Array<string>;
    /** when the call arrived or was started */
    created_at_ms: number;
    /** when the remote party began to ring */
    alerting_at_ms?: number;
    /** when the remote party answered */
    connecting_at_ms?: number;
    /** when the call was connected */
    connected_at_ms?: number;
    /** when the call ended */
    ended_at_ms?: number;
    /** why the call ended */
    end_reason?: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
    /** the origin of the end */
    end_cause?: Cause;
    /** the app's own words for the end */
    end_detail?: EndDetail;
    /** the app's reason, if it failed */
    failure?: {
        /** the error code */
        code: number;
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message?: string;
        /** the code of the app's protocol or network */
        app_code?: string;
    };
    /** why the call was missed; several reasons may apply */
    missed_reasons?: Array<"unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call" | Other>;
    /** increases with each change of the call; the higher one is newer */
    rev: number;
};

export type RegisteredProvider = {
    /** the identity of the provider */
    provider: string;
    /** the app's display name */
    display_name: string;
    /** the types of address that it offers to call; if empty, the app itself may still call any address */
    handle_types: Array<"phone" | "email" | "generic" | Other>;
    /** the URI schemes that it can dial */
    url_schemes: Array<string>;
    /** whether its calls may have video */
    supports_video: boolean;
    /** true if its calls may have real-time text */
    supports_text?: boolean;
    /** the limit of its call groups */
    max_call_groups: number;
    /** the limit of calls in one group */
    max_calls_per_group: number;
    /** whether the history shows its calls */
    includes_in_recents: boolean;
    /** a name or path */
    ringtone?: string;
    /** a name or path */
    icon?: string;
    /** the deadlines that it has declared */
    action_deadlines: Deadlines;
    /** if it has declared one */
    ring_timeout_ms?: number;
    /** if it has declared one */
    grace_ms?: number;
    /** whether its held calls are resumed */
    resume_when_freed: boolean;
    /** whether it is offered transactions as a whole */
    takes_transactions: boolean;
    /** whether the app is the connected process */
    app_process: "self" | "separate";
    /** the kind of the provider */
    kind: "app" | "adapter" | "modem" | "watched" | Other;
    /** its accounts, if it has told them apart */
    lines?: Array<Line>;
    /** the types of push that it takes, if any */
    push_types?: Array<"voip" | "complication" | "file_provider" | Other>;
    /** how a call starts the app when it does not run */
    start_by?: {
        /** a name for which the session bus starts a service */
        dbus?: string;
        /** the id of a desktop file */
        desktop?: string;
    };
    /** the user's authorization */
    authorization: "not_determined" | "authorized" | "denied";
    /** whether it is connected */
    connected: boolean;
    /** the number of its calls */
    calls: number;
    /** listed only, if any: the VoIP pushes after which it has reported no call */
    unreported_pushes?: number;
    /** listed only: true if it gets no more VoIP pushes for that reason, until push.reset */
    pushes_stopped?: boolean;
};

export type Policy = {
    /** if a hold fails: keep the call and refuse what waited for the hold, or end the call */
    on_hold_failure: "keep" | "end";
    /** an answer or start while the live call cannot be held: refuse it, or end the call */
    on_cannot_hold: "refuse" | "end";
    /** whether the group that is owed a resume is resumed when the user, or a call's app, ends or declines the last other call; otherwise the resume is offered */
    resume_after_user_end: boolean;
    /** whether it is resumed when that call ends in another way; otherwise it is offered */
    resume_after_remote_end: boolean;
    /** whether an incoming call is refused, and missed, while a group is live; favorites, priority callers, callers that a screener allows, emergencies and their call-backs wait as usual */
    busy_in_call: boolean;
    /** a start while another call rings or waits; emergencies are always started */
    dial_while_ringing: "allow" | "refuse";
    /** the user's start with video at an app without it: without video, or refused */
    video_fallback: "audio" | "refuse";
    /** what a short button press does to a single active call */
    button_active: "end" | "mute";
    /** whether calls can be emergencies */
    allows_emergency: boolean;
    /** the providers whose claims that a caller has priority count */
    priority_claims: Array<string>;
    /** sets all `deadlines`: to the defaults, or to CallKit's, where a start may take ten minutes; reads `compatible` while the deadlines are exactly CallKit's */
    timeouts: "default" | "compatible";
    /** whether callers that are not in the contacts ring aloud or silently */
    unknown_callers: "ring" | "silence";
    /** the country of numbers without a country code; empty: such numbers stay unchanged */
    region: string;
    /** what happens to providers that the user has not decided about */
    new_providers: "allow" | "ask" | "deny";
    /** how long a provider with calls may be silent before it is pinged; 0: never pinged */
    heartbeat_ms: number;
    /** how far progress may extend an action's deadline, in percent of the original */
    extension_percent_max: number;
    /** how long a call rings, where its provider declares nothing else */
    ring_timeout_ms: number;
    /** how long the user has to decide about video or text that the remote party asks for */
    video_request_ms: number;
    /** how long a call may be dialing, alerting or connecting without progress */
    dial_timeout_ms: number;
    /** how long a start may be silent before another start may replace it, or, if it is an emergency, before the next provider places it */
    start_silence_ms: number;
    /** how long an action waits for a call in its way to end */
    ending_wait_ms: number;
    /** how long the calls of a disconnected provider are kept */
    grace_ms: number;
    /** `grace_ms` of providers whose app is a separate process */
    separate_app_grace_ms: number;
    /** how long providers have to reconnect after a restart of the broker */
    restart_grace_ms: number;
    /** how long filters may take to decide about an incoming call */
    screening_ms: number;
    /** the greatest age of a missed or adopted call that is still believed */
    report_age_ms: number;
    /** how long a provider may take to accept a transaction as a whole */
    offer_ms: number;
    /** how long after an emergency calls of the same provider ring as call-backs */
    emergency_callback_ms: number;
    /** missed calls that rang for less are marked `short_ring` */
    short_ring_ms: number;
    /** the number of ended call ids remembered */
    ended_calls_max: number;
    /** how long an ended call id is remembered */
    ended_calls_ms: number;
    /** when calls do not ring */
    do_not_disturb: {
        /** whether the user has turned it on */
        on: boolean;
        /** when `on` ends; null: when it is turned off */
        until_at_ms: number | null;
        /** weekly periods */
        schedule: Array<{
            /** the days on which it begins; every day if left out */
            days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
            /** when it begins, in the broker's time zone */
            from: string;
            /** when it ends; on the next day if not after `from` */
            to: string;
        }>;
        /** whether a second call within three minutes rings anyway */
        repeated_calls_pass: boolean;
        /** whether calls of priority callers ring anyway */
        priority_callers_pass: boolean;
    };
    /** how much history is kept */
    history: {
        /** older entries are removed */
        days: number;
        /** the greatest number; the oldest are removed */
        entries: number;
    };
    /** which calls are emergencies, and which providers place them */
    emergency: {
        /** emergency numbers as dialed, in addition to 112, 911 and those of the region */
        numbers: Array<string>;
        /** the providers that place emergency calls, in order of preference */
        providers: Array<string>;
        /** by provider; a provider without an entry is denied */
        claims: Record<string, {
            /** whether the provider's claim makes a call that it starts an emergency; `ask`: counts as `denied`, and the user is asked about later calls */
            outgoing: "allowed" | "ask" | "denied";
            /** the same for incoming calls */
            incoming: "allowed" | "ask" | "denied";
        }>;
    };
    /** by provider, where the user has decided */
    authorization: Record<string, "not_determined" | "authorized" | "denied">;
    /** rules about what programs may do */
    rights: Array<{
        /** condition: the identity that the client gives */
        identity?: string;
        /** condition: the path of its program */
        executable?: string;
        /** condition: its sandbox; left out: `any` if there is `app`, else `none` */
        sandbox?: "none" | "flatpak" | "snap" | "other" | "unknown" | "any";
        /** condition: the id of its Flatpak, or the name of its snap */
        app?: string;
        /** condition: its service or scope of systemd, or the beginning of the name and `*` */
        unit?: string;
        /** the roles that it may have; all if left out */
        roles?: Array<"provider" | "controller" | "observer" | "screener" | "directory" | "ui" | "audio" | "admin">;
        /** the calls that it sees and reaches; all if left out */
        calls?: "all" | "own";
        /** whether numbers and names of remote parties are kept from it; false if left out */
        redacted?: boolean;
    }>;
    /** which clients may delay the audio of a call */
    handover: {
        /** the clients that are asked when an answer is fulfilled or a dialed call connects, before its app gets the audio */
        observers: Array<string>;
        /** the longest wait for them */
        wait_ms: number;
    };
    /** limits of the host */
    limits: {
        /** held groups at a time */
        held_groups: number;
        /** calls ringing or waiting at a time */
        ringing: number;
        /** calls being dialed at a time */
        dialing: number;
        /** calls of one provider */
        calls_per_provider: number;
        /** calls of all providers */
        calls: number;
    };
    /** how long an action may take, by its kind, where the provider declares nothing else */
    deadlines: {
        /** milliseconds */
        start: number;
        /** milliseconds */
        answer: number;
        /** milliseconds */
        end: number;
        /** milliseconds */
        set_held: number;
        /** milliseconds */
        set_muted: number;
        /** milliseconds */
        set_group: number;
        /** milliseconds */
        play_dtmf: number;
        /** milliseconds */
        set_endpoint: number;
        /** milliseconds */
        set_video: number;
        /** milliseconds */
        set_text: number;
        /** milliseconds */
        transfer: number;
        /** milliseconds */
        attended_transfer: number;
        /** milliseconds */
        deflect: number;
    };
    /** the provider that places a call, by URI scheme */
    default_provider: Record<string, string>;
};

/** What a client asks for. */
export interface Requests {
    /** Opens the session. */
    "broker.hello": {
        params: {
            /** the protocol majors that the client supports */
            protocol: {
                /** the oldest */
                min: number;
                /** the newest */
                max: number;
            };
            /** the client's name and version, for logs */
            client: {
                /** the name of the program */
                name: string;
                /** the release */
                version: string;
                /** its web page */
                url?: string;
            };
            /** the requested roles; observer if left out */
            roles?: Array<"provider" | "controller" | "observer" | "screener" | "directory" | "ui" | "audio" | "admin" | Other>;
            /** a stable reverse-domain name; required for provider, screener, directory and ui */
            identity?: string;
            /** optional features that the client supports, each as NAME or NAME/VERSION; unknown ones are ignored */
            features?: Array<"presentation" | "tone" | "alerting" | "audio_endpoints" | "line_settings" | "external_calls" | "ask" | "video_request" | "text" | "participant_changes" | "push" | "call_changes" | Other>;
            /** issued by `grant.issue`: clients of other users need one, others have the rights of its grant */
            credential?: string;
            /** provider: resumes an earlier session */
            resume?: {
                /** from the earlier session */
                session: string;
                /** from the earlier session */
                secret: string;
            };
        };
        result: {
            /** the chosen protocol major */
            protocol: number;
            /** the broker */
            broker: {
                /** callbroker */
                name: string;
                /** the release */
                version: string;
                /** a new one at every start */
                instance: string;
            };
            /** for `resume` in a later hello */
            session: {
                /** names the session */
                session: string;
                /** needed to resume it */
                secret: string;
                /** whether an earlier session was resumed */
                resumed: boolean;
                /** how long the session is kept after a disconnection */
                grace_ms: number;
            };
            /** the granted roles */
            granted_roles: Array<"provider" | "controller" | "observer" | "screener" | "directory" | "ui" | "audio" | "admin" | Other>;
            /** the denied roles, with reasons */
            denied_roles: Array<{
                /** the role as requested */
                role: string;
                /** the reason */
                reason: "unknown_role" | "not_granted" | "taken" | Other;
            }>;
            /** every feature of the broker by name, as {version, granted}: granted if the client named it */
            features?: Record<string, unknown>;
            /** what the policy lets the client see */
            rights?: {
                /** the calls that the client sees and reaches */
                calls: "all" | "own" | Other;
                /** whether numbers and names of remote parties are kept from it */
                redacted: boolean;
            };
            /** every limit, by name */
            limits: Record<string, unknown>;
            /** the id of the event sequence; seq counts within an epoch */
            epoch: string;
            /** the number of the latest event */
            seq: number;
            /** the broker's clocks */
            clock: {
                /** Unix time */
                now_at_ms: number;
                /** the monotonic clock */
                mono_ms: number;
            };
            /** options of a managed plugin */
            options: Record<string, unknown>;
            /** how long a provider with calls may be silent before it is pinged; 0: never pinged */
            heartbeat_ms: number;
        };
    };
    /** Checks whether the other side responds. */
    "broker.ping": {
        params: {
            /** returned unchanged */
            payload?: unknown;
        };
        result: {
            /** the payload of the ping */
            payload?: unknown;
        };
    };
    /** Returns the state of the broker. */
    "broker.info": {
        params: {};
        result: {
            /** the broker's name */
            name: string;
            /** the broker's release */
            version: string;
            /** a new one at every start */
            instance: string;
            /** the id of the event sequence; seq counts within an epoch */
            epoch: string;
            /** the number of the latest event */
            seq: number;
            /** the time since the start */
            uptime_ms: number;
            /** counts */
            counts: {
                /** open connections, including this one */
                connections: number;
                /** registered providers */
                providers?: number;
                /** calls that have not ended */
                calls?: number;
                /** subscriptions of all clients */
                subscriptions?: number;
            };
            /** the screen that gets the next call to present */
            screen?: string;
            /** the journal, from which calls are restored after a restart */
            journal: {
                /** whether calls would survive a restart: only if `kept` */
                state: "kept" | "failing" | "off" | Other;
                /** the length of the journal as written */
                bytes: number;
                /** why the journal cannot be written */
                message?: string;
                /** the folder of the journal, and of saved ones; for admins */
                folder?: string;
            };
            /** the store of contacts, blocks, history and caller directories */
            store?: {
                /** whether blocks, contacts and history are available */
                state: "kept" | "failing" | "off" | Other;
                /** the reason */
                message?: string;
            };
            /** what callbroker doctor checks; for admins */
            checks?: {
                /** whether do-not-disturb is in effect now */
                quiet: boolean;
                /** whether the broker, and plugins in its service, may open network sockets */
                network: boolean;
                /** the folders of manifests, by increasing precedence */
                plugin_folders: Array<string>;
            };
        };
    };
    /** Describes a method or an event. */
    "broker.describe": {
        params: {
            /** the name of a method or a topic */
            name: string;
        };
        result: Record<string, unknown>;
    };
    /** Returns counters since the start. */
    "broker.stats": {
        params: {};
        result: {
            /** open connections */
            connections: number;
            /** accepted connections */
            connections_accepted: number;
            /** rejected connections: too many, or too fast */
            connections_refused: number;
            /** received frames, including bad ones */
            frames_received: number;
            /** sent frames */
            frames_sent: number;
            /** received frames that are not valid JSON-RPC */
            frames_bad: number;
            /** valid requests */
            requests: number;
            /** valid notifications */
            notifications: number;
            /** replies without a request */
            responses_ignored: number;
            /** error replies */
            errors_sent: number;
            /** received bytes */
            bytes_received: number;
            /** sent bytes */
            bytes_sent: number;
            /** bytes queued for slow clients */
            bytes_queued: number;
            /** running timers */
            timers: number;
            /** turns of the loop */
            turns: number;
            /** the longest turn */
            longest_turn_ms: number;
            /** turns longer than 50 ms, which delay all clients */
            stalls: Array<{
                /** the main cause: a method, or a part of the broker's work */
                what: string;
                /** the number of turns */
                count: number;
                /** the longest turn */
                longest_ms: number;
            }>;
        };
    };
    /** Stops the broker. */
    "broker.shutdown": {
        params: {
            /** a reason for the log */
            reason?: string;
        };
        result: {};
    };
    /** Returns figures for monitoring. */
    "broker.metrics": {
        params: {};
        result: {
            /** the broker's release */
            version: string;
            /** the time since the start */
            uptime_ms: number;
            /** the upper bounds of the buckets of every latency */
            bounds_us: Array<number>;
            /** open calls; the apps with most calls first */
            calls: Array<{
                /** the app */
                provider: string;
                /** its calls by state */
                states: Array<{
                    /** the state */
                    state: string;
                    /** how often */
                    count: number;
                }>;
            }>;
            /** open calls of further apps */
            other_calls: number;
            /** requests that are not answered or not completed */
            pending: number;
            /** transactions that were carried out */
            transactions: Array<{
                /** the outcome */
                state: string;
                /** how often */
                count: number;
            }>;
            /** from the request to the last action */
            transaction_latency: {
                /** the number of durations in each bucket; the last one has all above the last bound */
                counts: Array<number>;
                /** the sum of the durations */
                sum_us: number;
            };
            /** requests that a rule has refused */
            refusals: Array<{
                /** the rule */
                rule: string;
                /** how often */
                count: number;
            }>;
            /** requests refused without a rule */
            other_refusals: number;
            /** actions that apps were requested to perform */
            actions: Array<{
                /** the kind of the action */
                kind: string;
                /** by result */
                results: Array<{
                    /** the result */
                    state: string;
                    /** how often */
                    count: number;
                }>;
                /** from the request to the result */
                latency: {
                    /** the number of durations in each bucket; the last one has all above the last bound */
                    counts: Array<number>;
                    /** the sum of the durations */
                    sum_us: number;
                };
            }>;
            /** events that should not happen */
            anomalies: Array<{
                /** the anomaly */
                anomaly: string;
                /** how often */
                count: number;
            }>;
            /** turns of the loop */
            turn_latency: {
                /** the number of durations in each bucket; the last one has all above the last bound */
                counts: Array<number>;
                /** the sum of the durations */
                sum_us: number;
            };
            /** the journal */
            journal: {
                /** whether calls would survive a restart */
                is_kept: boolean;
                /** its length */
                bytes: number;
                /** all that was written */
                written_bytes: number;
                /** how often it was begun anew */
                snapshots: number;
                /** its writes */
                latency: {
                    /** the number of durations in each bucket; the last one has all above the last bound */
                    counts: Array<number>;
                    /** the sum of the durations */
                    sum_us: number;
                };
            };
            /** the store */
            store: {
                /** whether contacts and history are available */
                is_kept: boolean;
                /** jobs without a result */
                waiting: number;
                /** its jobs, with the time that they wait */
                latency: {
                    /** the number of durations in each bucket; the last one has all above the last bound */
                    counts: Array<number>;
                    /** the sum of the durations */
                    sum_us: number;
                };
            };
            /** installed plugins */
            plugins: Array<{
                /** the state */
                state: string;
                /** how often */
                count: number;
            }>;
            /** resident memory; 0 if unknown */
            memory_bytes: number;
            /** as in broker.stats */
            stats: {
                /** open connections */
                connections: number;
                /** accepted connections */
                connections_accepted: number;
                /** rejected connections: too many, or too fast */
                connections_refused: number;
                /** received frames, including bad ones */
                frames_received: number;
                /** sent frames */
                frames_sent: number;
                /** received frames that are not valid JSON-RPC */
                frames_bad: number;
                /** valid requests */
                requests: number;
                /** valid notifications */
                notifications: number;
                /** replies without a request */
                responses_ignored: number;
                /** error replies */
                errors_sent: number;
                /** received bytes */
                bytes_received: number;
                /** sent bytes */
                bytes_sent: number;
                /** bytes queued for slow clients */
                bytes_queued: number;
                /** running timers */
                timers: number;
                /** turns of the loop */
                turns: number;
                /** the longest turn */
                longest_turn_ms: number;
                /** turns longer than 50 ms, which delay all clients */
                stalls: Array<{
                    /** the main cause: a method, or a part of the broker's work */
                    what: string;
                    /** the number of turns */
                    count: number;
                    /** the longest turn */
                    longest_ms: number;
                }>;
            };
        };
    };
    /** Returns what the broker is doing. */
    "broker.dump": {
        params: {};
        result: {
            /** requests that are not answered or not completed, the oldest first */
            transactions: Array<{
                /** its id, if the client chose one */
                transaction?: string;
                /** the number of the client's connection */
                client?: number;
                /** whether its acceptance was sent */
                accepted: boolean;
                /** the time since the request */
                age_ms: number;
            }>;
            /** actions that apps have not settled, the oldest first */
            actions: Array<{
                /** the action */
                action: string;
                /** its kind */
                kind: string;
                /** its call */
                call: string;
                /** the app */
                provider: string;
                /** its transaction */
                transaction: string;
                /** the number of the attempt */
                attempt: number;
                /** the time since it was sent */
                age_ms: number;
            }>;
            /** running timers, by purpose */
            timers: Array<{
                /** the purpose */
                what: string;
                /** the number of timers */
                count: number;
                /** the time until the first one */
                next_ms?: number;
            }>;
            /** screens, in their order */
            screens: Array<{
                /** the number of its connection */
                client: number;
                /** its identity */
                identity?: string;
                /** whether it gets the next call */
                primary: boolean;
                /** the calls that it presents */
                calls: number;
            }>;
            /** clients, with their subscriptions */
            connections: Array<{
                /** the number of the connection, as in the log */
                client: number;
                /** the process that connected */
                pid: number;
                /** its user */
                uid: number;
                /** the sandbox of the process; `unknown` if it has ended; left out before the hello */
                sandbox?: "none" | "flatpak" | "snap" | "other" | "unknown" | Other;
                /** the path of its program, where the kernel shows it to the broker */
                executable?: string;
                /** the id of its Flatpak, or the name of its snap */
                app?: string;
                /** the service or scope of systemd that it runs in */
                unit?: string;
                /** the identity of its hello */
                identity?: string;
                /** its roles */
                roles: Array<string>;
                /** present if it sees its own calls only */
                calls?: "own" | Other;
                /** true if numbers and names are kept from it */
                redacted?: boolean;
                /** the name of the grant whose credential it has sent */
                grant?: string;
                /** bytes that it has not read */
                unread_bytes: number;
                /** requests of the broker that it has not answered */
                unanswered: number;
                /** its subscriptions */
                subscriptions: Array<{
                    /** the topics */
                    topics: Array<string>;
                    /** the latest event that it was sent */
                    seq: number;
                    /** whether it waits for the client to read */
                    behind: boolean;
                }>;
            }>;
            /** events that should not happen */
            anomalies: Array<{
                /** the anomaly */
                anomaly: string;
                /** how often */
                count: number;
            }>;
            /** requests that a rule has refused */
            refusals: Array<{
                /** the rule */
                rule: string;
                /** how often */
                count: number;
            }>;
            /** whether a list was cut */
            more?: boolean;
        };
    };
    /** Copies the user's data into a folder. */
    "broker.backup": {
        params: {};
        result: {
            /** the folder that has the copies, until the next backup */
            folder: string;
        };
    };
    /** Lists the connected clients, and which programs they are. */
    "connection.list": {
        params: {
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** the clients */
            connections: Array<{
                /** the number of the connection, as in the log */
                client: number;
                /** the process that connected */
                pid: number;
                /** its user */
                uid: number;
                /** the sandbox of the process; `unknown` if it has ended; left out before the hello */
                sandbox?: "none" | "flatpak" | "snap" | "other" | "unknown" | Other;
                /** the path of its program, where the kernel shows it to the broker */
                executable?: string;
                /** the id of its Flatpak, or the name of its snap */
                app?: string;
                /** the service or scope of systemd that it runs in */
                unit?: string;
                /** the identity of its hello */
                identity?: string;
                /** its roles */
                roles: Array<string>;
                /** present if it sees its own calls only */
                calls?: "own" | Other;
                /** true if numbers and names are kept from it */
                redacted?: boolean;
                /** the name of the grant whose credential it has sent */
                grant?: string;
            }>;
            /** the end of this page, if there are more */
            next?: string;
        };
    };
    /** Registers the provider of this connection. */
    "provider.register": {
        params: {
            /** the app's display name */
            display_name: string;
            /** the types of address that it offers to call; if empty, the app itself may still call any address */
            handle_types: Array<"phone" | "email" | "generic" | Other>;
            /** the URI schemes that it can dial, such as tel */
            url_schemes?: Array<string>;
            /** whether its calls may have video; false if left out */
            supports_video?: boolean;
            /** whether its calls may have real-time text; false if left out */
            supports_text?: boolean;
            /** the limit of its call groups; 2 if left out */
            max_call_groups?: number;
            /** the limit of calls in one group; 5 if left out */
            max_calls_per_group?: number;
            /** whether the history shows its calls; true if left out */
            includes_in_recents?: boolean;
            /** a name or path */
            ringtone?: string;
            /** a name or path */
            icon?: string;
            /** the deadline of each kind of action; the policy's if left out */
            action_deadlines?: Deadlines;
            /** how long its calls ring; the policy's if left out */
            ring_timeout_ms?: number;
            /** how long its calls are kept after a disconnection; the policy's if left out */
            grace_ms?: number;
            /** whether its held calls are resumed when the call they were held for ends; if false the resume is offered to the user; true if left out */
            resume_when_freed?: boolean;
            /** whether it is offered several actions as one transaction; false if left out */
            takes_transactions?: boolean;
            /** `separate`: an adapter, whose calls continue when this process ends */
            app_process?: "self" | "separate";
            /** an app with calls of its own, an adapter of an app, a modem, or an app that is only `watched`; app if left out */
            kind?: "app" | "adapter" | "modem" | "watched";
            /** its accounts, such as SIP addresses or SIM cards */
            lines?: Array<Line>;
            /** the types of push that it takes, such as voip; none if left out */
            push_types?: Array<"voip" | "complication" | "file_provider" | Other>;
            /** how a call starts the app when it does not run: one of `dbus` and `desktop`; not for plugins, which have a manifest; calls cannot start it if left out */
            start_by?: {
                /** a name for which the session bus starts a service */
                dbus?: string;
                /** the id of a desktop file */
                desktop?: string;
            };
            /** all live calls, after a reconnection */
            calls?: Array<LiveCall>;
            /** whether another registration with more calls follows */
            more?: boolean;
        };
        result: {
            /** the identity of the connection */
            provider: string;
            /** the user's authorization */
            authorization: "not_determined" | "authorized" | "denied";
            /** the accepted limits */
            limits: Limits;
            /** its calls after the registration */
            calls: Array<string>;
            /** true if there are more calls than listed: see call.list */
            more?: boolean;
            /** listed calls for which there is no room: the provider has to end them */
            dropped: Array<string>;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Changes the provider's registration. */
    "provider.update": {
        params: {
            /** the app's display name */
            display_name?: string;
            /** the types of address that it offers to call; if empty, the app itself may still call any address */
            handle_types?: Array<"phone" | "email" | "generic" | Other>;
            /** the URI schemes that it can dial, such as tel */
            url_schemes?: Array<string>;
            /** whether its calls may have video; false if left out */
            supports_video?: boolean;
            /** whether its calls may have real-time text; false if left out */
            supports_text?: boolean;
            /** the limit of its call groups; 2 if left out */
            max_call_groups?: number;
            /** the limit of calls in one group; 5 if left out */
            max_calls_per_group?: number;
            /** whether the history shows its calls; true if left out */
            includes_in_recents?: boolean;
            /** a name or path */
            ringtone?: string | null;
            /** a name or path */
            icon?: string | null;
            /** the deadline of each kind of action; the policy's if left out */
            action_deadlines?: Deadlines | null;
            /** how long its calls ring; the policy's if left out */
            ring_timeout_ms?: number | null;
            /** how long its calls are kept after a disconnection; the policy's if left out */
            grace_ms?: number | null;
            /** whether its held calls are resumed when the call they were held for ends; if false the resume is offered to the user; true if left out */
            resume_when_freed?: boolean;
            /** whether it is offered several actions as one transaction; false if left out */
            takes_transactions?: boolean;
            /** `separate`: an adapter, whose calls continue when this process ends */
            app_process?: "self" | "separate";
            /** an app with calls of its own, an adapter of an app, a modem, or an app that is only `watched`; app if left out */
            kind?: "app" | "adapter" | "modem" | "watched";
            /** its accounts, such as SIP addresses or SIM cards */
            lines?: Array<Line>;
            /** the types of push that it takes, such as voip; none if left out */
            push_types?: Array<"voip" | "complication" | "file_provider" | Other>;
            /** how a call starts the app when it does not run: one of `dbus` and `desktop`; not for plugins, which have a manifest; calls cannot start it if left out */
            start_by?: {
                /** a name for which the session bus starts a service */
                dbus?: string;
                /** the id of a desktop file */
                desktop?: string;
            } | null;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Removes the provider. */
    "provider.unregister": {
        params: {};
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Has the user asked whether the provider may have calls. */
    "provider.request_authorization": {
        params: {};
        result: {
            /** the user's authorization */
            status: "not_determined" | "authorized" | "denied";
            /** whether the user is being asked; false if that is decided, or was put off */
            asked: boolean;
        };
    };
    /** Lists the providers. */
    "provider.list": {
        params: {
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** ordered by name */
            providers: Array<RegisteredProvider>;
            /** present if there are more: pass it as `after` */
            next?: string;
            /** first page: the apps that do not run and that a call can start (`start_by`) */
            startable?: Array<{
                /** the identity of the provider */
                provider: string;
                /** the app's display name */
                display_name: string;
                /** how a call starts it */
                start_by: {
                    /** a name for which the session bus starts a service */
                    dbus?: string;
                    /** the id of a desktop file */
                    desktop?: string;
                };
                /** the types of push that it takes, if any */
                push_types?: Array<"voip" | "complication" | "file_provider" | Other>;
                /** the user's authorization */
                authorization: "not_determined" | "authorized" | "denied";
            }>;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports an incoming call. */
    "call.report_incoming": {
        params: Update & {
            /** the id of the call, never used again */
            call: string;
            /** the caller */
            remote: Handle;
            /** when the provider received the call */
            received_at_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
        };
        result: {
            /** the call */
            call: string;
            /** `waiting`: behind another call */
            state: "ringing" | "waiting" | Other;
            /** how the app may ring; `tone`: the user is in a call, so at most a short tone */
            presentation: "ring" | "tone" | "silent" | Other;
            /** true for a dry run */
            dry_run?: boolean;
            /** in a dry run: the rule that decides */
            rule?: string;
            /** in a dry run: the filters that a report would start; they may decide otherwise */
            unasked?: Array<string>;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the remote party's device rings. */
    "call.report_alerting": {
        params: {
            /** the call */
            call: string;
            /** whether the remote side sends sound before its answer; unchanged if left out */
            has_early_media?: boolean;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the remote party has answered. */
    "call.report_connecting": {
        params: {
            /** the call */
            call: string;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that both sides can talk. */
    "call.report_connected": {
        params: {
            /** the call */
            call: string;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the app has held or resumed a call on its own. */
    "call.report_held": {
        params: {
            /** the call */
            call: string;
            /** whether the call is held */
            held: boolean;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the app has muted or unmuted a call on its own. */
    "call.report_muted": {
        params: {
            /** the call */
            call: string;
            /** whether the call is muted */
            muted: boolean;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the app has merged or split its calls on its own. */
    "call.report_group": {
        params: {
            /** the call */
            call: string;
            /** a call of the group that it belongs to; null: it is alone */
            with: string | null;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports a call that was missed while the provider was away. */
    "call.report_missed": {
        params: Update & {
            /** the id of the call, never used again */
            call: string;
            /** the caller */
            remote: Handle;
            /** why the call was missed */
            reason: "unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call";
            /** when the call arrived */
            at_ms: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports changed properties of a call. */
    "call.report_update": {
        params: Update & {
            /** the call */
            call: string;
            /** the remote party */
            remote?: Handle | null;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the remote party has ended the call, or that it failed. */
    "call.report_ended": {
        params: {
            /** the call */
            call: string;
            /** why the call ended */
            reason: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere";
            /** the app's own words for it */
            end_detail?: EndDetail;
            /** the device that has answered or declined it instead */
            elsewhere?: string;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports a call that is live on another device of the same account. */
    "call.report_external": {
        params: Update & {
            /** the id of the call, never used for another */
            call: string;
            /** the direction there; incoming if left out */
            direction?: "incoming" | "outgoing";
            /** the remote party */
            remote?: Handle | null;
            /** when the call began; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports how well the sound of a call is transmitted. */
    "call.report_quality": {
        params: {
            /** the call */
            call: string;
            /** lost packets of a thousand, since the report before */
            loss_permille?: number;
            /** the variation of the packets' time of arrival */
            jitter_ms?: number;
            /** the time to the remote side and back */
            round_trip_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports that the remote party asks for video. */
    "call.report_video_request": {
        params: {
            /** the call */
            call: string;
            /** the direction that this side would have; null: no longer */
            video: "send" | "receive" | "both" | null;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports who takes part in a conference that the far end runs. */
    "call.report_participants": {
        params: {
            /** the call */
            call: string;
            /** those who are new or have changed, each as a whole */
            changed?: Array<{
                /** an id of the app's own, unique in the call */
                participant: string;
                /** the name to show */
                name?: string;
                /** the address */
                handle?: Handle;
                /** `joining`: invited or being connected; `joined` (default); `waiting`: in the lobby; `held`: holds the conference */
                state?: "joining" | "joined" | "waiting" | "held" | Other;
                /** whether the participant is muted in the conference */
                muted?: boolean;
                /** whether the participant has raised a hand */
                hand_raised?: boolean;
                /** whether it is the participant at this host */
                self?: boolean;
                /** what the user may change with participant.update; nothing if left out */
                changeable?: Array<"muted" | "hand_raised" | Other>;
            }>;
            /** those who have left */
            removed?: Array<string>;
            /** whether all who were reported before are forgotten first */
            replace?: boolean;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Lists the participants of a conference. */
    "participant.list": {
        params: {
            /** the call */
            call: string;
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** the call */
            call: string;
            /** the number of participants */
            count: number;
            /** in order of their first report */
            participants: Array<{
                /** an id of the app's own, unique in the call */
                participant: string;
                /** the name to show */
                name?: string;
                /** the address */
                handle?: Handle;
                /** `joining`: invited or being connected; `joined` (default); `waiting`: in the lobby; `held`: holds the conference */
                state?: "joining" | "joined" | "waiting" | "held" | Other;
                /** whether the participant is muted in the conference */
                muted?: boolean;
                /** whether the participant has raised a hand */
                hand_raised?: boolean;
                /** whether it is the participant at this host */
                self?: boolean;
                /** what the user may change with participant.update; nothing if left out */
                changeable?: Array<"muted" | "hand_raised" | Other>;
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Mutes a participant of a conference, or raises a hand. */
    "participant.update": {
        params: {
            /** the call */
            call: string;
            /** the id of the participant */
            participant: string;
            /** whether the participant is muted in the conference */
            muted?: boolean;
            /** whether the participant has raised a hand */
            hand_raised?: boolean;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports the outcome of an action of an accepted transaction. */
    "action.settle": {
        params: {
            /** from provider.execute */
            action: string;
            /** the outcome */
            outcome: "fulfilled" | "failed";
            /** when it happened; now if left out */
            at_ms?: number;
            /** failed: a stable word */
            reason?: string;
            /** failed: a sentence for people */
            message?: string;
            /** failed: the code of the app's protocol or network */
            app_code?: string;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Changes a setting that the network keeps for a line. */
    "line.set_setting": {
        params: {
            /** the provider that has the line */
            provider: string;
            /** the id of the line */
            line: string;
            /** `forward_always`, or while the line is in a call (`forward_busy`), does not answer (`forward_no_reply`), or cannot be reached (`forward_unreachable`); `call_waiting`; `caller_id_hidden` */
            setting: "forward_always" | "forward_busy" | "forward_no_reply" | "forward_unreachable" | "call_waiting" | "caller_id_hidden";
            /** whether the setting is on */
            on: boolean;
            /** where calls are forwarded */
            to?: Handle;
            /** the time after which forward_no_reply forwards; the network's if left out */
            after_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Delivers a push to an app. */
    "push.deliver": {
        params: {
            /** the app's provider */
            provider: string;
            /** what the server has sent, at most 5120 bytes as JSON */
            payload: Record<string, unknown>;
            /** the type of push; voip if left out */
            type?: "voip" | "complication" | "file_provider" | Other;
            /** how long it waits for the app; 30000 if left out, 0: not at all */
            ttl_ms?: number;
            /** when to reply: at once, or when the app has handled it; accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: {
            /** the id of the push */
            push: string;
            /** whether it was sent to the app; false: it waits */
            delivered: boolean;
            /** true if the app is being started for it */
            started?: boolean;
            /** with `wait` `completed`: whether the app has reported a call since */
            reported_call?: boolean;
        };
    };
    /** Has VoIP pushes delivered again to an app that has reported no calls for them. */
    "push.reset": {
        params: {
            /** the app's provider */
            provider: string;
        };
        result: {};
    };
    /** Reports the address at which a server can push to an app. */
    "push.set_token": {
        params: {
            /** the app's provider */
            provider: string;
            /** the type of push */
            type: "voip" | "complication" | "file_provider" | Other;
            /** the address; none: no longer valid */
            token?: string | null;
        };
        result: {};
    };
    /** Reports that the remote party asks for real-time text. */
    "call.report_text_request": {
        params: {
            /** the call */
            call: string;
            /** true: the remote party asks; false: no longer */
            requested: boolean;
            /** when it happened; now if left out */
            at_ms?: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Reports what the remote party has typed. */
    "call.report_text": {
        params: {
            /** the call */
            call: string;
            /** the characters, as typed; U+0008 erases one, U+2028 begins a line */
            text: string;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Sends what the user has typed to the remote party. */
    "call.send_text": {
        params: {
            /** the call */
            call: string;
            /** the characters, as typed; U+0008 erases one, U+2028 begins a line */
            text: string;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Requests actions, executed in order as one transaction. */
    "transaction.request": {
        params: Options & {
            /** the actions, in order */
            actions: Array<{
                /** the kind of action */
                kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
                /** the call; for a start, generated if left out */
                call?: string;
                /** start: the provider that places the call */
                provider?: string;
                /** the arguments, as in the method for the kind */
                arguments?: Record<string, unknown>;
                /** what happens to the live call; `answer` if left out */
                choice?: "answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer";
            }>;
        };
        result: Transaction;
    };
    /** Starts a call. */
    "call.start": {
        params: {
            /** the address to call */
            remote: Handle;
            /** whether the call starts with video; false if left out */
            has_video?: boolean;
            /** whether the call starts with real-time text; false if left out */
            has_text?: boolean;
            /** the id of a contact, for the app */
            contact?: string;
            /** the line that places the call; the provider's default, or its choice, if left out */
            line?: string;
            /** whether to mark the call as an emergency; calls to emergency numbers are emergencies anyway, and an app's mark counts only with `emergency.claims` of the policy */
            emergency?: boolean;
            /** whether to mark the call as one that makes way for all others: it is refused while another is live or rings */
            background?: boolean;
            /** the id of the new call; generated if left out */
            call?: string;
            /** the provider that places the call */
            provider?: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Answers a call. */
    "call.answer": {
        params: {
            /** the call */
            call: string;
            /** what happens to the live call; `answer` if left out */
            choice?: "answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer";
            /** the video that the call is answered with; what it has if left out */
            video?: "off" | "send" | "receive" | "both";
            /** whether the call is answered with real-time text; as it is if left out */
            text?: boolean;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Pulls a call from another device here. */
    "call.pull": {
        params: {
            /** the call */
            call: string;
            /** what happens to the live call; `answer` if left out */
            choice?: "answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer";
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Ends, declines or cancels a call. */
    "call.end": {
        params: Options & {
            /** the call */
            call: string;
        };
        result: Transaction;
    };
    /** Holds or resumes a call. */
    "call.set_held": {
        params: {
            /** the call */
            call: string;
            /** whether to hold or to resume */
            held: boolean;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Mutes or unmutes a call. */
    "call.set_muted": {
        params: {
            /** the call */
            call: string;
            /** whether to mute or to unmute */
            muted: boolean;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Moves a call into a group, or out of its own. */
    "call.set_group": {
        params: {
            /** the call */
            call: string;
            /** a call of the group to join; null: leave the group */
            with: string | null;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Sends DTMF tones. */
    "call.play_dtmf": {
        params: {
            /** the call */
            call: string;
            /** the tones, in order; , and p are pauses, ; and w wait for the user */
            digits: string;
            /** how the user entered the tones; single if left out */
            style?: "single" | "soft_pause" | "hard_pause";
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Dials a URI. */
    "call.dial": {
        params: {
            /** the URI, with its scheme */
            uri: string;
            /** the provider that places the call */
            provider?: string;
            /** the line that places the call; without a provider, the one that has it */
            line?: string;
            /** whether the call starts with video; false if left out */
            has_video?: boolean;
            /** whether the call starts with real-time text; false if left out */
            has_text?: boolean;
            /** the id of the new call; generated if left out */
            call?: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Moves the sound of a call to another endpoint. */
    "call.set_endpoint": {
        params: {
            /** the call */
            call: string;
            /** the id of one of the call's `endpoints` */
            endpoint: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Adds video to a call, changes its direction, or takes it away. */
    "call.set_video": {
        params: {
            /** the call */
            call: string;
            /** the direction of the video, as seen from here */
            video: "off" | "send" | "receive" | "both";
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Adds real-time text to a call, or takes it away. */
    "call.set_text": {
        params: {
            /** the call */
            call: string;
            /** whether the call has real-time text */
            text: boolean;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Transfers a call to an address. */
    "call.transfer": {
        params: {
            /** the call */
            call: string;
            /** the address of the new party */
            to: Handle;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Joins the remote parties of two calls. */
    "call.attended_transfer": {
        params: {
            /** the call */
            call: string;
            /** the call whose remote party is joined */
            with: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Sends an incoming call to another address. */
    "call.deflect": {
        params: {
            /** the call */
            call: string;
            /** the address that the call is sent to */
            to: Handle;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Swaps the live call and a held one. */
    "call.swap": {
        params: {
            /** the held call; required if there are several */
            call?: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Merges two calls into a conference. */
    "call.merge": {
        params: {
            /** the call */
            call: string;
            /** a call of the group to join */
            with: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Splits a call from its conference. */
    "call.split": {
        params: {
            /** the call */
            call: string;
            /** an id chosen by the client: a repeated request with the same id is executed once; generated if left out */
            transaction?: string;
            /** the deadline of each action, from its dispatch; the provider's if left out */
            deadline_ms?: number;
            /** whether to return only what would happen */
            dry_run?: boolean;
            /** if the live call cannot be held, or a start exceeds `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user); hold if left out */
            on_conflict?: "hold" | "end";
            /** when to reply: after the checks (`accepted`), or when all actions are done (`completed`); accepted if left out */
            wait?: "accepted" | "completed";
        };
        result: Transaction;
    };
    /** Presses the headset button. */
    "call.press_button": {
        params: {
            /** the length of the press */
            press: "short" | "long";
        };
        result: Transaction;
    };
    /** Silences a ringing call. */
    "call.silence": {
        params: {
            /** the call */
            call: string;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Marks a call as one of a priority caller. */
    "call.prioritize": {
        params: {
            /** the call */
            call: string;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Asks whether a call would ring. */
    "call.may_ring": {
        params: Update & {
            /** the app that would report the call */
            provider: string;
            /** the caller */
            remote: Handle;
        };
        result: {
            /** the call */
            call: string;
            /** `waiting`: behind another call */
            state: "ringing" | "waiting" | Other;
            /** how the app may ring; `tone`: the user is in a call, so at most a short tone */
            presentation: "ring" | "tone" | "silent" | Other;
            /** true for a dry run */
            dry_run?: boolean;
            /** in a dry run: the rule that decides */
            rule?: string;
            /** in a dry run: the filters that a report would start; they may decide otherwise */
            unasked?: Array<string>;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Sends the tones that wait behind a pause. */
    "call.continue_tones": {
        params: {
            /** the call */
            call: string;
            /** false drops the tones, and the result has no actions; true if left out */
            send?: boolean;
        };
        result: Transaction;
    };
    /** Reports the audio endpoints of the host. */
    "audio.report_endpoints": {
        params: {
            /** the endpoints, which replace the former ones */
            endpoints: Array<Endpoint>;
        };
        result: {
            /** the endpoint that the user has chosen last, even if it is not in the list */
            chosen?: string;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Chooses an audio endpoint of the host. */
    "audio.set_endpoint": {
        params: {
            /** the id of the endpoint */
            endpoint: string;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Lists the calls. */
    "call.list": {
        params: {
            /** only calls that match all members */
            filter?: {
                /** calls of this provider */
                provider?: string;
                /** calls in this state */
                state?: "starting" | "dialing" | "alerting" | "ringing" | "waiting" | "connecting" | "active" | "held" | "ending" | "ended" | "external";
                /** the direction */
                direction?: "incoming" | "outgoing";
            };
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
            /** whether to include ended calls that are still kept; false if left out */
            include_ended?: boolean;
        };
        result: {
            /** in order of creation */
            calls: Array<Call>;
            /** present if there are more: pass it as `after` to call.list */
            next?: string;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Returns a call. */
    "call.get": {
        params: {
            /** the call */
            call: string;
        };
        result: Call & {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Explains the decisions about a call or a transaction. */
    "call.explain": {
        params: {
            /** the call */
            call?: string;
            /** the transaction */
            transaction?: string;
        };
        result: {
            /** oldest first */
            steps: Array<{
                /** the number of the latest published event */
                seq: number;
                /** the time */
                at_ms: number;
                /** the deciding rule; left out if no rule applied */
                rule?: string;
                /** a stable word */
                decision: string;
                /** why the request was refused or failed */
                reason?: string;
                /** the call */
                call?: string;
                /** why the call ended */
                end_reason?: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
                /** the app's own words for the end */
                end_detail?: EndDetail;
                /** the device that has answered or declined it instead */
                elsewhere?: string;
                /** the app's reason for not performing the action */
                failure?: {
                    /** the error code */
                    code: number;
                    /** a stable word */
                    reason: string;
                    /** a sentence for people */
                    message?: string;
                    /** the code of the app's protocol or network */
                    app_code?: string;
                };
                /** the filter that blocked or silenced the call */
                filtered_by?: string;
                /** the deciding screener's explanation, or why one, or the store, gave no answer */
                explanation?: {
                    /** the screener, `store` or `broker` */
                    by: string;
                    /** the explanation */
                    text: string;
                };
                /** the cause of the decision */
                cause: Cause;
                /** the calls in the way */
                blocking?: Array<{
                    /** the call */
                    call: string;
                    /** its provider */
                    provider: string;
                }>;
            }>;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Returns the time line of a call. */
    "call.timeline": {
        params: {
            /** the call */
            call: string;
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** the call */
            call: string;
            /** its provider, if the call is known */
            provider?: string;
            /** the direction */
            direction?: "incoming" | "outgoing";
            /** oldest first */
            entries: Array<{
                /** the number of the latest published event */
                seq: number;
                /** the time */
                at_ms: number;
                /** the kind of entry */
                event: "decision" | "change" | "action" | "audio" | "quality" | "anomaly" | Other;
                /** a decision, as in call.explain */
                decision?: {
                    /** the deciding rule; left out if no rule applied */
                    rule?: string;
                    /** a stable word */
                    decision: string;
                    /** why the request was refused or failed */
                    reason?: string;
                    /** the call */
                    call?: string;
                    /** why the call ended */
                    end_reason?: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
                    /** the app's own words for the end */
                    end_detail?: EndDetail;
                    /** the device that has answered or declined it instead */
                    elsewhere?: string;
                    /** the app's reason for not performing the action */
                    failure?: {
                        /** the error code */
                        code: number;
                        /** a stable word */
                        reason: string;
                        /** a sentence for people */
                        message?: string;
                        /** the code of the app's protocol or network */
                        app_code?: string;
                    };
                    /** the filter that blocked or silenced the call */
                    filtered_by?: string;
                    /** the deciding screener's explanation, or why one, or the store, gave no answer */
                    explanation?: {
                        /** the screener, `store` or `broker` */
                        by: string;
                        /** the explanation */
                        text: string;
                    };
                    /** the cause of the decision */
                    cause: Cause;
                    /** the calls in the way */
                    blocking?: Array<{
                        /** the call */
                        call: string;
                        /** its provider */
                        provider: string;
                    }>;
                };
                /** the call was added, or has changed */
                change?: {
                    /** the state since then */
                    state: "starting" | "dialing" | "alerting" | "ringing" | "waiting" | "connecting" | "active" | "held" | "ending" | "ended" | "external" | Other;
                    /** the changed members; left out if the call was added */
                    changed?: Array<"state" | "pending_action" | "held_because_of" | "resume_offered" | "group" | "muted" | "silenced" | "provider_connected" | "remote" | "display_name" | "has_video" | "supports_holding" | "supports_grouping" | "supports_ungrouping" | "supports_dtmf" | "supports_transfer" | "supports_attended_transfer" | "supports_deflect" | "remote_held" | "has_early_media" | "priority" | "line" | "forwarded_from" | "verification" | "external_id" | "endpoints" | "elsewhere" | "supports_pull" | "video" | "supports_set_video" | "video_request" | "has_text" | "supports_set_text" | "text_request" | "caller" | "end_reason" | "end_cause" | "end_detail" | Other>;
                    /** whether it is muted since then, if that has changed */
                    muted?: boolean;
                    /** its group since then, if that has changed */
                    group?: string;
                    /** the call that its group is held for since then, if that has changed */
                    held_because_of?: string;
                    /** the cause */
                    cause: Cause;
                };
                /** an action for the call was sent, or settled */
                action?: {
                    /** the action */
                    action: string;
                    /** its kind */
                    kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
                    /** its transaction */
                    transaction: string;
                    /** its state since then; `late`: a reply came after the end of its time */
                    state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled" | "late" | Other;
                    /** the number of the attempt */
                    attempt: number;
                    /** the app's reason, if it failed */
                    failure?: {
                        /** the error code */
                        code: number;
                        /** a stable word */
                        reason: string;
                        /** a sentence for people */
                        message?: string;
                        /** the code of the app's protocol or network */
                        app_code?: string;
                    };
                };
                /** microphone and speaker were given to the call's group, or taken from it */
                audio?: {
                    /** whether the call has microphone and speaker now */
                    active: boolean;
                };
                /** the app has reported the quality of the call */
                quality?: {
                    /** lost packets of a thousand, since the report before */
                    loss_permille?: number;
                    /** the variation of the packets' time of arrival */
                    jitter_ms?: number;
                    /** the time to the remote side and back */
                    round_trip_ms?: number;
                };
                /** an event that should not happen, as in broker.anomaly */
                anomaly?: {
                    /** the anomaly */
                    anomaly: "start_silent" | "dial_stuck" | "provider_silent" | "group_over_limit" | "video_undeclared" | "active_unasked" | "provider_hung" | "emergency_claimed" | Other;
                };
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Lists the latest transactions. */
    "transaction.list": {
        params: {
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** the latest first */
            transactions: Array<{
                /** its id */
                transaction: string;
                /** its state */
                state: "accepted" | "completed" | "failed" | Other;
                /** when it was accepted */
                accepted_at_ms: number;
                /** the time until its first action was sent; so far or in all if none was */
                wait_ms: number;
                /** the time since then, until it was completed; left out if none was */
                run_ms?: number;
                /** its first actions, in order */
                actions: Array<PlannedAction>;
                /** the number of its other actions */
                more_actions?: number;
                /** why it failed */
                reason?: string;
                /** the origin of the request, and the rule of the broker's own */
                cause: Cause;
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Subscribes to topics. */
    "events.subscribe": {
        params: {
            /** topics: names and patterns */
            topics: Array<string>;
            /** the event to continue after */
            cursor?: {
                /** from the last received event */
                epoch: string;
                /** from the last received event */
                seq: number;
            };
            /** whether the reply contains a snapshot; true if left out */
            snapshot?: boolean;
            /** whether to include ended calls that are still kept; false if left out */
            include_ended?: boolean;
            /** what call.changed has: the whole call (full, if left out), or its changes */
            detail?: "full" | "changes";
        };
        result: {
            /** the number of the subscription on this connection, from 1 */
            subscription: number;
            /** the id of the event sequence; seq counts within an epoch */
            epoch: string;
            /** the number of the latest event */
            seq: number;
            /** true if the cursor was too old: discard all state, and use this snapshot */
            resync: boolean;
            /** the snapshot: the host, and the first page of calls */
            snapshot?: {
                /** in order of creation */
                calls: Array<Call>;
                /** present if there are more: pass it as `after` to call.list */
                next?: string;
                /** the host */
                host: {
                    /** the live group */
                    live_group?: string;
                    /** the number of held groups */
                    held_groups: number;
                    /** the number of ringing and waiting calls */
                    ringing: number;
                    /** whether a request is waiting for other calls to be held or ended */
                    busy: boolean;
                    /** whether there is an emergency call */
                    emergency: boolean;
                    /** the group that has microphone and speaker */
                    audio_group?: string;
                    /** the audio endpoints of the host; left out if no client reports them */
                    endpoints?: Array<Endpoint>;
                    /** the screen that is offered calls first; left out if there is none */
                    screen?: string;
                    /** what the user is doing; left out for clients that see their own calls only */
                    presence?: {
                        /** what the user is doing */
                        state: "free" | "ringing" | "in_call" | "on_hold" | "ringing_in_call" | "do_not_disturb" | Other;
                        /** the time since when, at most since the broker's start */
                        since_ms: number;
                    };
                };
            };
        };
    };
    /** Ends a subscription. */
    "events.unsubscribe": {
        params: {
            /** the number of the subscription on this connection, from 1 */
            subscription: number;
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Returns the state of the host. */
    "host.get": {
        params: {};
        result: {
            /** the live group */
            live_group?: string;
            /** the number of held groups */
            held_groups: number;
            /** the number of ringing and waiting calls */
            ringing: number;
            /** whether a request is waiting for other calls to be held or ended */
            busy: boolean;
            /** whether there is an emergency call */
            emergency: boolean;
            /** the group that has microphone and speaker */
            audio_group?: string;
            /** the audio endpoints of the host; left out if no client reports them */
            endpoints?: Array<Endpoint>;
            /** the screen that is offered calls first; left out if there is none */
            screen?: string;
            /** what the user is doing; left out for clients that see their own calls only */
            presence?: {
                /** what the user is doing */
                state: "free" | "ringing" | "in_call" | "on_hold" | "ringing_in_call" | "do_not_disturb" | Other;
                /** the time since when, at most since the broker's start */
                since_ms: number;
            };
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Claims the presentation of calls. */
    "ui.claim": {
        params: {
            /** the highest priority wins; 0 if left out */
            priority?: number;
            /** whether the screen rings for calls that it presents, so that apps with the feature presentation are silent; false if left out */
            sound?: boolean;
        };
        result: {
            /** whether this screen gets the next call */
            primary: boolean;
        };
    };
    /** Releases the claim. */
    "ui.release": {
        params: {};
        result: {
            /** whether this screen gets the next call */
            primary: boolean;
        };
    };
    /** Lists the questions about apps that the user has not answered. */
    "question.list": {
        params: {};
        result: {
            /** oldest first */
            questions: Array<{
                /** the number of the question */
                question: number;
                /** what the app is to be allowed: to have calls, or to mark them as emergencies */
                subject: "calls" | "outgoing_emergencies" | "incoming_emergencies" | Other;
                /** the app */
                provider: string;
                /** the name by which the app has registered */
                display_name?: string;
                /** the sandbox of its program, as in connection.list */
                sandbox?: string;
                /** the path of its program */
                executable?: string;
                /** the id of its Flatpak, or the name of its snap */
                app?: string;
                /** the service or scope of systemd that it runs in */
                unit?: string;
            }>;
        };
    };
    /** Answers a question about an app. */
    "question.answer": {
        params: {
            /** its number */
            question: number;
            /** `later` decides nothing, like an error, and no answer in time */
            answer: "allow" | "deny" | "later";
        };
        result: {
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Returns the policy. */
    "policy.get": {
        params: {};
        result: {
            /** the policy */
            policy: Policy;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Changes members of the policy. */
    "policy.set": {
        params: {
            /** if a hold fails: keep the call and refuse what waited for the hold, or end the call */
            on_hold_failure?: "keep" | "end";
            /** an answer or start while the live call cannot be held: refuse it, or end the call */
            on_cannot_hold?: "refuse" | "end";
            /** whether the group that is owed a resume is resumed when the user, or a call's app, ends or declines the last other call; otherwise the resume is offered */
            resume_after_user_end?: boolean;
            /** whether it is resumed when that call ends in another way; otherwise it is offered */
            resume_after_remote_end?: boolean;
            /** whether an incoming call is refused, and missed, while a group is live; favorites, priority callers, callers that a screener allows, emergencies and their call-backs wait as usual */
            busy_in_call?: boolean;
            /** a start while another call rings or waits; emergencies are always started */
            dial_while_ringing?: "allow" | "refuse";
            /** the user's start with video at an app without it: without video, or refused */
            video_fallback?: "audio" | "refuse";
            /** what a short button press does to a single active call */
            button_active?: "end" | "mute";
            /** whether calls can be emergencies */
            allows_emergency?: boolean;
            /** the providers whose claims that a caller has priority count */
            priority_claims?: Array<string>;
            /** sets all `deadlines`: to the defaults, or to CallKit's, where a start may take ten minutes; reads `compatible` while the deadlines are exactly CallKit's */
            timeouts?: "default" | "compatible";
            /** whether callers that are not in the contacts ring aloud or silently */
            unknown_callers?: "ring" | "silence";
            /** the country of numbers without a country code; empty: such numbers stay unchanged */
            region?: string;
            /** what happens to providers that the user has not decided about */
            new_providers?: "allow" | "ask" | "deny";
            /** how long a provider with calls may be silent before it is pinged; 0: never pinged */
            heartbeat_ms?: number;
            /** how far progress may extend an action's deadline, in percent of the original */
            extension_percent_max?: number;
            /** how long a call rings, where its provider declares nothing else */
            ring_timeout_ms?: number;
            /** how long the user has to decide about video or text that the remote party asks for */
            video_request_ms?: number;
            /** how long a call may be dialing, alerting or connecting without progress */
            dial_timeout_ms?: number;
            /** how long a start may be silent before another start may replace it, or, if it is an emergency, before the next provider places it */
            start_silence_ms?: number;
            /** how long an action waits for a call in its way to end */
            ending_wait_ms?: number;
            /** how long the calls of a disconnected provider are kept */
            grace_ms?: number;
            /** `grace_ms` of providers whose app is a separate process */
            separate_app_grace_ms?: number;
            /** how long providers have to reconnect after a restart of the broker */
            restart_grace_ms?: number;
            /** how long filters may take to decide about an incoming call */
            screening_ms?: number;
            /** the greatest age of a missed or adopted call that is still believed */
            report_age_ms?: number;
            /** how long a provider may take to accept a transaction as a whole */
            offer_ms?: number;
            /** how long after an emergency calls of the same provider ring as call-backs */
            emergency_callback_ms?: number;
            /** missed calls that rang for less are marked `short_ring` */
            short_ring_ms?: number;
            /** the number of ended call ids remembered */
            ended_calls_max?: number;
            /** how long an ended call id is remembered */
            ended_calls_ms?: number;
            /** when calls do not ring; absent members keep their values */
            do_not_disturb?: {
                /** whether the user has turned it on */
                on?: boolean;
                /** when `on` ends; null: when it is turned off */
                until_at_ms?: number | null;
                /** weekly periods */
                schedule?: Array<{
                    /** the days on which it begins; every day if left out */
                    days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
                    /** when it begins, in the broker's time zone */
                    from: string;
                    /** when it ends; on the next day if not after `from` */
                    to: string;
                }>;
                /** whether a second call within three minutes rings anyway */
                repeated_calls_pass?: boolean;
                /** whether calls of priority callers ring anyway */
                priority_callers_pass?: boolean;
            };
            /** how much history is kept */
            history?: {
                /** older entries are removed */
                days?: number;
                /** the greatest number; the oldest are removed */
                entries?: number;
            };
            /** by provider; null removes an entry, absent ones stay */
            authorization?: Record<string, "authorized" | "denied" | null>;
            /** which calls are emergencies, and which providers place them; absent members keep their values */
            emergency?: {
                /** emergency numbers as dialed, in addition to 112, 911 and those of the region */
                numbers?: Array<string>;
                /** the providers that place emergency calls, in order of preference */
                providers?: Array<string>;
                /** by provider; null removes an entry, absent ones stay */
                claims?: Record<string, {
                    /** whether the provider's claim makes a call that it starts an emergency; `ask`: counts as `denied`, and the user is asked about later calls */
                    outgoing?: "allowed" | "ask" | "denied";
                    /** the same for incoming calls */
                    incoming?: "allowed" | "ask" | "denied";
                } | null>;
            };
            /** rules about what programs may do, instead of the former ones: the first that applies to a client counts */
            rights?: Array<{
                /** condition: the identity that the client gives */
                identity?: string;
                /** condition: the path of its program */
                executable?: string;
                /** condition: its sandbox; left out: `any` if there is `app`, else `none` */
                sandbox?: "none" | "flatpak" | "snap" | "other" | "unknown" | "any";
                /** condition: the id of its Flatpak, or the name of its snap */
                app?: string;
                /** condition: its service or scope of systemd, or the beginning of the name and `*` */
                unit?: string;
                /** the roles that it may have; all if left out */
                roles?: Array<"provider" | "controller" | "observer" | "screener" | "directory" | "ui" | "audio" | "admin">;
                /** the calls that it sees and reaches; all if left out */
                calls?: "all" | "own";
                /** whether numbers and names of remote parties are kept from it; false if left out */
                redacted?: boolean;
            }>;
            /** which clients may delay the audio of a call; absent members keep their values */
            handover?: {
                /** the clients that are asked when an answer is fulfilled or a dialed call connects, before its app gets the audio */
                observers?: Array<string>;
                /** the longest wait for them */
                wait_ms?: number;
            };
            /** limits of the host; absent members keep their values */
            limits?: {
                /** held groups at a time */
                held_groups?: number;
                /** calls ringing or waiting at a time */
                ringing?: number;
                /** calls being dialed at a time */
                dialing?: number;
                /** calls of one provider */
                calls_per_provider?: number;
                /** calls of all providers */
                calls?: number;
            };
            /** how long an action may take, by its kind, where the provider declares nothing else; applied after `timeouts`, and absent members keep their values */
            deadlines?: Deadlines;
            /** the provider that places a call, by URI scheme; null removes an entry, absent ones stay */
            default_provider?: Record<string, string | null>;
        };
        result: {
            /** the policy */
            policy: Policy;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Issues a credential for a program of another user, or of a container. */
    "grant.issue": {
        params: {
            /** the name by which the user revokes it */
            name: string;
            /** the user who may use it; any if left out */
            uid?: number;
            /** the identity that the client has to give with it; any if left out */
            identity?: string;
            /** the roles that the client may have; observer if left out */
            roles?: Array<"provider" | "controller" | "observer" | "ui">;
            /** the calls that it sees and reaches; all if left out */
            calls?: "all" | "own";
            /** whether numbers and names of remote parties are kept from it; true if left out */
            redacted?: boolean;
            /** how long it lasts; until it is revoked if left out */
            expires_in_ms?: number;
        };
        result: {
            /** the name by which the user revokes it */
            name: string;
            /** the user who may use it; any if left out */
            uid?: number;
            /** the identity that the client has to give with it; any if left out */
            identity?: string;
            /** the roles that the client may have */
            roles: Array<"provider" | "controller" | "observer" | "ui" | Other>;
            /** the calls that it sees and reaches */
            calls: "all" | "own" | Other;
            /** whether numbers and names of remote parties are kept from it */
            redacted: boolean;
            /** when it ends, in Unix time */
            expires_at_ms?: number;
            /** for the member `credential` of a hello */
            credential: string;
        };
    };
    /** Lists the grants. */
    "grant.list": {
        params: {};
        result: {
            /** the grants */
            grants: Array<{
                /** the name by which the user revokes it */
                name: string;
                /** the user who may use it; any if left out */
                uid?: number;
                /** the identity that the client has to give with it; any if left out */
                identity?: string;
                /** the roles that the client may have */
                roles: Array<"provider" | "controller" | "observer" | "ui" | Other>;
                /** the calls that it sees and reaches */
                calls: "all" | "own" | Other;
                /** whether numbers and names of remote parties are kept from it */
                redacted: boolean;
                /** when it ends, in Unix time */
                expires_at_ms?: number;
                /** the clients that have sent it */
                connections: number;
            }>;
        };
    };
    /** Revokes a grant. */
    "grant.revoke": {
        params: {
            /** the name by which the user revokes it */
            name: string;
        };
        result: {
            /** whether there was such a grant */
            revoked: boolean;
        };
    };
    /** Loads a part of a directory. */
    "directory.put_entries": {
        params: {
            /** the directory; a plugin's own if left out */
            source?: string;
            /** the generation; higher than the active one */
            generation: number;
            /** whether this is the last part */
            final: boolean;
            /** the entries */
            entries: Array<{
                /** the number with its country code, digits only */
                number: number;
                /** the label */
                label?: string;
                /** whether the number is blocked; false if left out */
                blocked?: boolean;
            }>;
        };
        result: {
            /** entries in this part */
            accepted: number;
            /** entries of this generation so far */
            total: number;
        };
    };
    /** Changes the active generation. */
    "directory.change_entries": {
        params: {
            /** the directory; a plugin's own if left out */
            source?: string;
            /** entries to add */
            add?: Array<{
                /** the number with its country code, digits only */
                number: number;
                /** the label */
                label?: string;
                /** whether the number is blocked; false if left out */
                blocked?: boolean;
            }>;
            /** numbers whose labels are removed */
            remove_labels?: Array<number>;
            /** numbers to unblock */
            remove_blocks?: Array<number>;
            /** whether to remove all labels */
            remove_all_labels?: boolean;
            /** whether to remove all blocks */
            remove_all_blocks?: boolean;
        };
        result: {
            /** the number of entries after the change */
            total: number;
        };
    };
    /** Removes a directory with all its entries. */
    "directory.clear": {
        params: {
            /** the directory; a plugin's own if left out */
            source?: string;
            /** accepted and ignored */
            generation?: number;
        };
        result: {
            /** whether there was such a directory */
            removed: boolean;
        };
    };
    /** Lists the directories. */
    "directory.list": {
        params: {};
        result: {
            /** ordered by name */
            sources: Array<{
                /** its name */
                source: string;
                /** whether the directory is enabled */
                enabled: boolean;
                /** the active generation */
                generation?: number;
                /** its number of entries */
                entries: number;
                /** the generation being loaded */
                loading?: number;
            }>;
        };
    };
    /** Enables or disables a directory. */
    "directory.enable": {
        params: {
            /** its name */
            source: string;
            /** whether the directory is enabled */
            enabled: boolean;
        };
        result: {
            /** whether the directory is enabled */
            enabled: boolean;
        };
    };
    /** Blocks an address or a prefix. */
    "block.add": {
        params: {
            /** a number or address */
            handle?: Handle;
            /** all addresses of this type with this prefix */
            prefix?: Handle;
            /** a note for the user */
            reason?: string;
        };
        result: {
            /** a number or address */
            handle?: Handle;
            /** all addresses of this type with this prefix */
            prefix?: Handle;
            /** a note for the user */
            reason?: string;
            /** when the block was added */
            added_at_ms: number;
        };
    };
    /** Removes a block. */
    "block.remove": {
        params: {
            /** a number or address */
            handle?: Handle;
            /** all addresses of this type with this prefix */
            prefix?: Handle;
        };
        result: {
            /** whether there was such a block */
            removed: boolean;
        };
    };
    /** Lists the blocks. */
    "block.list": {
        params: {
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** a page */
            blocks: Array<{
                /** a number or address */
                handle?: Handle;
                /** all addresses of this type with this prefix */
                prefix?: Handle;
                /** a note for the user */
                reason?: string;
                /** when the block was added */
                added_at_ms: number;
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
        };
    };
    /** Adds or replaces a contact. */
    "contact.put": {
        params: {
            /** the contact to replace; a new one if left out */
            contact?: string;
            /** the user's name for the contact */
            name: string;
            /** numbers and addresses */
            handles: Array<Handle>;
            /** whether the contact is a favorite, whose calls come in despite `busy_in_call` */
            favorite?: boolean;
            /** whether the contact's calls come in despite do-not-disturb and `busy_in_call` */
            breakthrough?: boolean;
            /** the app for calls to the contact */
            provider?: string;
        };
        result: {
            /** the id of the contact */
            contact: string;
            /** the user's name for the contact */
            name: string;
            /** numbers and addresses */
            handles: Array<Handle>;
            /** whether the contact is a favorite, whose calls come in despite `busy_in_call` */
            favorite?: boolean;
            /** whether the contact's calls come in despite do-not-disturb and `busy_in_call` */
            breakthrough?: boolean;
            /** the app for calls to the contact */
            provider?: string;
        };
    };
    /** Removes a contact. */
    "contact.remove": {
        params: {
            /** the contact */
            contact: string;
        };
        result: {
            /** whether there was such a contact */
            removed: boolean;
        };
    };
    /** Lists the contacts. */
    "contact.list": {
        params: {
            /** a part of the name or of a number */
            text?: string;
            /** whether to list favorites only */
            favorites?: boolean;
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** a page */
            contacts: Array<{
                /** the id of the contact */
                contact: string;
                /** the user's name for the contact */
                name: string;
                /** numbers and addresses */
                handles: Array<Handle>;
                /** whether the contact is a favorite, whose calls come in despite `busy_in_call` */
                favorite?: boolean;
                /** whether the contact's calls come in despite do-not-disturb and `busy_in_call` */
                breakthrough?: boolean;
                /** the app for calls to the contact */
                provider?: string;
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
        };
    };
    /** Lists past calls. */
    "history.list": {
        params: {
            /** a filter; all entries if left out */
            filter?: {
                /** the entry with this number */
                entry?: number;
                /** whether to show missed calls only */
                missed?: boolean;
                /** calls of one app */
                provider?: string;
                /** calls with one number or address */
                handle?: Handle;
                /** calls that ended at this time or later */
                since_at_ms?: number;
                /** whether to include calls of apps that exclude them from the recent calls */
                hidden?: boolean;
            };
            /** `next` of the page before */
            after?: string;
            /** the greatest number; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** a page */
            entries: Array<{
                /** the number of the entry */
                entry: number;
                /** the call */
                call: string;
                /** its provider */
                provider: string;
                /** the app's display name */
                provider_name?: string;
                /** the line that had the call */
                line?: string;
                /** the name of that line */
                line_label?: string;
                /** the direction */
                direction: "incoming" | "outgoing";
                /** the remote party */
                remote?: Handle;
                /** the party that the call was meant for */
                forwarded_from?: Handle;
                /** the network's verdict about the caller's number, if there was one */
                verification?: "passed" | "failed" | "none" | Other;
                /** the other device that answered or declined it, or had it */
                elsewhere?: string;
                /** the id of the call in the app's protocol */
                external_id?: string;
                /** the remote party's name as shown */
                name?: string;
                /** the label as shown */
                label?: string;
                /** the source of the label */
                label_source?: string;
                /** whether the call had video when it ended */
                has_video: boolean;
                /** when the call arrived or was started */
                started_at_ms: number;
                /** when the call was connected */
                connected_at_ms?: number;
                /** when the call ended */
                ended_at_ms: number;
                /** why the call ended */
                end_reason: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
                /** the origin of the end */
                end_cause: Cause;
                /** the app's own words for the end */
                end_detail?: EndDetail;
                /** why the call was missed; several reasons may apply */
                missed_reasons?: Array<"unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call" | Other>;
                /** the filter that blocked or silenced it */
                filtered_by?: string;
                /** whether the user has seen the entry */
                seen: boolean;
                /** the time between connection and end */
                duration_ms: number;
                /** the app's reason, if it failed */
                failure?: {
                    /** the error code */
                    code: number;
                    /** a stable word */
                    reason: string;
                    /** a sentence for people */
                    message?: string;
                    /** the code of the app's protocol or network */
                    app_code?: string;
                };
                /** whether the user has missed the call */
                missed: boolean;
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
            /** missed calls that the user has not seen */
            missed: number;
        };
    };
    /** Adds up past calls by app, or by number. */
    "history.sum": {
        params: {
            /** a filter; all entries if left out */
            filter?: {
                /** the entry with this number */
                entry?: number;
                /** whether to show missed calls only */
                missed?: boolean;
                /** calls of one app */
                provider?: string;
                /** calls with one number or address */
                handle?: Handle;
                /** calls that ended at this time or later */
                since_at_ms?: number;
                /** whether to include calls of apps that exclude them from the recent calls */
                hidden?: boolean;
            };
            /** what each sum is about */
            by: "provider" | "handle";
            /** the number of sums; 100 if left out */
            limit?: number;
        };
        result: {
            /** the sums */
            sums: Array<{
                /** by provider: the app */
                provider?: string;
                /** by provider: its latest display name */
                provider_name?: string;
                /** by handle: the number or address as in the latest call; absent for calls without one */
                remote?: Handle;
                /** by handle: the name that the latest call showed */
                name?: string;
                /** the number of calls */
                calls: number;
                /** those that came in */
                incoming: number;
                /** those that the user has missed */
                missed: number;
                /** the time of all conversations */
                talked_ms: number;
                /** when the latest of the calls ended; 0 for none */
                last_ended_at_ms: number;
            }>;
            /** true if there are more */
            more?: boolean;
            /** the sum of all */
            total: {
                /** the number of calls */
                calls: number;
                /** those that came in */
                incoming: number;
                /** those that the user has missed */
                missed: number;
                /** the time of all conversations */
                talked_ms: number;
                /** when the latest of the calls ended; 0 for none */
                last_ended_at_ms: number;
            };
        };
    };
    /** Removes entries. */
    "history.remove": {
        params: {
            /** the numbers of the entries */
            entries: Array<number>;
        };
        result: {
            /** the number of removed entries */
            removed: number;
        };
    };
    /** Removes all entries, or those that match a filter. */
    "history.clear": {
        params: {
            /** a filter; all entries if left out */
            filter?: {
                /** the entry with this number */
                entry?: number;
                /** whether to show missed calls only */
                missed?: boolean;
                /** calls of one app */
                provider?: string;
                /** calls with one number or address */
                handle?: Handle;
                /** calls that ended at this time or later */
                since_at_ms?: number;
                /** whether to include calls of apps that exclude them from the recent calls */
                hidden?: boolean;
            };
        };
        result: {
            /** the number of removed entries */
            removed: number;
        };
    };
    /** Marks missed calls as seen. */
    "history.mark_seen": {
        params: {
            /** only calls that ended by this time; all if left out */
            until_at_ms?: number;
        };
        result: {
            /** the number of entries marked */
            marked: number;
        };
    };
    /** Adds entries of calls that are over. */
    "history.import": {
        params: {
            /** the entries */
            entries: Array<{
                /** the call */
                call: string;
                /** its provider */
                provider: string;
                /** the app's display name */
                provider_name?: string;
                /** the line that had the call */
                line?: string;
                /** the name of that line */
                line_label?: string;
                /** the direction */
                direction: "incoming" | "outgoing";
                /** the remote party */
                remote?: Handle;
                /** the party that the call was meant for */
                forwarded_from?: Handle;
                /** the network's verdict about the caller's number, if there was one */
                verification?: "passed" | "failed" | "none" | Other;
                /** the other device that answered or declined it, or had it */
                elsewhere?: string;
                /** the id of the call in the app's protocol */
                external_id?: string;
                /** the remote party's name as shown */
                name?: string;
                /** the label as shown */
                label?: string;
                /** the source of the label */
                label_source?: string;
                /** whether the call had video when it ended */
                has_video: boolean;
                /** when the call arrived or was started */
                started_at_ms: number;
                /** when the call was connected */
                connected_at_ms?: number;
                /** when the call ended */
                ended_at_ms: number;
                /** why the call ended */
                end_reason: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
                /** the origin of the end */
                end_cause: Cause;
                /** the app's own words for the end */
                end_detail?: EndDetail;
                /** why the call was missed; several reasons may apply */
                missed_reasons?: Array<"unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call" | Other>;
                /** the filter that blocked or silenced it */
                filtered_by?: string;
                /** whether the user has seen the entry */
                seen: boolean;
            }>;
        };
        result: {
            /** the number of added entries */
            imported: number;
        };
    };
    /** Lists the plugins. */
    "plugin.list": {
        params: {
            /** only this plugin */
            plugin?: string;
            /** `next` of the page before */
            after?: string;
            /** the greatest number */
            limit?: number;
        };
        result: {
            /** ordered by name */
            plugins: Array<{
                /** its identity */
                plugin: string;
                /** the display name */
                name: string;
                /** the state */
                state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
                /** its manifest */
                manifest: string;
                /** the release */
                version?: string;
                /** its purpose */
                description?: string;
                /** its roles */
                roles: Array<string>;
                /** when it is started; `external`: it connects on its own */
                start: "boot" | "demand" | "manual" | "external" | Other;
                /** whether it is enabled */
                enabled: boolean;
                /** the process id */
                pid?: number;
                /** whether its process is being stopped */
                stopping?: boolean;
                /** whether it will be restarted as soon as it has no calls */
                reloads?: boolean;
                /** the number of starts */
                starts: number;
                /** the reason of the last failure */
                failure?: "not_spawned" | "exited" | "hello_missing" | "registration_missing" | "connection_lost" | "unresponsive" | Other;
                /** a sentence about the failure */
                failure_message?: string;
                /** the exit of its last process */
                exit?: {
                    /** the exit status, if the process exited */
                    code?: number;
                    /** the signal, if one ended the process */
                    signal?: number;
                };
                /** the time until it is restarted */
                retry_after_ms?: number;
                /** the error in the manifest */
                fault?: {
                    /** the manifest */
                    file: string;
                    /** the line */
                    line: number;
                    /** the problem */
                    message: string;
                };
                /** the options */
                options?: Array<{
                    /** the name of the option */
                    option: string;
                    /** the type of its values */
                    type: "string" | "int" | "bool" | "list" | "secret" | Other;
                    /** whether a change takes effect without a restart */
                    dynamic: boolean;
                    /** whether the option has been set */
                    is_set: boolean;
                    /** the value; left out for a secret */
                    value?: unknown;
                    /** a description */
                    description?: string;
                }>;
                /** its last lines of output */
                stderr: Array<string>;
            }>;
            /** present if there are more: pass it as `after` */
            next?: string;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Starts a plugin. */
    "plugin.start": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** the present state */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** whether its process is being stopped */
            stopping?: boolean;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Stops a plugin. */
    "plugin.stop": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** the present state */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** whether its process is being stopped */
            stopping?: boolean;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Restarts a plugin. */
    "plugin.restart": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** the present state */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** whether its process is being stopped */
            stopping?: boolean;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Enables a plugin. */
    "plugin.enable": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** the present state */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** whether its process is being stopped */
            stopping?: boolean;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Disables a plugin. */
    "plugin.disable": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** the present state */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** whether its process is being stopped */
            stopping?: boolean;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Rereads the manifests. */
    "plugin.rescan": {
        params: {};
        result: {
            /** the number of plugins */
            plugins: number;
            /** the number of plugins with an invalid manifest */
            broken: number;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
    /** Returns the output of a plugin. */
    "plugin.logs": {
        params: {
            /** its identity */
            plugin: string;
            /** only lines with a higher number */
            after?: number;
            /** the number of lines, the latest ones; 100 if left out */
            limit?: number;
        };
        result: {
            /** oldest first */
            lines: Array<{
                /** the number of the line, from 1 */
                number: number;
                /** when the line was written */
                at_ms: number;
                /** the text without line end */
                text: string;
                /** the number of lines dropped because they came too fast, in place of which this one stands */
                dropped?: number;
            }>;
            /** the number of the latest line; 0 if there is none */
            last: number;
            /** lines that were dropped because they came too fast */
            dropped: number;
        };
    };
    /** Lists problems of plugins. */
    "plugin.doctor": {
        params: {
            /** only this plugin */
            plugin?: string;
        };
        result: {
            /** the problems, ordered by plugin */
            findings: Array<{
                /** its identity */
                plugin: string;
                /** the severity */
                level: "error" | "warning" | Other;
                /** the problem */
                message: string;
                /** a remedy */
                hint?: string;
                /** its last lines of output */
                stderr: Array<string>;
            }>;
            /** the number of plugins checked */
            plugins: number;
            /** what looks like a plugin, and is none; only without `plugin` */
            ignored?: Array<{
                /** the folder or file */
                path: string;
                /** the reason */
                message: string;
                /** a remedy */
                hint: string;
            }>;
        };
    };
    /** Sets an option of a plugin. */
    "plugin.set_option": {
        params: {
            /** its identity */
            plugin: string;
            /** the option */
            option: string;
            /** a value of the option's type; null: the default */
            value: unknown;
        };
        result: {
            /** its identity */
            plugin: string;
            /** the option */
            option: string;
            /** when the value takes effect: an option that is not dynamic needs a restart */
            applies: "now" | "when_idle" | "with_next_start" | Other;
            /** all events up to this number have been sent */
            seq: number;
        };
    };
}

/** What the broker asks for. */
export interface Handled {
    /** Checks whether the other side responds. */
    "broker.ping": {
        params: {
            /** returned unchanged */
            payload?: unknown;
        };
        result: {
            /** the payload of the ping */
            payload?: unknown;
        };
    };
    /** Asks a provider to mute a participant, or to raise a hand. */
    "participant.change": {
        params: {
            /** the call */
            call: string;
            /** the id of the participant */
            participant: string;
            /** whether the participant is muted in the conference */
            muted?: boolean;
            /** whether the participant has raised a hand */
            hand_raised?: boolean;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {};
    };
    /** Asks a provider to perform an action. */
    "provider.perform": {
        params: {
            /** the id of the action; the same id means the same action */
            action: string;
            /** the kind of action */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
            /** the call */
            call: string;
            /** the arguments, as in the method for the kind */
            arguments: Record<string, unknown>;
            /** its transaction */
            transaction: string;
            /** the cause */
            cause: Cause;
            /** the deadline, from now */
            deadline_ms: number;
            /** 1; higher when sent again after a reconnection */
            attempt: number;
            /** the time since the request, which waited for something else */
            age_ms?: number;
        };
        result: {
            /** when it was done; now if left out */
            at_ms?: number;
        };
    };
    /** Offers a provider a transaction to execute as a whole. */
    "provider.execute": {
        params: {
            /** the id of the transaction */
            transaction: string;
            /** the actions, in order */
            actions: Array<{
                /** the id of the action; the same id means the same action */
                action: string;
                /** the kind of action */
                kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
                /** the call */
                call: string;
                /** the arguments, as in the method for the kind */
                arguments: Record<string, unknown>;
                /** the cause */
                cause: Cause;
                /** the time since the request, which waited for something else */
                age_ms?: number;
            }>;
            /** how long the reply may take */
            deadline_ms: number;
        };
        result: {
            /** whether the provider executes the transaction as a whole */
            taken: boolean;
        };
    };
    /** Asks a provider to change a setting of one of its lines. */
    "line.change_setting": {
        params: {
            /** the id of the line */
            line: string;
            /** `forward_always`, or while the line is in a call (`forward_busy`), does not answer (`forward_no_reply`), or cannot be reached (`forward_unreachable`); `call_waiting`; `caller_id_hidden` */
            setting: "forward_always" | "forward_busy" | "forward_no_reply" | "forward_unreachable" | "call_waiting" | "caller_id_hidden";
            /** whether the setting is on */
            on: boolean;
            /** where calls are forwarded */
            to?: Handle;
            /** the time after which forward_no_reply forwards; the network's if left out */
            after_ms?: number;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {};
    };
    /** Delivers a push of the app's server. */
    "push.received": {
        params: {
            /** the id of the push */
            push: string;
            /** the type */
            type: "voip" | "complication" | "file_provider" | Other;
            /** what the server has sent, at most 5120 bytes as JSON */
            payload: Record<string, unknown>;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {};
    };
    /** Asks a provider to send real-time text. */
    "provider.send_text": {
        params: {
            /** the call */
            call: string;
            /** the characters, as typed; U+0008 erases one, U+2028 begins a line */
            text: string;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {};
    };
    /** Asks for another audio endpoint of the host to be used. */
    "audio.use_endpoint": {
        params: {
            /** the id of the endpoint, from the last report */
            endpoint: string;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {};
    };
    /** Asks an observer of the handover to be ready for the audio of a call. */
    "audio.handover": {
        params: {
            /** the provider of the calls */
            provider: string;
            /** the name of the group that gets the audio */
            group: string;
            /** its calls */
            calls: Array<string>;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {};
    };
    /** Asks a screen to present a call. */
    "ui.present": {
        params: Call & {
            /** the callers' names and labels, as far as known */
            suggested?: {
                /** the contact's or the directory's name */
                name?: string;
                /** a label for the caller */
                label?: string;
            };
            /** the actions to offer: the call's `allowed` */
            actions: Array<"answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer" | "decline" | "silence" | "end" | "hold" | "resume" | "swap" | "mute" | "unmute" | "merge" | "split" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | "pull" | Other>;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {
            /** whether the screen presents the call */
            presented: boolean;
        };
    };
    /** Asks the user whether an app may do something. */
    "ui.ask": {
        params: {
            /** the number of the question */
            question: number;
            /** what the app is to be allowed: to have calls, or to mark them as emergencies */
            subject: "calls" | "outgoing_emergencies" | "incoming_emergencies" | Other;
            /** the app */
            provider: string;
            /** the name by which the app has registered */
            display_name?: string;
            /** the sandbox of its program, as in connection.list */
            sandbox?: string;
            /** the path of its program */
            executable?: string;
            /** the id of its Flatpak, or the name of its snap */
            app?: string;
            /** the service or scope of systemd that it runs in */
            unit?: string;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {
            /** `later` decides nothing, like an error, and no answer in time */
            answer: "allow" | "deny" | "later";
        };
    };
    /** Asks a screener whether a call may ring. */
    "screener.check": {
        params: Update & {
            /** the call */
            call: string;
            /** the call's provider */
            provider: string;
            /** the caller; null if unknown */
            remote: Handle | null;
            /** true if an app only asks whether the call would ring; its id is of this request only */
            dry_run?: boolean;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {
            /** `continue`: no opinion; `allow`: the call rings despite do-not-disturb */
            verdict: "continue" | "allow" | "silence" | "block" | Other;
            /** a label for the caller */
            label?: string;
            /** of a `block`, the reason of the refusal; `screener` if left out */
            reason?: "restricted_sharing" | "sensitive_participants" | Other;
            /** whether the caller is a priority caller (rule 43) */
            priority?: boolean;
            /** an explanation for call.explain */
            explain?: string;
        };
    };
    /** Asks a directory about a number. */
    "directory.lookup": {
        params: {
            /** the remote party */
            remote: Handle;
            /** the deadline of the reply, from now */
            deadline_ms: number;
        };
        result: {
            /** the name of the caller */
            display_name?: string;
            /** a label for the caller */
            label?: string;
            /** whether the call is blocked */
            blocked?: boolean;
            /** whether the number is reported as spam */
            spam?: boolean;
            /** accepted and ignored: replies are not cached */
            ttl_s?: number;
        };
    };
}

/** What a client tells. */
export interface Notifications {
    /** Cancels a request. */
    "broker.cancel": {
        /** the id of the request */
        request: string | number;
        /** from the broker: the action, if the request has several */
        action?: string;
        /** a reason for the log */
        reason?: string;
    };
    /** Reports progress of a request. */
    "broker.progress": {
        /** the id of the request */
        request: string | number;
        /** a stable word */
        phase?: string;
        /** the progress */
        percent?: number;
        /** a sentence for people */
        message?: string;
        /** the requested extension of the deadline */
        extend_ms?: number;
    };
    /** Writes a line to the broker's log. */
    "broker.log": {
        /** the level */
        level: "debug" | "info" | "notice" | "warning" | "error";
        /** the text */
        message: string;
        /** not logged; reserved for tools */
        fields?: Record<string, unknown>;
    };
    /** Announces the end of a connection. */
    "broker.goodbye": {
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message?: string;
        /** whether the session can be resumed */
        resumable?: boolean;
        /** when to reconnect */
        reconnect_after_ms?: number;
    };
}

/** What the broker tells. */
export interface Told {
    /** Cancels a request. */
    "broker.cancel": {
        /** the id of the request */
        request: string | number;
        /** from the broker: the action, if the request has several */
        action?: string;
        /** a reason for the log */
        reason?: string;
    };
    /** Reports progress of a request. */
    "broker.progress": {
        /** the id of the request */
        request: string | number;
        /** a stable word */
        phase?: string;
        /** the progress */
        percent?: number;
        /** a sentence for people */
        message?: string;
        /** the requested extension of the deadline */
        extend_ms?: number;
    };
    /** Warns a client of a mistake. */
    "broker.warning": {
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message: string;
        /** the name concerned */
        ref?: string;
    };
    /** Announces the end of a connection. */
    "broker.goodbye": {
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message?: string;
        /** whether the session can be resumed */
        resumable?: boolean;
        /** when to reconnect */
        reconnect_after_ms?: number;
    };
    /** An action has timed out. */
    "provider.timed_out": {
        /** the action */
        action: string;
        /** the kind */
        kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
        /** the call */
        call: string;
    };
    /** Instructs a provider to discard all of its calls. */
    "provider.reset": {
        /** a stable word */
        reason: "broker_reset" | "admin" | "grace_expired" | Other;
    };
    /** The group may use microphone and speaker. */
    "audio.activated": {
        /** the group, by its oldest call */
        group: string;
        /** its calls */
        calls: Array<string>;
    };
    /** The group may no longer use microphone and speaker. */
    "audio.deactivated": {
        /** the group, by its oldest call */
        group: string;
        /** its calls */
        calls: Array<string>;
    };
    /** The way in which an app should ring has changed. */
    "call.presentation": {
        /** the call */
        call: string;
        /** ring aloud, with a short tone, or silently */
        presentation: "ring" | "tone" | "silent" | Other;
    };
    /** The authorization of the provider has changed. */
    "provider.authorization_changed": {
        /** the authorization */
        status: "not_determined" | "authorized" | "denied";
    };
    /** The app never posted an incoming call after a VoIP push. */
    "push.unreported": {
        /** the id of the push */
        push: string;
        /** how many such pushes in a row */
        in_a_row: number;
        /** whether VoIP pushes are no longer delivered */
        stopped: boolean;
    };
    /** The address at which the app's server can push to it. */
    "push.token": {
        /** the type of push */
        type: "voip" | "complication" | "file_provider" | Other;
        /** the address; null: no longer valid */
        token: string | null;
    };
    /** An event of a subscribed topic. */
    "event": EventHead & {
        /** the topic */
        topic: "call.added" | "call.changed" | "call.allowed_changed" | "call.removed" | "host.changed" | "host.presence" | "call.refused" | "call.dial_refused" | "call.resume_offered" | "call.quality" | "call.participants" | "call.text" | "transaction.accepted" | "transaction.completed" | "action.dispatched" | "action.fulfilled" | "action.failed" | "action.timed_out" | "action.late" | "provider.added" | "provider.changed" | "provider.resumed" | "provider.lost" | "provider.removed" | "audio.changed" | "audio.endpoints_changed" | "screen.changed" | "policy.changed" | "history.changed" | "broker.anomaly" | "broker.bookmark" | "broker.stopping" | "plugin.state" | "plugin.log" | Other;
        /** the data of the topic */
        data: Record<string, unknown>;
    };
    /** Events were lost. */
    "events.gap": {
        /** the number of the subscription on this connection, from 1 */
        subscription: number;
        /** the number of the first lost event; above `to` if only lines of plugin.log are lost */
        from: number;
        /** the number of the last lost event */
        to: number;
        /** a stable word */
        reason: "overflow" | "expired" | Other;
    };
    /** Instructs a screen to dismiss a call. */
    "ui.dismiss": {
        /** the call */
        call: string;
        /** a stable word */
        reason: "ended" | "timed_out" | "taken" | "released" | Other;
    };
    /** Notifies a plugin of changed options. */
    "plugin.options_changed": {
        /** the new values, by name */
        options: Record<string, unknown>;
    };
}

/** What an observer is told, by topic. */
export interface Events {
    /** A call was added. */
    "call.added": EventHead & {
        /** the topic */
        topic: "call.added";
        /** the data of the topic */
        data: Call & {
            /** the cause */
            cause: Cause;
        };
    };
    /** A call has changed. */
    "call.changed": EventHead & {
        /** the topic */
        topic: "call.changed";
        /** the data of the topic */
        data: Call & {
            /** the changed members */
            changed: Array<"state" | "pending_action" | "held_because_of" | "resume_offered" | "group" | "muted" | "silenced" | "provider_connected" | "remote" | "display_name" | "has_video" | "supports_holding" | "supports_grouping" | "supports_ungrouping" | "supports_dtmf" | "supports_transfer" | "supports_attended_transfer" | "supports_deflect" | "remote_held" | "has_early_media" | "priority" | "line" | "forwarded_from" | "verification" | "external_id" | "endpoints" | "elsewhere" | "supports_pull" | "video" | "supports_set_video" | "video_request" | "has_text" | "supports_set_text" | "text_request" | "caller" | "end_reason" | "end_cause" | "end_detail" | Other>;
            /** the cause */
            cause: Cause;
        };
    };
    /** The allowed actions of a call have changed. */
    "call.allowed_changed": EventHead & {
        /** the topic */
        topic: "call.allowed_changed";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** the verbs that would not be refused now */
            allowed: Array<"answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer" | "decline" | "silence" | "end" | "hold" | "resume" | "swap" | "mute" | "unmute" | "merge" | "split" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | "pull" | Other>;
            /** merge: the possible groups, each by its oldest call; left out if there are none */
            merge_with?: Array<string>;
            /** whether a hold would be sent now */
            can_hold_now: boolean;
            /** tones that wait behind a pause; left out if there are none */
            paused_tones?: {
                /** the tones after the pause */
                digits: string;
                /** what ends the pause: time, or the user, by call.continue_tones */
                until: "time" | "user" | Other;
            };
        };
    };
    /** A call was removed. */
    "call.removed": EventHead & {
        /** the topic */
        topic: "call.removed";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** the cause */
            cause: Cause;
        };
    };
    /** An incoming call was refused, or the headset button could not answer it. */
    "call.refused": EventHead & {
        /** the topic */
        topic: "call.refused";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** the deciding rule */
            rule: string;
            /** the reason, as in the provider's error */
            reason: string;
            /** the cause */
            cause: Cause;
            /** the call in the way */
            because_of?: string;
        };
    };
    /** A request for call.dial was refused or has failed. */
    "call.dial_refused": EventHead & {
        /** the topic */
        topic: "call.dial_refused";
        /** the data of the topic */
        data: {
            /** the reason, as in the client's error */
            reason: string;
            /** a sentence for people */
            message: string;
            /** a remedy */
            hint?: string;
            /** the URI scheme, if there is one */
            scheme?: string;
            /** present if the call was started, and transaction.completed was published before */
            transaction?: string;
            /** the cause */
            cause: Cause;
        };
    };
    /** A held call can be resumed. */
    "call.resume_offered": EventHead & {
        /** the topic */
        topic: "call.resume_offered";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** the deciding rule */
            rule: string;
            /** the cause */
            cause: Cause;
            /** the ended call */
            because_of?: string;
        };
    };
    /** The quality of a call was reported. */
    "call.quality": EventHead & {
        /** the topic */
        topic: "call.quality";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** lost packets of a thousand, since the report before */
            loss_permille?: number;
            /** the variation of the packets' time of arrival */
            jitter_ms?: number;
            /** the time to the remote side and back */
            round_trip_ms?: number;
        };
    };
    /** The participants of a conference have changed. */
    "call.participants": EventHead & {
        /** the topic */
        topic: "call.participants";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** the number of participants now */
            count: number;
            /** those who are new or have changed, each as a whole */
            changed?: Array<{
                /** an id of the app's own, unique in the call */
                participant: string;
                /** the name to show */
                name?: string;
                /** the address */
                handle?: Handle;
                /** `joining`: invited or being connected; `joined` (default); `waiting`: in the lobby; `held`: holds the conference */
                state?: "joining" | "joined" | "waiting" | "held" | Other;
                /** whether the participant is muted in the conference */
                muted?: boolean;
                /** whether the participant has raised a hand */
                hand_raised?: boolean;
                /** whether it is the participant at this host */
                self?: boolean;
                /** what the user may change with participant.update; nothing if left out */
                changeable?: Array<"muted" | "hand_raised" | Other>;
            }>;
            /** those who have left */
            removed?: Array<string>;
            /** whether all who were reported before are forgotten first */
            replace?: boolean;
        };
    };
    /** Real-time text of a call. */
    "call.text": EventHead & {
        /** the topic */
        topic: "call.text";
        /** the data of the topic */
        data: {
            /** the call */
            call: string;
            /** the side that has typed it */
            from: "local" | "remote";
            /** the characters, as typed; U+0008 erases one, U+2028 begins a line */
            text: string;
        };
    };
    /** A transaction was accepted. */
    "transaction.accepted": EventHead & {
        /** the topic */
        topic: "transaction.accepted";
        /** the data of the topic */
        data: {
            /** the id of the transaction; absent in a dry run */
            transaction?: string;
            /** the state */
            state?: "accepted" | "completed" | "failed";
            /** true for a dry run */
            dry_run?: boolean;
            /** the actions, in the order in which they are sent */
            actions: Array<PlannedAction>;
            /** the calls that would be held */
            would_hold?: Array<string>;
            /** the calls that would be ended without being requested */
            would_end?: Array<string>;
            /** the calls that would become active */
            would_activate?: Array<string>;
            /** the providers that would be started first */
            would_start?: Array<string>;
            /** dry run: why it would be refused, or null; completed: why it failed */
            refusal?: {
                /** the error code */
                code: number;
                /** a sentence for people */
                message: string;
                /** as in an error */
                data: Record<string, unknown>;
            } | null;
            /** the call is started without the requested video, which its app does not have */
            video_fallback?: "audio" | Other;
            /** true if an equal request was pending already */
            joined?: boolean;
            /** true if this repeats the reply to an earlier request */
            replayed?: boolean;
            /** the cause */
            cause: Cause;
        };
    };
    /** A transaction was completed. */
    "transaction.completed": EventHead & {
        /** the topic */
        topic: "transaction.completed";
        /** the data of the topic */
        data: {
            /** the id of the transaction; absent in a dry run */
            transaction?: string;
            /** the state */
            state?: "accepted" | "completed" | "failed";
            /** true for a dry run */
            dry_run?: boolean;
            /** the actions, in the order in which they are sent */
            actions: Array<PlannedAction>;
            /** the calls that would be held */
            would_hold?: Array<string>;
            /** the calls that would be ended without being requested */
            would_end?: Array<string>;
            /** the calls that would become active */
            would_activate?: Array<string>;
            /** the providers that would be started first */
            would_start?: Array<string>;
            /** dry run: why it would be refused, or null; completed: why it failed */
            refusal?: {
                /** the error code */
                code: number;
                /** a sentence for people */
                message: string;
                /** as in an error */
                data: Record<string, unknown>;
            } | null;
            /** the call is started without the requested video, which its app does not have */
            video_fallback?: "audio" | Other;
            /** true if an equal request was pending already */
            joined?: boolean;
            /** true if this repeats the reply to an earlier request */
            replayed?: boolean;
            /** the cause */
            cause: Cause;
        };
    };
    /** An action was sent to its provider. */
    "action.dispatched": EventHead & {
        /** the topic */
        topic: "action.dispatched";
        /** the data of the topic */
        data: {
            /** the action */
            action: string;
            /** the kind */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
            /** the call */
            call: string;
            /** the provider */
            provider: string;
            /** its transaction */
            transaction: string;
            /** the state */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1; higher when sent again after a reconnection */
            attempt: number;
            /** the reason */
            failure?: {
                /** the error code */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
                /** the code of the app's protocol or network */
                app_code?: string;
            };
            /** the arguments, as in the method for the kind */
            arguments: Record<string, unknown>;
        };
    };
    /** An action was performed. */
    "action.fulfilled": EventHead & {
        /** the topic */
        topic: "action.fulfilled";
        /** the data of the topic */
        data: {
            /** the action */
            action: string;
            /** the kind */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
            /** the call */
            call: string;
            /** the provider */
            provider: string;
            /** its transaction */
            transaction: string;
            /** the state */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1; higher when sent again after a reconnection */
            attempt: number;
            /** the reason */
            failure?: {
                /** the error code */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
                /** the code of the app's protocol or network */
                app_code?: string;
            };
        };
    };
    /** An action has failed: its provider refused, or is gone. */
    "action.failed": EventHead & {
        /** the topic */
        topic: "action.failed";
        /** the data of the topic */
        data: {
            /** the action */
            action: string;
            /** the kind */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
            /** the call */
            call: string;
            /** the provider */
            provider: string;
            /** its transaction */
            transaction: string;
            /** the state */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1; higher when sent again after a reconnection */
            attempt: number;
            /** the reason */
            failure?: {
                /** the error code */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
                /** the code of the app's protocol or network */
                app_code?: string;
            };
        };
    };
    /** An action has timed out. */
    "action.timed_out": EventHead & {
        /** the topic */
        topic: "action.timed_out";
        /** the data of the topic */
        data: {
            /** the action */
            action: string;
            /** the kind */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
            /** the call */
            call: string;
            /** the provider */
            provider: string;
            /** its transaction */
            transaction: string;
            /** the state */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1; higher when sent again after a reconnection */
            attempt: number;
            /** the reason */
            failure?: {
                /** the error code */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
                /** the code of the app's protocol or network */
                app_code?: string;
            };
        };
    };
    /** A late reply to an action. */
    "action.late": EventHead & {
        /** the topic */
        topic: "action.late";
        /** the data of the topic */
        data: {
            /** the action */
            action: string;
            /** the provider */
            provider: string;
            /** the kind */
            kind?: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | "set_endpoint" | "set_video" | "set_text" | "transfer" | "attended_transfer" | "deflect" | Other;
            /** the call */
            call?: string;
            /** its transaction */
            transaction?: string;
        };
    };
    /** A provider has registered. */
    "provider.added": EventHead & {
        /** the topic */
        topic: "provider.added";
        /** the data of the topic */
        data: RegisteredProvider;
    };
    /** A provider has changed its registration. */
    "provider.changed": EventHead & {
        /** the topic */
        topic: "provider.changed";
        /** the data of the topic */
        data: RegisteredProvider;
    };
    /** A provider has reconnected. */
    "provider.resumed": EventHead & {
        /** the topic */
        topic: "provider.resumed";
        /** the data of the topic */
        data: RegisteredProvider;
    };
    /** A provider has disconnected. */
    "provider.lost": EventHead & {
        /** the topic */
        topic: "provider.lost";
        /** the data of the topic */
        data: {
            /** the provider */
            provider: string;
            /** how long its calls are kept */
            grace_ms: number;
            /** its calls */
            calls: Array<string>;
        };
    };
    /** A provider was removed. */
    "provider.removed": EventHead & {
        /** the topic */
        topic: "provider.removed";
        /** the data of the topic */
        data: {
            /** the provider */
            provider: string;
            /** a stable word */
            reason: "unregistered" | "process_exited" | "grace_expired" | "disconnected" | "revoked" | Other;
        };
    };
    /** The state of the host has changed. */
    "host.changed": EventHead & {
        /** the topic */
        topic: "host.changed";
        /** the data of the topic */
        data: {
            /** the live group */
            live_group?: string;
            /** the number of held groups */
            held_groups: number;
            /** the number of ringing and waiting calls */
            ringing: number;
            /** whether a request is waiting for other calls to be held or ended */
            busy: boolean;
            /** whether there is an emergency call */
            emergency: boolean;
        };
    };
    /** What the user of the host is doing has changed. */
    "host.presence": EventHead & {
        /** the topic */
        topic: "host.presence";
        /** the data of the topic */
        data: {
            /** what the user is doing */
            state: "free" | "ringing" | "in_call" | "on_hold" | "ringing_in_call" | "do_not_disturb" | Other;
            /** the time since when, at most since the broker's start */
            since_ms: number;
        };
    };
    /** The audio was granted to another group. */
    "audio.changed": EventHead & {
        /** the topic */
        topic: "audio.changed";
        /** the data of the topic */
        data: {
            /** the group that had the audio; null for none */
            from: string | null;
            /** the group that has the audio; null for none */
            to: string | null;
            /** the cause */
            cause: Cause;
        };
    };
    /** The audio endpoints of the host have changed. */
    "audio.endpoints_changed": EventHead & {
        /** the topic */
        topic: "audio.endpoints_changed";
        /** the data of the topic */
        data: {
            /** the endpoints; none if nobody reports them */
            endpoints: Array<Endpoint>;
        };
    };
    /** Another screen is offered calls first. */
    "screen.changed": EventHead & {
        /** the topic */
        topic: "screen.changed";
        /** the data of the topic */
        data: {
            /** the screen; left out if there is none */
            screen?: string;
        };
    };
    /** The policy has changed. */
    "policy.changed": EventHead & {
        /** the topic */
        topic: "policy.changed";
        /** the data of the topic */
        data: {
            /** the changed members */
            changed: Array<string>;
            /** the policy */
            policy: Policy;
        };
    };
    /** The history has changed. */
    "history.changed": EventHead & {
        /** the topic */
        topic: "history.changed";
        /** the data of the topic */
        data: {
            /** missed calls that the user has not seen */
            missed: number;
        };
    };
    /** An anomaly occurred. */
    "broker.anomaly": EventHead & {
        /** the topic */
        topic: "broker.anomaly";
        /** the data of the topic */
        data: {
            /** the kind */
            anomaly: "start_silent" | "dial_stuck" | "provider_silent" | "group_over_limit" | "video_undeclared" | "active_unasked" | "provider_hung" | "emergency_claimed" | Other;
            /** the call */
            call?: string;
            /** the provider */
            provider?: string;
            /** a sentence for people */
            detail?: string;
        };
    };
    /** No events have occurred. */
    "broker.bookmark": EventHead & {
        /** the topic */
        topic: "broker.bookmark";
        /** the data of the topic */
        data: {
            /** the latest number */
            seq: number;
        };
    };
    /** The broker is stopping. */
    "broker.stopping": EventHead & {
        /** the topic */
        topic: "broker.stopping";
        /** the data of the topic */
        data: {
            /** the reason of the goodbye */
            reason: string;
            /** a sentence for people */
            detail?: string;
        };
    };
    /** The state of a plugin has changed. */
    "plugin.state": EventHead & {
        /** the topic */
        topic: "plugin.state";
        /** the data of the topic */
        data: {
            /** the plugin */
            plugin: string;
            /** the new state */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** the former state */
            previous: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** the exit of its process, if it has exited */
            exit?: {
                /** the exit status, if the process exited */
                code?: number;
                /** the signal, if one ended the process */
                signal?: number;
            };
            /** the reason of a failure */
            failure?: "not_spawned" | "exited" | "hello_missing" | "registration_missing" | "connection_lost" | "unresponsive" | Other;
            /** its last lines of output */
            stderr: Array<string>;
        };
    };
    /** A plugin has written a line. */
    "plugin.log": EventHead & {
        /** the topic */
        topic: "plugin.log";
        /** the data of the topic */
        data: {
            /** the plugin */
            plugin: string;
            /** the number of the line, from 1 */
            number: number;
            /** when the line was written */
            at_ms: number;
            /** the text without line end */
            text: string;
            /** the number of lines dropped because they came too fast, in place of which this one stands */
            dropped?: number;
        };
    };
}

export type Kind =
    "start" |
    "answer" |
    "end" |
    "set_held" |
    "set_muted" |
    "set_group" |
    "play_dtmf" |
    "set_endpoint" |
    "set_video" |
    "set_text" |
    "transfer" |
    "attended_transfer" |
    "deflect";

/** What an action of a kind is to do. */
export interface Arguments {
    start: { remote: Handle; has_video?: boolean; has_text?: boolean; contact?: string;
             line?: string; emergency?: boolean; background?: boolean };
    answer: {};
    end: {};
    set_held: { held: boolean };
    set_muted: { muted: boolean };
    set_group: { with: string | null };
    play_dtmf: { digits: string; style: "single" | "soft_pause" | "hard_pause" };
    set_endpoint: { endpoint: string };
    set_video: { video: "off" | "send" | "receive" | "both" };
    set_text: { text: boolean };
    transfer: { to: Handle };
    attended_transfer: { with: string };
    deflect: { to: Handle };
}

/** An error reply. Decide by `name` and `reason`; the message is for people. */
export class BrokerError extends Error {
    constructor(error: unknown);
    code: number;
    /** The code's name, such as invalid_state. */
    name: string;
    /** A stable word in snake_case, perhaps empty. */
    reason: string;
    retryable: boolean;
    data: {
        reason?: string;
        retry_after_ms?: number;
        /** A JSON pointer into the params. */
        field?: string;
        rule?: string;
        limit?: { name: string; value: number };
        blocking?: Array<{ call: string; provider: string }>;
        hint?: string;
        callkit?: { domain: string; code: number; name: string };
        provider_error?: { code: number; reason?: string; message?: string; app_code?: string };
        [member: string]: unknown;
    };
}

/** There is no connection, or it was lost before the reply. The request may have been done. */
export class Disconnected extends Error {}

/** No reply in time, or no longer wanted: the request was taken back. */
export class TakenBack extends Error {}

/** Throw it in a handler to refuse what was asked; the reason is a word in snake_case, `appCode` the
 * code of the app's protocol or network, such as "SIP 486". Of a start or an answer that fails they
 * are the `EndDetail` of its call; there the reason is that of the code if none is given. */
export class Failed extends Error {
    constructor(reason?: string, message?: string, code?: number, appCode?: string);
    reason: string;
    /** The message that was given, or "": only that is sent. */
    text: string;
    code: number;
    appCode?: string;
}

export interface ClientOptions {
    /** A stable name like org.example.phone; plugins need one. */
    identity?: string;
    /** Of the program. */
    version?: string;
    /** Where to read about it. */
    url?: string;
    /** A token, for another user's broker. */
    credential?: string;
    /** What the client understands beside what everybody has to: "presentation", "tone",
     * "alerting". `hello.features` has those of the broker. */
    features?: string[];
    /** Those of the class if left out. */
    roles?: string[];
    /** A path, or a connected socket, which is not renewed. */
    socket?: string | Socket;
    /** For each request; no limit if left out. */
    timeoutMs?: number;
    /** For hello and registration, then anew; 10,000 if left out. */
    openingMs?: number;
    /** Before a new try, the first and the longest; it doubles in between. */
    backoffMs?: [number, number];
}

export interface RequestOptions {
    /** Takes the request back. */
    signal?: AbortSignal;
    timeoutMs?: number;
}

/** What every client emits besides what the broker tells. */
export interface OwnEvents {
    /** A session is open; happens again after `lost`. */
    open: [];
    /** The session was lost and is being renewed. */
    lost: [error: Error];
    /** It is over, because of an error or not. */
    close: [error?: Error];
    /** A handler or listener failed in a way that it did not mean; printed if nobody listens. */
    fault: [error: unknown];
}

type Members<M, K extends keyof M> = {} extends M[K] ? [params?: M[K]] : [params: M[K]];
type Params<M extends keyof Requests> = Requests[M]["params"];

/** A connection to the broker that opens a session, and renews it when it is lost. */
export class Client extends EventEmitter {
    constructor(name: string, options?: ClientOptions);
    /** The broker's reply to the latest hello. */
    hello: Partial<Requests["broker.hello"]["result"]>;
    readonly connected: boolean;
    /** Rejects if there is no broker, or with `patient` waits for one. */
    open(options?: { patient?: boolean }): Promise<void>;
    /** Says goodbye and ends; `resumable`: to come back soon. */
    close(options?: { resumable?: boolean }): Promise<void>;
    request<M extends keyof Requests>(
        method: M,
        ...given: {} extends Params<M>
            ? [params?: Params<M>, options?: RequestOptions]
            : [params: Params<M>, options?: RequestOptions]
    ): Promise<Requests[M]["result"]>;
    request(method: `x_${string}` | "rpc.discover", params?: object,
            options?: RequestOptions): Promise<Record<string, unknown>>;
    /** Without a connection it is dropped. */
    notify<N extends keyof Notifications>(method: N, params: Notifications[N]): void;
    /** Answers a kind of request of the broker; throw `Failed` to refuse. */
    handle<M extends keyof Handled>(
        method: M,
        handler: (params: Handled[M]["params"], signal: AbortSignal) =>
            Handled[M]["result"] | Promise<Handled[M]["result"]>
    ): this;
    handle(method: string, handler: (params: any, signal: AbortSignal) => unknown): this;
    on<E extends keyof OwnEvents>(name: E, listener: (...what: OwnEvents[E]) => void): this;
    on<N extends keyof Told>(name: N, listener: (params: Told[N]) => void): this;
    on(name: string, listener: (...what: any[]) => void): this;
}

/** Asks for things to be done to calls, in the name of the user. */
export class Controller extends Client {}

/** An event, or that all was read anew (topic snapshot). */
export type AnyEvent = Events[keyof Events] | { topic: "snapshot"; data: {} };

export interface ObserverOptions extends ClientOptions {
    /** Exact names, `noun.*` or `*` (the default). */
    topics?: string[];
    includeEnded?: boolean;
    /** From where to go on; then `calls` has only what changes. */
    cursor?: { epoch: string; seq: number };
}

/** Watches calls: `calls` is always their state. Emits each event under its topic, and `snapshot`
 * when all was read anew. Iterating yields the same. */
export class Observer extends Client implements AsyncIterable<AnyEvent> {
    constructor(name: string, options?: ObserverOptions);
    calls: Map<string, Call>;
    cursor?: { epoch: string; seq: number };
    /** The next thing that happens; undefined when the client is over. */
    next(): Promise<AnyEvent | undefined>;
    [Symbol.asyncIterator](): AsyncGenerator<AnyEvent>;
    on<E extends keyof OwnEvents>(name: E, listener: (...what: OwnEvents[E]) => void): this;
    on<T extends keyof Events>(topic: T, listener: (event: Events[T]) => void): this;
    on<N extends keyof Told>(name: N, listener: (params: Told[N]) => void): this;
    on(name: string, listener: (...what: any[]) => void): this;
}

/** Something the broker asks a provider to do to a call. */
export class Action<K extends string = string> {
    id: string;
    kind: K;
    call: string;
    arguments: K extends Kind ? Arguments[K] : Record<string, unknown>;
    transaction: string;
    cause: Cause;
    deadline_ms: number;
    attempt: number;
    /** How long ago it was asked for. */
    age_ms: number;
    /** Aborted when the broker takes the action back, or its time is over. */
    readonly signal: AbortSignal;
    /** `extend_ms` asks for more time, up to twice the deadline in all. */
    progress(members?: Omit<Notifications["broker.progress"], "request">): void;
}

export type Registration = Omit<Params<"provider.register">, "display_name" | "calls" | "more">;

/** An app that owns calls. */
export class Provider extends Client {
    constructor(identity: string, displayName: string, registration?: Registration,
                options?: ClientOptions & { name?: string });
    registration: Registration & { display_name: string };
    /** The reply to the latest registration. */
    registered: Partial<Requests["provider.register"]["result"]>;
    /** Done when the handler returns, at the `at_ms` it may return; not when it throws `Failed`. */
    perform<K extends Kind>(
        kind: K, handler: (action: Action<K>) => number | void | Promise<number | void>): this;
    perform(kind: string,
            handler: (action: Action) => number | void | Promise<number | void>): this;
    /** Returns true to take a transaction over, and then settles each action with action.settle. */
    execute(handler: (transaction: Handled["provider.execute"]["params"], signal: AbortSignal) =>
        boolean | Promise<boolean>): this;
    /** Changes what the network keeps for a line, one of the line's `settings`. Done when `update`
     * has reported it; throws `Failed` if it is as it was. */
    changeSetting(handler: (
        line: string,
        setting: Omit<Handled["line.change_setting"]["params"], "line" | "deadline_ms">,
        signal: AbortSignal) => unknown): this;
    /** Handles pushes of the app's server, of the registered `push_types`. Done, for a VoIP push, when a
     * call is reported. */
    push(handler: (
        type: string, payload: Handled["push.received"]["params"]["payload"],
        signal: AbortSignal) => unknown): this;
    /** Sends characters that the user has typed. Done when they are on their way. */
    sendText(handler: (call: string, text: string, signal: AbortSignal) => unknown): this;
    /** Mutes a participant, or raises a hand. Done when `call.report_participants` has reported it;
     * throws `Failed` if there is no change. */
    changeParticipant(handler: (
        call: string, participant: string, values: { muted?: boolean; hand_raised?: boolean },
        signal: AbortSignal) => unknown): this;
    /** The calls that live; those that the broker knows and the list does not have end. */
    reconcile(handler: () => LiveCall[] | Promise<LiveCall[]>): this;
    /** Has the user asked whether there may be calls from here; the answer comes as the event
     * `provider.authorization_changed`. */
    requestAuthorization(): Promise<Requests["provider.request_authorization"]["result"]>;
    /** Whether a call would ring now: resolves and rejects as `call.report_incoming`, with the
     * `rule` that decides and the filters that were left `unasked`, as they do not run. Nothing is
     * recorded, shown or started. */
    mayRing(members: Omit<Params<"call.report_incoming">, "call" | "dry_run">):
        Promise<Requests["call.report_incoming"]["result"]>;
    /** Changes members of the registration, now and for sessions to come. */
    update(members: Params<"provider.update">): Promise<Requests["provider.update"]["result"]>;
    on<E extends keyof OwnEvents>(name: E, listener: (...what: OwnEvents[E]) => void): this;
    on(name: "dropped", listener: (calls: string[]) => void): this;
    /** An action that was taken over is no longer wanted: settle it all the same. */
    on(name: "withdrawn", listener: (action: string) => void): this;
    on<N extends keyof Told>(name: N, listener: (params: Told[N]) => void): this;
    on(name: string, listener: (...what: any[]) => void): this;
}

export const ERROR_NAMES: Readonly<Record<string, string>>;
/** A fresh id for a call or a transaction. */
export function newId(): string;
/** The address of a telephone, best written with + and the country's code. */
export function phone(number: string): Handle;
/** Any other address, such as a SIP URI. */
export function generic(address: string): Handle;
/** Where the broker listens, unless BROKER_SOCKET says otherwise. */
export function defaultSocket(): string;
/** The connection of a plugin that the broker started with "transport": "stdio". */
export function stdio(): Socket;
/** How long to wait before the next try. */
export function delayMs(tries: number, backoff: [number, number], random?: number): number;
