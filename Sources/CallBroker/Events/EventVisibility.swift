internal import BrokerRPC
internal import CallModel
internal import CallProtocol

extension Peer {
    /// Returns whether the client may see an event.
    func sees(_ event: EventFeed.Event) -> Bool {
        (!rights.isForOwnCalls || event.topic == .stopping || sees(callsOf: event.owner))
            && (!rights.isRedacted || event.topic != .callText) && belongs(to: event.audience)
    }

    /// Returns whether the client is among those that are sent something.
    func belongs(to audience: EventFeed.Audience) -> Bool {
        switch audience {
        case .everybody: true
        case .knowing(let feature): knows(feature)
        case .notKnowing(let feature): !knows(feature)
        }
    }

    /// Returns whether the client may see a call in a state: calls on other devices are for those that
    /// know them.
    func sees(callIn state: CallState) -> Bool {
        state != .external || knows(.externalCalls)
    }
}

extension TopicSet {
    /// Returns the topics of which a client may see events.
    static func visible(to peer: Peer) -> TopicSet {
        peer.rights.isForOwnCalls ? ofOwnCalls : .all
    }

    /// The topics for clients that see their own calls only. Transactions and the state of the host
    /// are about everybody's.
    private static let ofOwnCalls = TopicSet(
        [
            Topic.callAdded, .callChanged, .allowedChanged, .callRemoved, .callRefused,
            .callQuality, .participantsChanged, .callText, .resumeOffered, .dialRefused,
            .actionDispatched,
            .actionFulfilled, .actionFailed, .actionTimedOut, .actionLate, .providerAdded,
            .providerChanged, .providerResumed,
            .providerLost, .providerRemoved, .anomaly, .bookmark, .stopping,
        ].map { TopicSet($0) })

    /// Creates the set of the topics with these names that a client may see.
    init(named patterns: [String], for peer: Peer) throws(RPCError) {
        var topics: TopicSet = []
        var index = 0
        for pattern in patterns {
            guard let named = TopicSet(pattern: pattern) else {
                throw RPCError(
                    .invalidParams, reason: .unknownTopic, "no topic has this name"
                ).with {
                    $0.field = "/topics/\(index)"
                    $0.hint = "rpc.discover lists the topics; noun.* and * match several"
                }
            }
            guard named.topics.allSatisfy({ !$0.roles.isDisjoint(with: peer.roles) }) else {
                throw RPCError(
                    .permissionDenied, reason: .roleNotGranted,
                    "only admins may subscribe to the output of plugins"
                ).with {
                    $0.field = "/topics/\(index)"
                    $0.hint = "request the role admin in broker.hello"
                }
            }
            topics.formUnion(named)
            index += 1
        }
        topics.formIntersection(.visible(to: peer))
        guard !topics.isEmpty else { throw .limitedView }
        self = topics
    }
}
