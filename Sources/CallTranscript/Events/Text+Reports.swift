internal import CallArbitration
internal import CallModel

/// Reports of providers, and verdicts of filters.

extension IncomingReport: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("token", token)
        writer.member("provider", provider)
        writer.member("call", call)
        update.writeMembers(to: &writer)
        writer.member("needs_screening", needsScreening, default: false)
        writer.member("received_at_ms", receivedAt)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            token: try members.token(), provider: try members.required("provider"),
            call: try members.required("call"), update: try CallUpdate(members: &members),
            needsScreening: try members.optional("needs_screening", default: false),
            receivedAt: try members.optional("received_at_ms"))
    }
}

extension MissedReport: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("token", token)
        writer.member("provider", provider)
        writer.member("call", call)
        update.writeMembers(to: &writer)
        writer.member("missed_reasons", reasons)
        writer.member("at_ms", at)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            token: try members.token(), provider: try members.required("provider"),
            call: try members.required("call"), update: try CallUpdate(members: &members),
            reasons: try members.required("missed_reasons"), at: try members.optional("at_ms"))
    }
}

extension CallReport: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("token", token)
        writer.member("provider", provider)
        writer.member("call", call)
        news.writeMembers(to: &writer)
        writer.member("at_ms", at)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            token: try members.token(), provider: try members.required("provider"),
            call: try members.required("call"), news: try News(members: &members),
            at: try members.optional("at_ms"))
    }
}

private enum NewsKind: String, TranscriptWord {
    case alerting, connecting, connected, held, muted, group, updated, ended, external
}

extension CallReport.News: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        switch self {
        case .alerting(let hasEarlyMedia):
            writer.member("news", NewsKind.alerting)
            writer.member("has_early_media", hasEarlyMedia)
        case .connecting: writer.member("news", NewsKind.connecting)
        case .connected: writer.member("news", NewsKind.connected)
        case .held(let isHeld):
            writer.member("news", NewsKind.held)
            writer.member("held", isHeld)
        case .muted(let isMuted):
            writer.member("news", NewsKind.muted)
            writer.member("muted", isMuted)
        case .group(let other):
            writer.member("news", NewsKind.group)
            writer.member(orNull: "with", other)
        case .updated(let update):
            writer.member("news", NewsKind.updated)
            update.writeMembers(to: &writer)
        case .ended(let reason, let detail, let device):
            writer.member("news", NewsKind.ended)
            writer.member("reason", reason)
            writer.member("end_detail", detail)
            writer.member("elsewhere", device)
        case .external(let direction, let update):
            writer.member("news", NewsKind.external)
            writer.member("direction", direction)
            update.writeMembers(to: &writer)
        }
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        let kind: NewsKind = try members.required("news")
        switch kind {
        case .alerting:
            self = .alerting(hasEarlyMedia: try members.optional("has_early_media"))
        case .connecting: self = .connecting
        case .connected: self = .connected
        case .held: self = .held(try members.required("held"))
        case .muted: self = .muted(try members.required("muted"))
        case .group: self = .group(with: try members.requiredOrNull("with"))
        case .updated: self = .updated(try CallUpdate(members: &members))
        case .ended:
            self = .ended(
                try members.required("reason"), try members.optional("end_detail"),
                elsewhere: try members.optional("elsewhere"))
        case .external:
            self = .external(
                try members.required("direction"), try CallUpdate(members: &members))
        }
    }
}

private enum ScreeningVerdictKind: String, TranscriptWord {
    case block, allow
    case doNotDisturb = "do_not_disturb"
    case silence, ring
    case ringInCall = "ring_in_call"
    case timedOut = "timed_out"
}

extension ScreeningVerdict: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        switch self {
        case .block(let reason, let filter):
            writer.member("verdict", ScreeningVerdictKind.block)
            writer.member("reason", reason)
            writer.member("filter", filter)
        case .allow: writer.member("verdict", ScreeningVerdictKind.allow)
        case .doNotDisturb: writer.member("verdict", ScreeningVerdictKind.doNotDisturb)
        case .silence(let filter):
            writer.member("verdict", ScreeningVerdictKind.silence)
            writer.member("filter", filter)
        case .ring: writer.member("verdict", ScreeningVerdictKind.ring)
        case .ringInCall: writer.member("verdict", ScreeningVerdictKind.ringInCall)
        case .timedOut: writer.member("verdict", ScreeningVerdictKind.timedOut)
        }
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        let kind: ScreeningVerdictKind = try members.required("verdict")
        switch kind {
        case .block:
            self = .block(try members.required("reason"), by: try members.required("filter"))
        case .allow: self = .allow
        case .doNotDisturb: self = .doNotDisturb
        case .silence: self = .silence(by: try members.required("filter"))
        case .ring: self = .ring
        case .ringInCall: self = .ringInCall
        case .timedOut: self = .timedOut
        }
    }
}
