// Made by make-types.js from the broker's description of its protocol.
import { EventEmitter } from "node:events";
import { Socket } from "node:net";

/** A word that a newer broker may say: treat it as "other". */
export type Other = string & {};

export type Handle = {
    /** its kind */
    type: "phone" | "email" | "generic" | Other;
    /** the number or address */
    value: string;
};

export type Cause = {
    /** who caused it */
    origin: "user" | "app" | "provider" | "remote" | "arbitration" | "timeout" | "policy" | "admin";
    /** the rule that decided */
    rule?: string;
    /** the transaction it belongs to */
    transaction?: string;
    /** the other call that made it necessary */
    because_of?: string;
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
};

export type Limits = {
    /** its groups at a time */
    max_call_groups: number;
    /** the calls of one group */
    max_calls_per_group: number;
    /** how long its calls wait for it to come back */
    grace_ms: number;
    /** how long its calls ring */
    ring_timeout_ms: number;
    /** milliseconds per action */
    action_deadlines: Deadlines;
};

export type PlannedAction = {
    /** names the action; nothing that is only planned has a name */
    action?: string;
    /** what is done */
    kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
    /** to which call */
    call: string;
    /** by whom */
    provider: string;
    /** whether the broker put it in front of what was asked for */
    implied: boolean;
    /** where it is */
    state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
    /** why it has failed, as the app says; of the first eight */
    failure?: {
        /** its number */
        code: number;
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message?: string;
    };
};

export type Transaction = {
    /** names the transaction; a dry run has none */
    transaction?: string;
    /** where it is */
    state?: "accepted" | "completed" | "failed";
    /** true if nothing was done */
    dry_run?: boolean;
    /** in the order in which they are sent */
    actions: Array<PlannedAction>;
    /** the calls that it holds */
    would_hold?: Array<string>;
    /** the calls that it ends without being asked to */
    would_end?: Array<string>;
    /** the calls that speak afterwards, and do not now */
    would_activate?: Array<string>;
    /** dry run: why it would be refused, null if it would not; of one that is over: why it failed */
    refusal?: {
        /** its number */
        code: number;
        /** a sentence */
        message: string;
        /** as in an error */
        data: Record<string, unknown>;
    } | null;
    /** true if the same request was under way already */
    joined?: boolean;
    /** true if this is the reply of an earlier request */
    replayed?: boolean;
    /** every event up to this number has been sent */
    seq?: number;
};

export type Options = {
    /** chosen by the client, so that it can ask twice; made if left out */
    transaction?: string;
    /** per action, from its dispatch; the provider's if left out */
    deadline_ms?: number;
    /** say what would happen, and change nothing */
    dry_run?: boolean;
    /** what becomes of a live call that cannot be held; the user alone may say end; hold if left out */
    on_conflict?: "hold" | "end";
    /** when to reply: once it is checked, or once all is done; accepted if left out */
    wait?: "accepted" | "completed";
};

export type Update = {
    /** what the provider calls the other side */
    display_name?: string | null;
    /** whether there is video; false at first */
    has_video?: boolean | null;
    /** whether it can be held; true at first */
    supports_holding?: boolean | null;
    /** whether it can join a group; true at first */
    supports_grouping?: boolean | null;
    /** whether it can leave a group; true at first */
    supports_ungrouping?: boolean | null;
    /** whether it can play tones; true at first */
    supports_dtmf?: boolean | null;
    /** whether the other side holds; false at first */
    remote_held?: boolean | null;
    /** how urgent it is; normal at first */
    priority?: "background" | "normal" | "priority_caller" | "emergency" | null;
};

export type EventHead = {
    /** the subscription; missing where one's own transaction is told of without any */
    subscription?: number;
    /** names the lineage of states that seq counts in */
    epoch: string;
    /** the number of this event */
    seq: number;
    /** what the subscription was told before: its event's number, or where it began */
    prev?: number;
    /** when it happened */
    at_ms: number;
    /** the call that it is about */
    call?: string;
    /** the provider that it is about */
    provider?: string;
};

export type LiveCall = Update & {
    /** names the call */
    call: string;
    /** who called whom */
    direction: "incoming" | "outgoing";
    /** where it is */
    state: "ringing" | "dialing" | "connecting" | "active" | "held";
    /** whom it is with; null if that is not known */
    remote: Handle | null;
    /** since when both sides can talk */
    connected_at_ms?: number;
};

export type Call = {
    /** names the call */
    call: string;
    /** whose call it is */
    provider: string;
    /** who called whom */
    direction: "incoming" | "outgoing";
    /** where it is in its life */
    state: "starting" | "dialing" | "ringing" | "waiting" | "connecting" | "active" | "held" | "ending" | "ended";
    /** what is being done to it right now */
    pending_action?: "queued" | "starting" | "answering" | "holding" | "resuming" | "ending" | "muting" | "grouping" | "sending_dtmf" | Other;
    /** whether a hold would be sent this moment */
    can_hold_now: boolean;
    /** the call that its group was held for */
    held_because_of?: string;
    /** true: nothing is in its way any more, and it waits for somebody to resume it */
    resume_offered?: boolean;
    /** whether the microphone is off */
    muted: boolean;
    /** whether it rings without sound */
    silenced: boolean;
    /** the oldest member of its group; alone, the call itself */
    group: string;
    /** whom the call is with */
    remote?: Handle;
    /** what the provider calls the other side */
    display_name?: string;
    /** whether there is video */
    has_video: boolean;
    /** whether it can be held */
    supports_holding: boolean;
    /** whether it can join a group */
    supports_grouping: boolean;
    /** whether it can leave a group */
    supports_ungrouping: boolean;
    /** whether it can play tones */
    supports_dtmf: boolean;
    /** whether the other side holds */
    remote_held: boolean;
    /** how urgent it is */
    priority: "background" | "normal" | "priority_caller" | "emergency" | "emergency_callback" | Other;
    /** who the other side is, as far as the host has found out */
    caller?: {
        /** as the user, or a directory, calls them */
        name?: string;
        /** what kind of caller it is */
        label?: string;
        /** contacts, or the directory that says so */
        source: string;
    };
    /** whether its provider can be reached */
    provider_connected: boolean;
    /** what could be asked for right now and would not be refused */
    allowed: Array<"answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer" | "decline" | "silence" | "end" | "hold" | "resume" | "swap" | "mute" | "unmute" | "merge" | "split" | "play_dtmf" | Other>;
    /** merge: with which groups, each by its oldest call; left out if with none */
    merge_with?: Array<string>;
    /** when it came, or was started */
    created_at_ms: number;
    /** when the other side took it */
    connecting_at_ms?: number;
    /** when both sides could talk */
    connected_at_ms?: number;
    /** when it was over */
    ended_at_ms?: number;
    /** why it is over */
    end_reason?: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
    /** who ended it */
    end_cause?: Cause;
    /** why its app would not go on, as it says */
    failure?: {
        /** its number */
        code: number;
        /** a stable word */
        reason: string;
        /** a sentence for people */
        message?: string;
    };
    /** why it was missed; several may apply */
    missed_reasons?: Array<"unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call" | Other>;
    /** grows with each change of the call; take the higher one */
    rev: number;
};

export type RegisteredProvider = {
    /** names the provider */
    provider: string;
    /** what people call the app */
    display_name: string;
    /** the kinds of address that it can call */
    handle_types: Array<"phone" | "email" | "generic" | Other>;
    /** the schemes of addresses that it can dial */
    url_schemes: Array<string>;
    /** whether its calls may have video */
    supports_video: boolean;
    /** its groups at a time */
    max_call_groups: number;
    /** the calls of one group */
    max_calls_per_group: number;
    /** whether the history shows its calls */
    includes_in_recents: boolean;
    /** a name or path */
    ringtone?: string;
    /** a name or path */
    icon?: string;
    /** those it has set itself */
    action_deadlines: Deadlines;
    /** if it has set it itself */
    ring_timeout_ms?: number;
    /** if it has set it itself */
    grace_ms?: number;
    /** whether its held calls come back */
    resume_when_freed: boolean;
    /** whether it may carry out several as a whole */
    takes_transactions: boolean;
    /** whether the app is this process */
    app_process: "self" | "separate";
    /** whether the user lets it have calls */
    authorization: "not_determined" | "authorized" | "denied";
    /** whether it can be reached */
    connected: boolean;
    /** how many calls it has */
    calls: number;
};

