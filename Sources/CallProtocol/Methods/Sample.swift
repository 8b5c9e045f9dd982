/// Values for the examples of the reference.
enum Sample {
    static let speaker = #"{"endpoint":"built-in","kind":"speaker","state":"in_use"}"#
    static let headset =
        #"{"endpoint":"headset","kind":"bluetooth","name":"Ada's headset","state":"available"}"#
    static let call = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
    static let otherCall = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b02"
    static let action = "9d2f4e1a-0000-8000-8000-000000000007"
    static let transaction = "9d2f4e1a-0000-8000-8000-000000000006"
    static let epoch = "6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11"
    static let provider = "org.example.phone"
    static let at = 1_763_712_000_000

    static let remote = #"{"type":"phone","value":"+15550123"}"#
    static let cause = #"{"origin":"user","transaction":"\#(transaction)"}"#
    /// The verbs that an incoming call allows.
    static let answers = #""answer","decline","silence""#
    static let ringing =
        "{" + members(ofCall: call, "ringing", answers) + "}"
    static let seq = #"{"seq":42}"#

    /// The members of an incoming call.
    static func members(ofCall call: String, _ state: String, _ allowed: String) -> String {
        """
        "call":"\(call)","provider":"\(provider)","direction":"incoming","state":"\(state)",\
        "can_hold_now":false,"muted":false,"silenced":false,"group":"\(call)",\
        "remote":\(remote),"display_name":"Ada","has_video":false,"supports_holding":true,\
        "supports_grouping":true,"supports_ungrouping":true,"supports_dtmf":true,\
        "remote_held":false,"priority":"normal","provider_connected":true,\
        "allowed":[\(allowed)],"created_at_ms":\(at),"rev":1
        """
    }

    /// The members of a provider.
    static let providerMembers = """
        "provider":"\(provider)","display_name":"Phone","handle_types":["phone"],\
        "url_schemes":["tel"],"supports_video":false,"max_call_groups":2,\
        "max_calls_per_group":5,"includes_in_recents":true,"action_deadlines":{},\
        "resume_when_freed":true,"takes_transactions":false,"app_process":"self",\
        "kind":"app",\
        "authorization":"authorized","connected":true,"calls":0
        """

    /// The members of a transaction's result, with one action.
    static func members(
        ofTransaction kind: String, _ state: String = "accepted",
        action actionState: String =
            "queued"
    ) -> String {
        """
        "transaction":"\(transaction)","state":"\(state)","actions":[{"action":"\(action)",\
        "kind":"\(kind)","call":"\(call)","provider":"\(provider)","implied":false,\
        "state":"\(actionState)"}]
        """
    }

    /// The reply to a request for one action.
    static func accepted(_ kind: String) -> String {
        #"{\#(members(ofTransaction: kind)),"seq":42}"#
    }

    static let policy = """
        {"on_hold_failure":"keep","on_cannot_hold":"refuse","resume_after_user_end":true,\
        "resume_after_remote_end":false,"busy_in_call":false,"dial_while_ringing":"allow","video_fallback":"audio",\
        "button_active":"end","allows_emergency":true,"priority_claims":[],"timeouts":"default",\
        "deadlines":{"start":60000,"answer":60000,"end":5000,"set_held":5000,"set_muted":5000,\
        "set_group":5000,"play_dtmf":5000,"set_endpoint":10000,"set_video":30000,"set_text":30000,"transfer":60000,\
        "attended_transfer":15000,"deflect":5000},"extension_percent_max":200,"ring_timeout_ms":60000,\
        "video_request_ms":30000,"dial_timeout_ms":120000,"start_silence_ms":5000,"ending_wait_ms":5000,"grace_ms":5000,\
        "separate_app_grace_ms":15000,"restart_grace_ms":15000,"screening_ms":1500,\
        "report_age_ms":604800000,"offer_ms":5000,"emergency_callback_ms":300000,\
        "short_ring_ms":5000,"ended_calls_max":65536,"ended_calls_ms":600000,\
        "limits":{"held_groups":4,"ringing":4,"dialing":1,"calls_per_provider":16,"calls":64},\
        "default_provider":{"tel":"\(provider)"},\
        "do_not_disturb":{"on":false,"until_at_ms":null,"schedule":[{"days":["mon","tue"],\
        "from":"22:00","to":"07:00"}],"repeated_calls_pass":true,"priority_callers_pass":false},\
        "unknown_callers":"ring","region":"","new_providers":"allow","heartbeat_ms":10000,\
        "emergency":{"numbers":[],"providers":[],"claims":{}},"authorization":{},"rights":[],\
        "handover":{"observers":[],"wait_ms":2000},\
        "history":{"days":365,"entries":100000}}
        """
}
