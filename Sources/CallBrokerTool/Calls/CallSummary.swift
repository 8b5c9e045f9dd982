internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// The members of a call that the tool shows.
struct CallSummary {
    let call: String
    let provider: String
    let direction: String
    let state: String
    let pending: String?
    let group: String
    let remote: String?
    /// The user's name for the remote party, else the app's.
    let displayName: String?
    /// A directory's label for the remote party.
    let label: String?
    /// The party that the call was meant for, before it was forwarded here.
    let forwardedFrom: String?
    /// True if the network says that the caller's number is not the caller's.
    let hasFalseNumber: Bool
    /// The other device that has the call, or has answered or declined it.
    let elsewhere: String?
    let isMuted: Bool
    let isProviderConnected: Bool
    let allowed: [String]
    let endReason: String?
    /// The app's own words for the end.
    let endDetail: String?
    /// Unix time in milliseconds.
    let createdAtMS: Int64
    /// Unix time in milliseconds; 0 while the call has not ended.
    let endedAtMS: Int64
    /// The call as the broker wrote it.
    let json: [UInt8]

    init(_ value: JSONValue) {
        func text(_ value: JSONValue?) -> String? { value?.string?.printable }
        call = text(value["call"]) ?? ""
        provider = text(value["provider"]) ?? ""
        direction = text(value["direction"]) ?? ""
        state = text(value["state"]) ?? ""
        pending = text(value["pending_action"])
        group = text(value["group"]) ?? ""
        remote = text(value["remote"]?["value"])
        displayName = text(value["caller"]?["name"]) ?? text(value["display_name"])
        label = text(value["caller"]?["label"])
        forwardedFrom = text(value["forwarded_from"]?["value"])
        hasFalseNumber = value["verification"]?.string == Verification.failed.rawValue
        elsewhere = text(value["elsewhere"])
        isMuted = value["muted"]?.boolean ?? false
        isProviderConnected = value["provider_connected"]?.boolean ?? true
        allowed = value["allowed"].map { $0.elements.compactMap { text($0) } } ?? []
        endReason = text(value["end_reason"])
        endDetail = value["end_detail"].map { FailureText($0).description }
        createdAtMS = value["created_at_ms"]?.integer ?? 0
        endedAtMS = value["ended_at_ms"]?.integer ?? 0
        var writer = JSONWriter()
        writer.value(value)
        json = writer.bytes
    }

    /// The calls of a page.
    static func list(_ page: JSONValue) -> [CallSummary] {
        page["calls"].map { $0.elements.map(CallSummary.init) } ?? []
    }

    var shortID: String {
        ShortID(call).description
    }

    /// The remote party: name, address and label, as far as known.
    var other: String {
        let who =
            switch (displayName, remote) {
            case (let name?, let remote?): "\(name) <\(remote)>"
            case (let text?, nil), (nil, let text?): text
            case (nil, nil): Messages.callUnknown
            }
        let notes: [String?] = [
            label, forwardedFrom.map { Messages.callForwarded(party: $0) },
            hasFalseNumber ? Messages.callNotVerified : nil,
            isElsewhere ? elsewhere.map { Messages.callElsewhere(device: $0) } : nil,
        ]
        return ([who] + notes.compactMap { $0.map { "[\($0)]" } }).joined(separator: " ")
    }

    /// True if the call is on another device, or went to one.
    private var isElsewhere: Bool {
        state == CallState.external.rawValue
            || endReason.flatMap(EndReason.init(rawValue:))?.isElsewhere ?? false
    }

    /// The state, and the pending action.
    var situation: String {
        let marks =
            [pending.map(Words.pending), endReason.map(Words.endReason), endDetail]
            .compactMap(\.self)
            + (isMuted ? [Messages.callMuted] : [])
            + (isProviderConnected ? [] : [Messages.callAppNotConnected])
        let state = Words.state(state)
        return marks.isEmpty ? state : "\(state) (\(marks.joined(separator: ", ")))"
    }

    /// The call on one line.
    var line: String {
        "\(shortID) \(provider) \(situation) \(other)"
    }
}