export type Policy = {
    /** a call whose hold fails: keep it and refuse what waited, or end it */
    on_hold_failure: "keep" | "end";
    /** a plain answer while the live call cannot be held: refuse it, or end that call */
    on_cannot_hold: "refuse" | "end";
    /** whether a group comes back when the user ends the call that it was held for */
    resume_after_user_end: boolean;
    /** the same when that call ends in another way */
    resume_after_remote_end: boolean;
    /** whether a call that comes in while another is live is refused and missed; favourites, contacts that break through and emergencies ring all the same */
    busy_in_call: boolean;
    /** a start while another call rings or waits; emergencies are always started */
    dial_while_ringing: "allow" | "refuse";
    /** what a short press does to one active call */
    button_active: "end" | "mute";
    /** whether there can be emergency calls */
    allows_emergency: boolean;
    /** compatible: CallKit's, where a start may take ten minutes */
    timeouts: "default" | "compatible";
    /** whoever is in no contact: rings, or rings without sound */
    unknown_callers: "ring" | "silence";
    /** the country of numbers without a country code; empty: they stay as they are */
    region: string;
    /** what becomes of providers that the user has said nothing about */
    new_providers: "allow" | "ask" | "deny";
    /** how long a provider with calls may be silent before it is pinged; 0: it is not */
    heartbeat_ms: number;
    /** when calls do not reach the user */
    do_not_disturb: {
        /** by hand */
        on: boolean;
        /** when that ends; null: when it is taken back */
        until_at_ms: number | null;
        /** when it is on by itself */
        schedule: Array<{
            /** on which it begins; every day if left out */
            days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
            /** when it begins, in the time zone of the broker */
            from: string;
            /** when it ends; not after `from`: on the next day */
            to: string;
        }>;
        /** whether a second call within three minutes gets through */
        repeated_calls_pass: boolean;
    };
    /** how much of it is kept */
    history: {
        /** what is older goes */
        days: number;
        /** what is more goes, the oldest first */
        entries: number;
    };
    /** which calls are emergencies beside those that the user marks, and who places them */
    emergency: {
        /** numbers of emergency services beside 112, 911 and those of the region, as they are dialled */
        numbers: Array<string>;
        /** the providers that are the first to place one, in this order */
        providers: Array<string>;
        /** of the providers that the host has decided about */
        claims: Record<string, {
            /** whether its word counts for calls that it starts by itself; ask: not for the call at hand */
            outgoing: "allowed" | "ask" | "denied";
            /** the same for calls that come in */
            incoming: "allowed" | "ask" | "denied";
        }>;
    };
    /** the providers that the user has spoken about */
    authorization: Record<string, "not_determined" | "authorized" | "denied">;
    /** of the host */
    limits: {
        /** groups that are held at a time */
        held_groups: number;
        /** calls that ring or wait at a time */
        ringing: number;
        /** calls that are dialled at a time */
        dialing: number;
        /** calls of one provider */
        calls_per_provider: number;
        /** calls in all */
        calls: number;
    };
    /** whose call it becomes, by the scheme that is dialled */
    default_provider: Record<string, string>;
};

/** What a client asks for. */
export interface Requests {
    /** Opens the session. */
    "broker.hello": {
        params: {
            /** the protocol majors the client speaks */
            protocol: {
                /** the oldest */
                min: number;
                /** the newest */
                max: number;
            };
            /** for logs and lists */
            client: {
                /** the program */
                name: string;
                /** its release */
                version: string;
                /** where to read about it */
                url?: string;
            };
            /** what it wants to do; observer if left out */
            roles?: Array<"provider" | "controller" | "observer" | "screener" | "directory" | "ui" | "admin" | Other>;
            /** a stable name; needed for provider, screener, directory and ui */
            identity?: string;
            /** what it understands beside what everybody has to; others are ignored */
            features?: Array<"presentation" | Other>;
            /** reserved; clients of another user are refused, with one or without */
            credential?: string;
            /** provider: goes on with an earlier session */
            resume?: {
                /** from the earlier hello */
                session: string;
                /** from the earlier hello */
                secret: string;
            };
        };
        result: {
            /** the major that was chosen */
            protocol: number;
            /** who is serving */
            broker: {
                /** callbroker */
                name: string;
                /** its release */
                version: string;
                /** changes with every start */
                instance: string;
            };
            /** for hello.resume */
            session: {
                /** names the session */
                session: string;
                /** needed to resume it */
                secret: string;
                /** whether an earlier session goes on */
                resumed: boolean;
                /** how long it outlives its connection */
                grace_ms: number;
            };
            /** what the client may do */
            granted_roles: Array<"provider" | "controller" | "observer" | "screener" | "directory" | "ui" | "admin" | Other>;
            /** what it may not do, and why */
            denied_roles: Array<{
                /** as it was asked for */
                role: string;
                /** why not */
                reason: "unknown_role" | "not_granted" | "taken" | Other;
            }>;
            /** every limit, by name */
            limits: Record<string, unknown>;
            /** names the lineage of states that seq counts in */
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
            /** how long a provider with calls may be silent before it is pinged; 0: it is not */
            heartbeat_ms: number;
        };
    };
    /** Asks whether the other side is alive. */
    "broker.ping": {
        params: {
            /** comes back unchanged */
            payload?: unknown;
        };
        result: {
            /** what the ping carried, unchanged */
            payload?: unknown;
        };
    };
    /** Tells who is serving. */
    "broker.info": {
        params: {};
        result: {
            /** the broker's name */
            name: string;
            /** the broker's release */
            version: string;
            /** changes with every start */
            instance: string;
            /** names the lineage of states that seq counts in */
            epoch: string;
            /** the number of the latest event */
            seq: number;
            /** how long this instance has run */
            uptime_ms: number;
            /** how much there is of what */
            counts: {
                /** open connections, this one too */
                connections: number;
                /** registered providers */
                providers?: number;
                /** calls that are not over */
                calls?: number;
                /** subscriptions of all clients */
                subscriptions?: number;
            };
            /** who gets the next call to present */
            screen?: string;
            /** what brings calls through a restart of the broker */
            journal: {
                /** whether calls would survive a restart now: only if it is kept */
                state: "kept" | "failing" | "off" | Other;
                /** its length, as far as it could be written */
                bytes: number;
                /** why it cannot be written */
                message?: string;
                /** where it lies, and any that could not be gone on with; for admin */
                folder?: string;
            };
            /** what the user knows: contacts, blocks, history, caller directories */
            store?: {
                /** whether blocks, contacts and history can be asked for and kept */
                state: "kept" | "failing" | "off" | Other;
                /** why not */
                message?: string;
            };
        };
    };
    /** Describes one method or event. */
    "broker.describe": {
        params: {
            /** the name on the wire */
            name: string;
        };
        result: Record<string, unknown>;
    };
    /** Counters since the start. */
    "broker.stats": {
        params: {};
        result: {
            /** open now */
            connections: number;
            /** accepted so far */
            connections_accepted: number;
            /** closed at the door: too many, too fast */
            connections_refused: number;
            /** frames read, bad ones too */
            frames_received: number;
            /** frames queued */
            frames_sent: number;
            /** frames that are no JSON-RPC as we accept it */
            frames_bad: number;
            /** valid requests */
            requests: number;
            /** valid notifications */
            notifications: number;
            /** answers nobody waited for */
            responses_ignored: number;
            /** error replies */
            errors_sent: number;
            /** bytes read */
            bytes_received: number;
            /** bytes queued for clients */
            bytes_sent: number;
            /** bytes that wait for slow clients now */
            bytes_queued: number;
            /** timers that run now */
            timers: number;
            /** turns of the loop */
            turns: number;
            /** the longest of them */
            longest_turn_ms: number;
            /** turns of more than 50 ms, while which everybody waited */
            stalls: Array<{
                /** what took longest in them: a method, or a part of the broker's work */
                what: string;
                /** how many */
                count: number;
                /** the longest of them */
                longest_ms: number;
            }>;
        };
    };
    /** Stops the broker. */
    "broker.shutdown": {
        params: {
            /** why, for the log */
            reason?: string;
        };
        result: {};
    };
    /** Registers the provider of this connection. */
    "provider.register": {
        params: {
            /** what people call the app */
            display_name: string;
            /** the kinds of address that it can call */
            handle_types: Array<"phone" | "email" | "generic" | Other>;
            /** the schemes of addresses that it can dial, such as tel */
            url_schemes?: Array<string>;
            /** whether its calls may have video; no */
            supports_video?: boolean;
            /** its groups at a time; 2 */
            max_call_groups?: number;
            /** the calls of one group; 5 */
            max_calls_per_group?: number;
            /** whether the history shows its calls; yes */
            includes_in_recents?: boolean;
            /** a name or path */
            ringtone?: string;
            /** a name or path */
            icon?: string;
            /** milliseconds per action; else the policy's */
            action_deadlines?: Deadlines;
            /** how long its calls ring; else the policy's */
            ring_timeout_ms?: number;
            /** how long its calls wait for it to come back; else the policy's */
            grace_ms?: number;
            /** whether its held calls come back when the one they were held for ends; yes */
            resume_when_freed?: boolean;
            /** whether it is asked to carry out several actions as a whole; no */
            takes_transactions?: boolean;
            /** separate: an adapter; the app talks on when this process ends */
            app_process?: "self" | "separate";
            /** all live calls, after coming back */
            calls?: Array<LiveCall>;
            /** whether further registrations follow with more calls */
            more?: boolean;
        };
        result: {
            /** the identity of the connection */
            provider: string;
            /** whether the host lets it have calls */
            authorization: "not_determined" | "authorized" | "denied";
            /** what was accepted */
            limits: Limits;
            /** its calls that the broker has now */
            calls: Array<string>;
            /** true if it has more calls than are listed: see call.list */
            more?: boolean;
            /** calls it named for which there is no place: end them */
            dropped: Array<string>;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Changes what the provider said when it registered. */
    "provider.update": {
        params: {
            /** what people call the app */
            display_name?: string;
            /** the kinds of address that it can call */
            handle_types?: Array<"phone" | "email" | "generic" | Other>;
            /** the schemes of addresses that it can dial, such as tel */
            url_schemes?: Array<string>;
            /** whether its calls may have video; no */
            supports_video?: boolean;
            /** its groups at a time; 2 */
            max_call_groups?: number;
            /** the calls of one group; 5 */
            max_calls_per_group?: number;
            /** whether the history shows its calls; yes */
            includes_in_recents?: boolean;
            /** a name or path */
            ringtone?: string | null;
            /** a name or path */
            icon?: string | null;
            /** milliseconds per action; else the policy's */
            action_deadlines?: Deadlines | null;
            /** how long its calls ring; else the policy's */
            ring_timeout_ms?: number | null;
            /** how long its calls wait for it to come back; else the policy's */
            grace_ms?: number | null;
            /** whether its held calls come back when the one they were held for ends; yes */
            resume_when_freed?: boolean;
            /** whether it is asked to carry out several actions as a whole; no */
            takes_transactions?: boolean;
            /** separate: an adapter; the app talks on when this process ends */
            app_process?: "self" | "separate";
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Takes the provider away. */
    "provider.unregister": {
        params: {};
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Lists the providers. */
    "provider.list": {
        params: {
            /** the `next` of the page before */
            after?: string;
            /** how many at most; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** in the order of their names */
            providers: Array<RegisteredProvider>;
            /** there are more: pass it as `after` */
            next?: string;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** A call comes in. */
    "call.report_incoming": {
        params: Update & {
            /** names the call, and no other ever after */
            call: string;
            /** who calls */
            remote: Handle;
            /** when the provider learnt of it */
            received_at_ms?: number;
        };
        result: {
            /** which call */
            call: string;
            /** waiting: behind another call */
            state: "ringing" | "waiting" | Other;
            /** what the app may sound; tone: somebody talks already, so at most a short tone */
            presentation: "ring" | "tone" | "silent" | Other;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** The other side has taken the call. */
    "call.report_connecting": {
        params: {
            /** which call */
            call: string;
            /** when it happened, if not just now */
            at_ms?: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Both sides can talk. */
    "call.report_connected": {
        params: {
            /** which call */
            call: string;
            /** when it happened, if not just now */
            at_ms?: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** The app has held or resumed a call by itself. */
    "call.report_held": {
        params: {
            /** which call */
            call: string;
            /** whether it is held now */
            held: boolean;
            /** when it happened, if not just now */
            at_ms?: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** The app has muted or unmuted a call by itself. */
    "call.report_muted": {
        params: {
            /** which call */
            call: string;
            /** whether the microphone is off now */
            muted: boolean;
            /** when it happened, if not just now */
            at_ms?: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** The app has grouped or split its calls by itself. */
    "call.report_group": {
        params: {
            /** which call */
            call: string;
            /** a call of the group it is in now; null: it is alone */
            with: string | null;
            /** when it happened, if not just now */
            at_ms?: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** A call was over before it could ring. */
    "call.report_missed": {
        params: Update & {
            /** names the call, and no other ever after */
            call: string;
            /** who called */
            remote: Handle;
            /** why it did not ring */
            reason: "unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call";
            /** when it came */
            at_ms: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Something about a call has changed. */
    "call.report_update": {
        params: Update & {
            /** which call */
            call: string;
            /** whom the call is with */
            remote?: Handle | null;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** The other side has ended the call, or it failed. */
    "call.report_ended": {
        params: {
            /** which call */
            call: string;
            /** why it is over */
            reason: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere";
            /** when it happened, if not just now */
            at_ms?: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Tells how an action of a transaction that was taken went. */
    "action.settle": {
        params: {
            /** from provider.execute */
            action: string;
            /** how it went */
            outcome: "fulfilled" | "failed";
            /** when it happened, if not just now */
            at_ms?: number;
            /** failed: a stable word */
            reason?: string;
            /** failed: a sentence for people */
            message?: string;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Asks for actions, together and in order. */
    "transaction.request": {
        params: Options & {
            /** in order, at least one */
            actions: Array<{
                /** what to do */
                kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
                /** which call; for a start it is made if left out */
                call?: string;
                /** start: whose call it becomes */
                provider?: string;
                /** what the kind needs, as in the method of the same name */
                arguments?: Record<string, unknown>;
                /** what becomes of the call in the way; answer if left out */
                choice?: "answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer";
            }>;
        };
        result: Transaction;
    };
    /** Calls somebody. */
    "call.start": {
        params: Options & {
            /** whom to call */
            remote: Handle;
            /** whether it begins with video; false if left out */
            has_video?: boolean;
            /** the id of a contact, for the app */
            contact?: string;
            /** an emergency call; counts only if the provider and the policy allow it */
            emergency?: boolean;
            /** names the new call; made if left out */
            call?: string;
            /** whose call it becomes */
            provider?: string;
        };
        result: Transaction;
    };
    /** Answers a call. */
    "call.answer": {
        params: Options & {
            /** which call */
            call: string;
            /** what becomes of the call in the way; answer if left out */
            choice?: "answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer";
        };
        result: Transaction;
    };
    /** Ends, declines or cancels a call. */
    "call.end": {
        params: Options & {
            /** which call */
            call: string;
        };
        result: Transaction;
    };
    /** Holds or resumes a call. */
    "call.set_held": {
        params: Options & {
            /** which call */
            call: string;
            /** whether it shall be held */
            held: boolean;
        };
        result: Transaction;
    };
    /** Takes or gives the microphone. */
    "call.set_muted": {
        params: Options & {
            /** which call */
            call: string;
            /** whether the microphone shall be off */
            muted: boolean;
        };
        result: Transaction;
    };
    /** Lets a call join a group, or leave its own. */
    "call.set_group": {
        params: Options & {
            /** which call */
            call: string;
            /** a call of the group it shall join; null: it leaves its own */
            with: string | null;
        };
        result: Transaction;
    };
    /** Plays tones. */
    "call.play_dtmf": {
        params: Options & {
            /** which call */
            call: string;
            /** the keys, in order; , and p are pauses, ; and w wait for the user */
            digits: string;
            /** how they came about; single if left out */
            style?: "single" | "soft_pause" | "hard_pause";
        };
        result: Transaction;
    };
    /** Calls an address. */
    "call.dial": {
        params: Options & {
            /** the address, scheme and all */
            uri: string;
            /** whose call it becomes */
            provider?: string;
            /** whether it begins with video; false if left out */
            has_video?: boolean;
            /** names the new call; made if left out */
            call?: string;
        };
        result: Transaction;
    };
    /** The live call and a held one change places. */
    "call.swap": {
        params: Options & {
            /** the held one; needed if there are several */
            call?: string;
        };
        result: Transaction;
    };
    /** Two calls become a conference. */
    "call.merge": {
        params: Options & {
            /** which call */
            call: string;
            /** a call of the group it shall join */
            with: string;
        };
        result: Transaction;
    };
    /** A call leaves its conference. */
    "call.split": {
        params: Options & {
            /** which call */
            call: string;
        };
        result: Transaction;
    };
    /** The button of a headset, or a hot key. */
    "call.press_button": {
        params: {
            /** how long */
            press: "short" | "long";
        };
        result: Transaction;
    };
    /** A call goes on ringing without sound. */
    "call.silence": {
        params: {
            /** which call */
            call: string;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Lists the calls. */
    "call.list": {
        params: {
            /** only calls that fit all of it */
            filter?: {
                /** whose calls */
                provider?: string;
                /** in which state */
                state?: "starting" | "dialing" | "ringing" | "waiting" | "connecting" | "active" | "held" | "ending" | "ended";
                /** who called whom */
                direction?: "incoming" | "outgoing";
            };
            /** the `next` of the page before */
            after?: string;
            /** how many at most; as many as fit if left out */
            limit?: number;
            /** whether calls that are over are listed, as far as they are kept; false if left out */
            include_ended?: boolean;
        };
        result: {
            /** in the order of their making */
            calls: Array<Call>;
            /** there are more: pass it as `after` to call.list */
            next?: string;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** One call as it is now. */
    "call.get": {
        params: {
            /** which call */
            call: string;
        };
        result: Call & {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Why a call or a transaction is as it is. */
    "call.explain": {
        params: {
            /** which call */
            call?: string;
            /** which transaction */
            transaction?: string;
        };
        result: {
            /** the oldest first */
            steps: Array<{
                /** the event that it came with */
                seq: number;
                /** when it was decided */
                at_ms: number;
                /** by which rule; where none had to decide it is left out */
                rule?: string;
                /** a stable word */
                decision: string;
                /** why it was refused, or has failed */
                reason?: string;
                /** about which call */
                call?: string;
                /** why the call is over */
                end_reason?: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
                /** why an app would not do it, as it says */
                failure?: {
                    /** its number */
                    code: number;
                    /** a stable word */
                    reason: string;
                    /** a sentence for people */
                    message?: string;
                };
                /** who blocked or silenced the call */
                filtered_by?: string;
                /** what the screener that decided says about it, or why the store was not asked */
                explanation?: {
                    /** which screener, or store */
                    by: string;
                    /** why, as it says */
                    text: string;
                };
                /** who made it necessary */
                cause: Cause;
                /** the calls in the way */
                blocking?: Array<{
                    /** the call */
                    call: string;
                    /** whose it is */
                    provider: string;
                }>;
            }>;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Watches topics. */
    "events.subscribe": {
        params: {
            /** names and patterns */
            topics: Array<string>;
            /** where to go on */
            cursor?: {
                /** of the last event that was received */
                epoch: string;
                /** of the last event that was received */
                seq: number;
            };
            /** whether the reply has the host and the calls; true if left out */
            snapshot?: boolean;
            /** whether calls that are over are listed, as far as they are kept; false if left out */
            include_ended?: boolean;
        };
        result: {
            /** names the subscription, on this connection; from 1 */
            subscription: number;
            /** names the lineage of states that seq counts in */
            epoch: string;
            /** the number of the latest event */
            seq: number;
            /** true if the cursor was too old: forget everything, here is the state */
            resync: boolean;
            /** the host, and the calls, or the first of them */
            snapshot?: {
                /** in the order of their making */
                calls: Array<Call>;
                /** there are more: pass it as `after` to call.list */
                next?: string;
                /** the host */
                host: {
                    /** the group that speaks, or is about to */
                    live_group?: string;
                    /** how many groups are held */
                    held_groups: number;
                    /** how many calls ring or wait */
                    ringing: number;
                    /** whether something waits for room */
                    busy: boolean;
                    /** whether there is an emergency call */
                    emergency: boolean;
                    /** the group that microphone and speaker belong to */
                    audio_group?: string;
                };
            };
        };
    };
    /** Ends a subscription. */
    "events.unsubscribe": {
        params: {
            /** names the subscription, on this connection; from 1 */
            subscription: number;
        };
        result: {
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** The host as it is now. */
    "host.get": {
        params: {};
        result: {
            /** the group that speaks, or is about to */
            live_group?: string;
            /** how many groups are held */
            held_groups: number;
            /** how many calls ring or wait */
            ringing: number;
            /** whether something waits for room */
            busy: boolean;
            /** whether there is an emergency call */
            emergency: boolean;
            /** the group that microphone and speaker belong to */
            audio_group?: string;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Wants to present calls. */
    "ui.claim": {
        params: {
            /** the highest wins; 0 if left out */
            priority?: number;
            /** whether the screen rings for what it presents: then apps that can are silent; no */
            sound?: boolean;
        };
        result: {
            /** whether this screen gets the next call */
            primary: boolean;
        };
    };
    /** Presents no calls any more. */
    "ui.release": {
        params: {};
        result: {
            /** whether this screen gets the next call */
            primary: boolean;
        };
    };
    /** The policy. */
    "policy.get": {
        params: {};
        result: {
            /** as it is now */
            policy: Policy;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Changes a part of the policy. */
    "policy.set": {
        params: {
            /** a call whose hold fails: keep it and refuse what waited, or end it */
            on_hold_failure?: "keep" | "end";
            /** a plain answer while the live call cannot be held: refuse it, or end that call */
            on_cannot_hold?: "refuse" | "end";
            /** whether a group comes back when the user ends the call that it was held for */
            resume_after_user_end?: boolean;
            /** the same when that call ends in another way */
            resume_after_remote_end?: boolean;
            /** whether a call that comes in while another is live is refused and missed; favourites, contacts that break through and emergencies ring all the same */
            busy_in_call?: boolean;
            /** a start while another call rings or waits; emergencies are always started */
            dial_while_ringing?: "allow" | "refuse";
            /** what a short press does to one active call */
            button_active?: "end" | "mute";
            /** whether there can be emergency calls */
            allows_emergency?: boolean;
            /** compatible: CallKit's, where a start may take ten minutes */
            timeouts?: "default" | "compatible";
            /** whoever is in no contact: rings, or rings without sound */
            unknown_callers?: "ring" | "silence";
            /** the country of numbers without a country code; empty: they stay as they are */
            region?: string;
            /** what becomes of providers that the user has said nothing about */
            new_providers?: "allow" | "ask" | "deny";
            /** how long a provider with calls may be silent before it is pinged; 0: it is not */
            heartbeat_ms?: number;
            /** when calls do not reach the user; what is left out stays */
            do_not_disturb?: {
                /** by hand */
                on?: boolean;
                /** when that ends; null: when it is taken back */
                until_at_ms?: number | null;
                /** when it is on by itself */
                schedule?: Array<{
                    /** on which it begins; every day if left out */
                    days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
                    /** when it begins, in the time zone of the broker */
                    from: string;
                    /** when it ends; not after `from`: on the next day */
                    to: string;
                }>;
                /** whether a second call within three minutes gets through */
                repeated_calls_pass?: boolean;
            };
            /** how much of it is kept */
            history?: {
                /** what is older goes */
                days?: number;
                /** what is more goes, the oldest first */
                entries?: number;
            };
            /** by provider; null takes a word back, what is left out stays */
            authorization?: Record<string, "authorized" | "denied" | null>;
            /** which calls are emergencies beside those that the user marks, and who places them; what is left out stays */
            emergency?: {
                /** numbers of emergency services beside 112, 911 and those of the region, as they are dialled */
                numbers?: Array<string>;
                /** the providers that are the first to place one, in this order */
                providers?: Array<string>;
                /** by provider; null takes one away, what is left out stays */
                claims?: Record<string, {
                    /** whether its word counts for calls that it starts by itself; ask: not for the call at hand */
                    outgoing?: "allowed" | "ask" | "denied";
                    /** the same for calls that come in */
                    incoming?: "allowed" | "ask" | "denied";
                } | null>;
            };
            /** of the host; what is left out stays */
            limits?: {
                /** groups that are held at a time */
                held_groups?: number;
                /** calls that ring or wait at a time */
                ringing?: number;
                /** calls that are dialled at a time */
                dialing?: number;
                /** calls of one provider */
                calls_per_provider?: number;
                /** calls in all */
                calls?: number;
            };
            /** by scheme; null takes one away, what is left out stays */
            default_provider?: Record<string, string | null>;
        };
        result: {
            /** as it is now */
            policy: Policy;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** A part of a directory. */
    "directory.put_entries": {
        params: {
            /** names the directory; a plugin's own if left out */
            source?: string;
            /** the load that it belongs to; higher than the one that serves */
            generation: number;
            /** whether this is the last part */
            final: boolean;
            /** so many of them */
            entries: Array<{
                /** with its country code, digits only */
                number: number;
                /** who that is */
                label?: string;
                /** whether it must not ring; no */
                blocked?: boolean;
            }>;
        };
        result: {
            /** entries of this part */
            accepted: number;
            /** entries of this generation so far */
            total: number;
        };
    };
    /** Changes to the generation that serves. */
    "directory.change_entries": {
        params: {
            /** names the directory; a plugin's own if left out */
            source?: string;
            /** entries that come in */
            add?: Array<{
                /** with its country code, digits only */
                number: number;
                /** who that is */
                label?: string;
                /** whether it must not ring; no */
                blocked?: boolean;
            }>;
            /** numbers that lose their labels */
            remove_labels?: Array<number>;
            /** numbers that may ring again */
            remove_blocks?: Array<number>;
            /** every label goes */
            remove_all_labels?: boolean;
            /** every block goes */
            remove_all_blocks?: boolean;
        };
        result: {
            /** entries that there are now */
            total: number;
        };
    };
    /** Removes a directory with all its entries. */
    "directory.clear": {
        params: {
            /** names the directory; a plugin's own if left out */
            source?: string;
            /** nothing, for those who count them */
            generation?: number;
        };
        result: {
            /** whether there was one */
            removed: boolean;
        };
    };
    /** The directories. */
    "directory.list": {
        params: {};
        result: {
            /** by name */
            sources: Array<{
                /** its name */
                source: string;
                /** whether it serves */
                enabled: boolean;
                /** the load that serves */
                generation?: number;
                /** of that load */
                entries: number;
                /** the load that has begun */
                loading?: number;
            }>;
        };
    };
    /** Switches a directory on or off. */
    "directory.enable": {
        params: {
            /** its name */
            source: string;
            /** whether it serves */
            enabled: boolean;
        };
        result: {
            /** as it is now */
            enabled: boolean;
        };
    };
    /** Calls of somebody shall not ring. */
    "block.add": {
        params: {
            /** one number or address */
            handle?: Handle;
            /** every one of that type that begins so */
            prefix?: Handle;
            /** for the user */
            reason?: string;
        };
        result: {
            /** one number or address */
            handle?: Handle;
            /** every one of that type that begins so */
            prefix?: Handle;
            /** for the user */
            reason?: string;
            /** since when */
            added_at_ms: number;
        };
    };
    /** Calls of somebody may ring again. */
    "block.remove": {
        params: {
            /** one number or address */
            handle?: Handle;
            /** every one of that type that begins so */
            prefix?: Handle;
        };
        result: {
            /** whether there was such a block */
            removed: boolean;
        };
    };
    /** Who is blocked. */
    "block.list": {
        params: {
            /** the `next` of the page before */
            after?: string;
            /** how many at most; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** a page of them */
            blocks: Array<{
                /** one number or address */
                handle?: Handle;
                /** every one of that type that begins so */
                prefix?: Handle;
                /** for the user */
                reason?: string;
                /** since when */
                added_at_ms: number;
            }>;
            /** where the next page begins, if there is one */
            next?: string;
        };
    };
    /** Adds or replaces a contact. */
    "contact.put": {
        params: {
            /** which one; a new one if left out */
            contact?: string;
            /** as the user calls them */
            name: string;
            /** numbers and addresses */
            handles: Array<Handle>;
            /** whether it is one */
            favorite?: boolean;
            /** whether calls ring despite do-not-disturb */
            breakthrough?: boolean;
            /** the app to call them with */
            provider?: string;
        };
        result: {
            /** names the contact */
            contact: string;
            /** as the user calls them */
            name: string;
            /** numbers and addresses */
            handles: Array<Handle>;
            /** whether it is one */
            favorite?: boolean;
            /** whether calls ring despite do-not-disturb */
            breakthrough?: boolean;
            /** the app to call them with */
            provider?: string;
        };
    };
    /** Removes a contact. */
    "contact.remove": {
        params: {
            /** which one */
            contact: string;
        };
        result: {
            /** whether there was such a contact */
            removed: boolean;
        };
    };
    /** The contacts. */
    "contact.list": {
        params: {
            /** a part of the name, or of a number */
            text?: string;
            /** whether to show these only */
            favorites?: boolean;
            /** the `next` of the page before */
            after?: string;
            /** how many at most; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** a page of them */
            contacts: Array<{
                /** names the contact */
                contact: string;
                /** as the user calls them */
                name: string;
                /** numbers and addresses */
                handles: Array<Handle>;
                /** whether it is one */
                favorite?: boolean;
                /** whether calls ring despite do-not-disturb */
                breakthrough?: boolean;
                /** the app to call them with */
                provider?: string;
            }>;
            /** where the next page begins, if there is one */
            next?: string;
        };
    };
    /** Calls that are over. */
    "history.list": {
        params: {
            /** which; all if left out */
            filter?: {
                /** that one alone */
                entry?: number;
                /** whether to show missed calls only */
                missed?: boolean;
                /** calls of one app */
                provider?: string;
                /** calls with one number or address */
                handle?: Handle;
                /** calls that ended then or later */
                since_at_ms?: number;
                /** whether to show calls of apps that want none among the recent ones, too */
                hidden?: boolean;
            };
            /** the `next` of the page before */
            after?: string;
            /** how many at most; as many as fit if left out */
            limit?: number;
        };
        result: {
            /** a page of them */
            entries: Array<{
                /** names the entry */
                entry: number;
                /** which call it was */
                call: string;
                /** whose call it was */
                provider: string;
                /** what people call the app */
                provider_name?: string;
                /** who called whom */
                direction: "incoming" | "outgoing";
                /** whom it was with */
                remote?: Handle;
                /** the other side, as it was shown */
                name?: string;
                /** what kind of caller it was */
                label?: string;
                /** who said so */
                label_source?: string;
                /** whether there was video at last */
                has_video: boolean;
                /** when it came, or was started */
                started_at_ms: number;
                /** when both sides could talk */
                connected_at_ms?: number;
                /** when it was over */
                ended_at_ms: number;
                /** how long both sides could talk */
                duration_ms: number;
                /** why it was over */
                end_reason: "failed" | "remote_ended" | "unanswered" | "answered_elsewhere" | "declined_elsewhere" | "local_ended" | "declined" | "cancelled" | "filtered" | Other;
                /** who ended it */
                end_cause: Cause;
                /** why its app would not go on, as it says */
                failure?: {
                    /** its number */
                    code: number;
                    /** a stable word */
                    reason: string;
                    /** a sentence for people */
                    message?: string;
                };
                /** whether it is one that the user has missed */
                missed: boolean;
                /** why it was missed; several may apply */
                missed_reasons?: Array<"unanswered" | "short_ring" | "silenced" | "caller_gave_up" | "do_not_disturb" | "max_ringing" | "emergency" | "provider_lost" | "screening_timed_out" | "max_calls" | "in_call" | Other>;
                /** who blocked or silenced it */
                filtered_by?: string;
                /** whether the user knows of it */
                seen: boolean;
            }>;
            /** where the next page begins, if there is one */
            next?: string;
            /** missed calls that are new to the user */
            missed: number;
        };
    };
    /** Removes entries. */
    "history.remove": {
        params: {
            /** which */
            entries: Array<number>;
        };
        result: {
            /** how many there were */
            removed: number;
        };
    };
    /** Removes all entries, or those that a filter shows. */
    "history.clear": {
        params: {
            /** which; all if left out */
            filter?: {
                /** that one alone */
                entry?: number;
                /** whether to show missed calls only */
                missed?: boolean;
                /** calls of one app */
                provider?: string;
                /** calls with one number or address */
                handle?: Handle;
                /** calls that ended then or later */
                since_at_ms?: number;
                /** whether to show calls of apps that want none among the recent ones, too */
                hidden?: boolean;
            };
        };
        result: {
            /** how many there were */
            removed: number;
        };
    };
    /** The user has seen the missed calls. */
    "history.mark_seen": {
        params: {
            /** those that ended until then; all if left out */
            until_at_ms?: number;
        };
        result: {
            /** how many were new */
            marked: number;
        };
    };
    /** The plugins. */
    "plugin.list": {
        params: {
            /** this one only */
            plugin?: string;
            /** what next said */
            after?: string;
            /** at most so many */
            limit?: number;
        };
        result: {
            /** by name */
            plugins: Array<{
                /** its identity */
                plugin: string;
                /** what people call it */
                name: string;
                /** what its process does */
                state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
                /** the file that describes it */
                manifest: string;
                /** its release */
                version?: string;
                /** what it is for */
                description?: string;
                /** what it does */
                roles: Array<string>;
                /** when it is started; external: it connects by itself */
                start: "boot" | "demand" | "manual" | "external" | Other;
                /** whether its user wants it */
                enabled: boolean;
                /** its process */
                pid?: number;
                /** its process has been told to go */
                stopping?: boolean;
                /** it is started anew as soon as it has no calls */
                reloads?: boolean;
                /** how often it was started */
                starts: number;
                /** why it failed the last time */
                failure?: "not_spawned" | "exited" | "hello_missing" | "registration_missing" | "connection_lost" | "unresponsive" | Other;
                /** a sentence about that */
                failure_message?: string;
                /** how its last process ended */
                exit?: {
                    /** the status, if it ended by itself */
                    code?: number;
                    /** the signal that ended it */
                    signal?: number;
                };
                /** when it is started again */
                retry_after_ms?: number;
                /** why the manifest cannot be used */
                fault?: {
                    /** the manifest */
                    file: string;
                    /** where */
                    line: number;
                    /** what is wrong */
                    message: string;
                };
                /** what its user may choose */
                options?: Array<{
                    /** how it is called */
                    option: string;
                    /** what values it has */
                    type: "string" | "int" | "bool" | "list" | "secret" | Other;
                    /** whether it changes without a restart */
                    dynamic: boolean;
                    /** whether somebody has set it */
                    is_set: boolean;
                    /** what it is now; a secret is not told */
                    value?: unknown;
                    /** what it does */
                    description?: string;
                }>;
                /** the last lines that it wrote */
                stderr: Array<string>;
            }>;
            /** where the next page begins: after */
            next?: string;
            /** every event up to this number has been sent */
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
            /** as it is now */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** every event up to this number has been sent */
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
            /** as it is now */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Stops a plugin, and starts it again. */
    "plugin.restart": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** as it is now */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Takes a plugin into use again. */
    "plugin.enable": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** as it is now */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Takes a plugin out of use. */
    "plugin.disable": {
        params: {
            /** its identity */
            plugin: string;
        };
        result: {
            /** its identity */
            plugin: string;
            /** as it is now */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** Reads the manifests again. */
    "plugin.rescan": {
        params: {};
        result: {
            /** how many there are */
            plugins: number;
            /** how many of them cannot be used */
            broken: number;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
    /** What a plugin wrote. */
    "plugin.logs": {
        params: {
            /** its identity */
            plugin: string;
            /** only lines with a higher number */
            after?: number;
            /** at most so many, the latest; 100 */
            limit?: number;
        };
        result: {
            /** oldest first */
            lines: Array<{
                /** counts the lines of this plugin, from 1 */
                number: number;
                /** when it came */
                at_ms: number;
                /** without its end */
                text: string;
                /** so many lines came too fast, and are left out: this line says so instead of them */
                dropped?: number;
            }>;
            /** the number of the latest line; 0 if there is none */
            last: number;
            /** lines that came too fast, and were not kept */
            dropped: number;
        };
    };
    /** What is wrong with the plugins. */
    "plugin.doctor": {
        params: {
            /** this one only */
            plugin?: string;
        };
        result: {
            /** what is not as it should be; by name */
            findings: Array<{
                /** its identity */
                plugin: string;
                /** how bad it is */
                level: "error" | "warning" | Other;
                /** what is wrong */
                message: string;
                /** what to do */
                hint?: string;
                /** the last lines that it wrote */
                stderr: Array<string>;
            }>;
            /** how many were looked at */
            plugins: number;
        };
    };
    /** Sets an option of a plugin. */
    "plugin.set_option": {
        params: {
            /** its identity */
            plugin: string;
            /** which option */
            option: string;
            /** of the option's type; null: the default again */
            value: unknown;
        };
        result: {
            /** its identity */
            plugin: string;
            /** which option */
            option: string;
            /** when it counts: an option that is not dynamic needs a restart */
            applies: "now" | "when_idle" | "with_next_start" | Other;
            /** every event up to this number has been sent */
            seq: number;
        };
    };
}

/** What the broker asks for. */
export interface Handled {
    /** Asks whether the other side is alive. */
    "broker.ping": {
        params: {
            /** comes back unchanged */
            payload?: unknown;
        };
        result: {
            /** what the ping carried, unchanged */
            payload?: unknown;
        };
    };
    /** One action for one call. */
    "provider.perform": {
        params: {
            /** names the action; the same again means the same action */
            action: string;
            /** what to do */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
            /** which call */
            call: string;
            /** what the kind needs, as in the method of the same name */
            arguments: Record<string, unknown>;
            /** what it is a part of */
            transaction: string;
            /** who wanted it, and why */
            cause: Cause;
            /** how long it may take from now */
            deadline_ms: number;
            /** 1, or more after a reconnection */
            attempt: number;
            /** how long ago it was asked for: what was in its way took so long */
            age_ms?: number;
        };
        result: {
            /** when it was done, if not just now */
            at_ms?: number;
        };
    };
    /** Several actions, to be carried out as a whole. */
    "provider.execute": {
        params: {
            /** names the transaction */
            transaction: string;
            /** in order */
            actions: Array<{
                /** names the action; the same again means the same action */
                action: string;
                /** what to do */
                kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
                /** which call */
                call: string;
                /** what the kind needs, as in the method of the same name */
                arguments: Record<string, unknown>;
                /** who wanted it, and why */
                cause: Cause;
                /** how long ago it was asked for: what was in its way took so long */
                age_ms?: number;
            }>;
            /** how long the answer may take */
            deadline_ms: number;
        };
        result: {
            /** whether it carries them out as a whole */
            taken: boolean;
        };
    };
    /** Show this call to the user. */
    "ui.present": {
        params: Call & {
            /** what to call the other side, as far as the host knows */
            suggested?: {
                /** as the user, or a directory, calls them */
                name?: string;
                /** what kind of caller it is */
                label?: string;
            };
            /** what to offer right now: the call's allowed */
            actions: Array<"answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer" | "decline" | "silence" | "end" | "hold" | "resume" | "swap" | "mute" | "unmute" | "merge" | "split" | "play_dtmf" | Other>;
            /** how long the answer may take from now */
            deadline_ms: number;
        };
        result: {
            /** whether the user can see it there from now on */
            presented: boolean;
        };
    };
    /** May this call ring?. */
    "screener.check": {
        params: Update & {
            /** which call */
            call: string;
            /** whose call it is */
            provider: string;
            /** who calls; null: not known */
            remote: Handle | null;
            /** how long the answer may take from now */
            deadline_ms: number;
        };
        result: {
            /** continue: nothing to say; allow: rings despite do-not-disturb */
            verdict: "continue" | "allow" | "silence" | "block" | Other;
            /** what kind of caller it is */
            label?: string;
            /** why, for call.explain */
            explain?: string;
        };
    };
    /** Who is that?. */
    "directory.lookup": {
        params: {
            /** who calls, or is called */
            remote: Handle;
            /** how long the answer may take from now */
            deadline_ms: number;
        };
        result: {
            /** who it is */
            display_name?: string;
            /** what kind of caller it is */
            label?: string;
            /** whether the call must not ring */
            blocked?: boolean;
            /** whether many have complained about it */
            spam?: boolean;
            /** how long that may be remembered */
            ttl_s?: number;
        };
    };
}

/** What a client tells. */
export interface Notifications {
    /** Takes a request back. */
    "broker.cancel": {
        /** the id of the request */
        request: string | number;
        /** from the broker: which action, where the request has several */
        action?: string;
        /** why, for the log */
        reason?: string;
    };
    /** A request is being worked on. */
    "broker.progress": {
        /** the id of the request */
        request: string | number;
        /** a stable word */
        phase?: string;
        /** how far it is */
        percent?: number;
        /** a sentence */
        message?: string;
        /** how much more time is needed */
        extend_ms?: number;
    };
    /** Writes a line to the broker's log. */
    "broker.log": {
        /** how serious it is */
        level: "debug" | "info" | "notice" | "warning" | "error";
        /** the line */
        message: string;
        /** kept out of the log; reserved for tools */
        fields?: Record<string, unknown>;
    };
    /** The last frame before a connection closes. */
    "broker.goodbye": {
        /** a stable word */
        reason: string;
        /** a sentence */
        message?: string;
        /** whether the session can be taken up again */
        resumable?: boolean;
        /** when to try again */
        reconnect_after_ms?: number;
    };
}

/** What the broker tells. */
export interface Told {
    /** Takes a request back. */
    "broker.cancel": {
        /** the id of the request */
        request: string | number;
        /** from the broker: which action, where the request has several */
        action?: string;
        /** why, for the log */
        reason?: string;
    };
    /** A request is being worked on. */
    "broker.progress": {
        /** the id of the request */
        request: string | number;
        /** a stable word */
        phase?: string;
        /** how far it is */
        percent?: number;
        /** a sentence */
        message?: string;
        /** how much more time is needed */
        extend_ms?: number;
    };
    /** Something the client should mend. */
    "broker.warning": {
        /** a stable word */
        reason: string;
        /** a sentence */
        message: string;
        /** what it is about */
        ref?: string;
    };
    /** The last frame before a connection closes. */
    "broker.goodbye": {
        /** a stable word */
        reason: string;
        /** a sentence */
        message?: string;
        /** whether the session can be taken up again */
        resumable?: boolean;
        /** when to try again */
        reconnect_after_ms?: number;
    };
    /** An action took too long. */
    "provider.timed_out": {
        /** which action */
        action: string;
        /** what it was */
        kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
        /** which call */
        call: string;
    };
    /** Drop all calls. */
    "provider.reset": {
        /** a stable word */
        reason: "broker_reset" | "admin" | "grace_expired" | Other;
    };
    /** Microphone and speaker may be used. */
    "audio.activated": {
        /** the group whose turn it is, by its oldest call */
        group: string;
        /** its calls */
        calls: Array<string>;
    };
    /** Microphone and speaker must be left alone. */
    "audio.deactivated": {
        /** the group whose turn it is, by its oldest call */
        group: string;
        /** its calls */
        calls: Array<string>;
    };
    /** How a call that comes in is to sound is different now. */
    "call.presentation": {
        /** which call */
        call: string;
        /** ring, a short tone, or silent */
        presentation: "ring" | "tone" | "silent" | Other;
    };
    /** The user has said whether the app may be a provider. */
    "provider.authorization_changed": {
        /** how it is now */
        status: "not_determined" | "authorized" | "denied";
    };
    /** Something has changed. */
    "event": EventHead & {
        /** what it is about */
        topic: "call.added" | "call.changed" | "call.allowed_changed" | "call.removed" | "host.changed" | "call.refused" | "call.dial_refused" | "call.resume_offered" | "transaction.accepted" | "transaction.completed" | "action.dispatched" | "action.fulfilled" | "action.failed" | "action.timed_out" | "action.late" | "provider.added" | "provider.changed" | "provider.resumed" | "provider.lost" | "provider.removed" | "audio.changed" | "policy.changed" | "history.changed" | "broker.anomaly" | "broker.bookmark" | "broker.stopping" | "plugin.state" | "plugin.log" | Other;
        /** what is to be known */
        data: Record<string, unknown>;
    };
    /** Events were lost. */
    "events.gap": {
        /** names the subscription, on this connection; from 1 */
        subscription: number;
        /** the number of the first event that is missing; above `to` if only lines of plugins are */
        from: number;
        /** the number of the last */
        to: number;
        /** a stable word */
        reason: "overflow" | "expired" | Other;
    };
    /** Show this call no longer. */
    "ui.dismiss": {
        /** which call */
        call: string;
        /** a stable word */
        reason: "ended" | "timed_out" | "taken" | "released" | Other;
    };
    /** Options of the plugin have changed. */
    "plugin.options_changed": {
        /** the new values, by name */
        options: Record<string, unknown>;
    };
}

/** What an observer is told, by topic. */
export interface Events {
    /** There is a new call. */
    "call.added": EventHead & {
        /** what it is about */
        topic: "call.added";
        /** what is to be known */
        data: Call & {
            /** why */
            cause: Cause;
        };
    };
    /** A call has changed. */
    "call.changed": EventHead & {
        /** what it is about */
        topic: "call.changed";
        /** what is to be known */
        data: Call & {
            /** the members that are different now */
            changed: Array<"state" | "pending_action" | "held_because_of" | "resume_offered" | "group" | "muted" | "silenced" | "provider_connected" | "remote" | "display_name" | "has_video" | "supports_holding" | "supports_grouping" | "supports_ungrouping" | "supports_dtmf" | "remote_held" | "priority" | "caller" | "end_reason" | "end_cause" | Other>;
            /** why */
            cause: Cause;
        };
    };
    /** The user may do something else with a call. */
    "call.allowed_changed": EventHead & {
        /** what it is about */
        topic: "call.allowed_changed";
        /** what is to be known */
        data: {
            /** which call */
            call: string;
            /** what could be asked for right now and would not be refused */
            allowed: Array<"answer" | "hold_and_answer" | "end_and_answer" | "end_held_and_answer" | "decline" | "silence" | "end" | "hold" | "resume" | "swap" | "mute" | "unmute" | "merge" | "split" | "play_dtmf" | Other>;
            /** merge: with which groups, each by its oldest call; left out if with none */
            merge_with?: Array<string>;
            /** whether a hold would be sent this moment */
            can_hold_now: boolean;
        };
    };
    /** A call is over and forgotten. */
    "call.removed": EventHead & {
        /** what it is about */
        topic: "call.removed";
        /** what is to be known */
        data: {
            /** which call */
            call: string;
            /** why */
            cause: Cause;
        };
    };
    /** An incoming call was refused before it could ring. */
    "call.refused": EventHead & {
        /** what it is about */
        topic: "call.refused";
        /** what is to be known */
        data: {
            /** which call */
            call: string;
            /** by which rule */
            rule: string;
            /** as in the error that the provider got */
            reason: string;
            /** why */
            cause: Cause;
            /** the call in the way */
            because_of?: string;
        };
    };
    /** An address was asked for with call.dial, and is not called. */
    "call.dial_refused": EventHead & {
        /** what it is about */
        topic: "call.dial_refused";
        /** what is to be known */
        data: {
            /** as in the error that whoever asked got */
            reason: string;
            /** a sentence for people */
            message: string;
            /** what to do about it */
            hint?: string;
            /** of the address, if it has one */
            scheme?: string;
            /** if its call was begun: transaction.completed came before */
            transaction?: string;
            /** why */
            cause: Cause;
        };
    };
    /** A held call could come back. */
    "call.resume_offered": EventHead & {
        /** what it is about */
        topic: "call.resume_offered";
        /** what is to be known */
        data: {
            /** which call */
            call: string;
            /** by which rule */
            rule: string;
            /** why */
            cause: Cause;
            /** the call that has ended */
            because_of?: string;
        };
    };
    /** A transaction was checked and begins. */
    "transaction.accepted": EventHead & {
        /** what it is about */
        topic: "transaction.accepted";
        /** what is to be known */
        data: {
            /** names the transaction; a dry run has none */
            transaction?: string;
            /** where it is */
            state?: "accepted" | "completed" | "failed";
            /** true if nothing was done */
            dry_run?: boolean;
            /** in the order in which they are sent */
            actions: Array<PlannedAction>;
            /** the calls that it holds */
            would_hold?: Array<string>;
            /** the calls that it ends without being asked to */
            would_end?: Array<string>;
            /** the calls that speak afterwards, and do not now */
            would_activate?: Array<string>;
            /** dry run: why it would be refused, null if it would not; of one that is over: why it failed */
            refusal?: {
                /** its number */
                code: number;
                /** a sentence */
                message: string;
                /** as in an error */
                data: Record<string, unknown>;
            } | null;
            /** true if the same request was under way already */
            joined?: boolean;
            /** true if this is the reply of an earlier request */
            replayed?: boolean;
            /** why */
            cause: Cause;
        };
    };
    /** A transaction is over. */
    "transaction.completed": EventHead & {
        /** what it is about */
        topic: "transaction.completed";
        /** what is to be known */
        data: {
            /** names the transaction; a dry run has none */
            transaction?: string;
            /** where it is */
            state?: "accepted" | "completed" | "failed";
            /** true if nothing was done */
            dry_run?: boolean;
            /** in the order in which they are sent */
            actions: Array<PlannedAction>;
            /** the calls that it holds */
            would_hold?: Array<string>;
            /** the calls that it ends without being asked to */
            would_end?: Array<string>;
            /** the calls that speak afterwards, and do not now */
            would_activate?: Array<string>;
            /** dry run: why it would be refused, null if it would not; of one that is over: why it failed */
            refusal?: {
                /** its number */
                code: number;
                /** a sentence */
                message: string;
                /** as in an error */
                data: Record<string, unknown>;
            } | null;
            /** true if the same request was under way already */
            joined?: boolean;
            /** true if this is the reply of an earlier request */
            replayed?: boolean;
            /** why */
            cause: Cause;
        };
    };
    /** An action was sent to its provider. */
    "action.dispatched": EventHead & {
        /** what it is about */
        topic: "action.dispatched";
        /** what is to be known */
        data: {
            /** which action */
            action: string;
            /** what it is */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
            /** for which call */
            call: string;
            /** by whom */
            provider: string;
            /** what it is a part of */
            transaction: string;
            /** where it is now */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1, or more after a reconnection */
            attempt: number;
            /** why not */
            failure?: {
                /** its number */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
            };
            /** what the kind needs, as in the method of the same name */
            arguments: Record<string, unknown>;
        };
    };
    /** An action is done. */
    "action.fulfilled": EventHead & {
        /** what it is about */
        topic: "action.fulfilled";
        /** what is to be known */
        data: {
            /** which action */
            action: string;
            /** what it is */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
            /** for which call */
            call: string;
            /** by whom */
            provider: string;
            /** what it is a part of */
            transaction: string;
            /** where it is now */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1, or more after a reconnection */
            attempt: number;
            /** why not */
            failure?: {
                /** its number */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
            };
        };
    };
    /** A provider said no to an action, or is gone. */
    "action.failed": EventHead & {
        /** what it is about */
        topic: "action.failed";
        /** what is to be known */
        data: {
            /** which action */
            action: string;
            /** what it is */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
            /** for which call */
            call: string;
            /** by whom */
            provider: string;
            /** what it is a part of */
            transaction: string;
            /** where it is now */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1, or more after a reconnection */
            attempt: number;
            /** why not */
            failure?: {
                /** its number */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
            };
        };
    };
    /** A provider took too long for an action. */
    "action.timed_out": EventHead & {
        /** what it is about */
        topic: "action.timed_out";
        /** what is to be known */
        data: {
            /** which action */
            action: string;
            /** what it is */
            kind: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
            /** for which call */
            call: string;
            /** by whom */
            provider: string;
            /** what it is a part of */
            transaction: string;
            /** where it is now */
            state: "planned" | "queued" | "dispatched" | "fulfilled" | "failed" | "timed_out" | "skipped" | "cancelled";
            /** 1, or more after a reconnection */
            attempt: number;
            /** why not */
            failure?: {
                /** its number */
                code: number;
                /** a stable word */
                reason: string;
                /** a sentence for people */
                message?: string;
            };
        };
    };
    /** An answer to an action that was over already. */
    "action.late": EventHead & {
        /** what it is about */
        topic: "action.late";
        /** what is to be known */
        data: {
            /** which action */
            action: string;
            /** who answered */
            provider: string;
            /** what it was */
            kind?: "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf" | Other;
            /** for which call */
            call?: string;
            /** what it was a part of */
            transaction?: string;
        };
    };
    /** A provider has registered. */
    "provider.added": EventHead & {
        /** what it is about */
        topic: "provider.added";
        /** what is to be known */
        data: RegisteredProvider;
    };
    /** A provider has changed what it says of itself. */
    "provider.changed": EventHead & {
        /** what it is about */
        topic: "provider.changed";
        /** what is to be known */
        data: RegisteredProvider;
    };
    /** A provider has come back. */
    "provider.resumed": EventHead & {
        /** what it is about */
        topic: "provider.resumed";
        /** what is to be known */
        data: RegisteredProvider;
    };
    /** The connection of a provider is gone. */
    "provider.lost": EventHead & {
        /** what it is about */
        topic: "provider.lost";
        /** what is to be known */
        data: {
            /** which provider */
            provider: string;
            /** how long they wait */
            grace_ms: number;
            /** its calls */
            calls: Array<string>;
        };
    };
    /** A provider is gone. */
    "provider.removed": EventHead & {
        /** what it is about */
        topic: "provider.removed";
        /** what is to be known */
        data: {
            /** which provider */
            provider: string;
            /** a stable word */
            reason: "unregistered" | "process_exited" | "grace_expired" | "disconnected" | "revoked" | Other;
        };
    };
    /** What could be asked for may be different now. */
    "host.changed": EventHead & {
        /** what it is about */
        topic: "host.changed";
        /** what is to be known */
        data: {
            /** the group that speaks, or is about to */
            live_group?: string;
            /** how many groups are held */
            held_groups: number;
            /** how many calls ring or wait */
            ringing: number;
            /** whether something waits for room */
            busy: boolean;
            /** whether there is an emergency call */
            emergency: boolean;
        };
    };
    /** Microphone and speaker belong to another group. */
    "audio.changed": EventHead & {
        /** what it is about */
        topic: "audio.changed";
        /** what is to be known */
        data: {
            /** the group that had them; null for none */
            from: string | null;
            /** the group that has them now; null for none */
            to: string | null;
            /** why */
            cause: Cause;
        };
    };
    /** The policy has changed. */
    "policy.changed": EventHead & {
        /** what it is about */
        topic: "policy.changed";
        /** what is to be known */
        data: {
            /** the members that are different now */
            changed: Array<string>;
            /** as it is now */
            policy: Policy;
        };
    };
    /** The history has changed. */
    "history.changed": EventHead & {
        /** what it is about */
        topic: "history.changed";
        /** what is to be known */
        data: {
            /** missed calls that are new to the user */
            missed: number;
        };
    };
    /** Something that should not happen. */
    "broker.anomaly": EventHead & {
        /** what it is about */
        topic: "broker.anomaly";
        /** what is to be known */
        data: {
            /** what it is */
            anomaly: "start_silent" | "dial_stuck" | "provider_silent" | "answer_late" | "group_over_limit" | "video_undeclared" | "active_unasked" | "provider_hung" | "emergency_claimed" | Other;
            /** which call */
            call?: string;
            /** which provider */
            provider?: string;
            /** a sentence */
            detail?: string;
        };
    };
    /** Nothing has happened. */
    "broker.bookmark": EventHead & {
        /** what it is about */
        topic: "broker.bookmark";
        /** what is to be known */
        data: {
            /** the latest number */
            seq: number;
        };
    };
    /** The broker is about to stop. */
    "broker.stopping": EventHead & {
        /** what it is about */
        topic: "broker.stopping";
        /** what is to be known */
        data: {
            /** as in the goodbye */
            reason: string;
            /** a sentence */
            detail?: string;
        };
    };
    /** A plugin is in another state. */
    "plugin.state": EventHead & {
        /** what it is about */
        topic: "plugin.state";
        /** what is to be known */
        data: {
            /** which plugin */
            plugin: string;
            /** the state it is in */
            state: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** the state it was in */
            previous: "disabled" | "masked" | "stopped" | "starting" | "ready" | "unresponsive" | "backoff" | "failed" | Other;
            /** how its process ended, if it has */
            exit?: {
                /** the status, if it ended by itself */
                code?: number;
                /** the signal that ended it */
                signal?: number;
            };
            /** why it has failed, if it has */
            failure?: "not_spawned" | "exited" | "hello_missing" | "registration_missing" | "connection_lost" | "unresponsive" | Other;
            /** the last lines that it wrote */
            stderr: Array<string>;
        };
    };
    /** A plugin has written a line. */
    "plugin.log": EventHead & {
        /** what it is about */
        topic: "plugin.log";
        /** what is to be known */
        data: {
            /** which plugin */
            plugin: string;
            /** counts the lines of this plugin, from 1 */
            number: number;
            /** when it came */
            at_ms: number;
            /** without its end */
            text: string;
            /** so many lines came too fast, and are left out: this line says so instead of them */
            dropped?: number;
        };
    };
}

export type Kind =
    "start" | "answer" | "end" | "set_held" | "set_muted" | "set_group" | "play_dtmf";

/** What an action of a kind is to do. */
export interface Arguments {
    start: { remote: Handle; has_video?: boolean; contact?: string; emergency?: boolean };
    answer: {};
    end: {};
    set_held: { held: boolean };
    set_muted: { muted: boolean };
    set_group: { with: string | null };
    play_dtmf: { digits: string; style: "single" | "soft_pause" | "hard_pause" };
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
        provider_error?: { code: number; reason?: string; message?: string };
        [member: string]: unknown;
    };
}

/** There is no connection, or it was lost before the reply. The request may have been done. */
export class Disconnected extends Error {}

/** No reply in time, or no longer wanted: the request was taken back. */
export class TakenBack extends Error {}

/** Throw it in a handler to refuse what was asked; the reason is a word in snake_case. */
export class Failed extends Error {
    constructor(reason: string, message?: string, code?: number);
    reason: string;
    code: number;
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
    /** What the client understands beside what everybody has to, as "presentation". */
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
    /** The calls that live; those that the broker knows and the list does not have end. */
    reconcile(handler: () => LiveCall[] | Promise<LiveCall[]>): this;
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
