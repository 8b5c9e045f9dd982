package import BrokerRPC
internal import CallModel

/// The meaning and the remedy of each reason, one sentence each, as the reference lists them.
extension ErrorReason {
    /// The cause of the error.
    package var meaning: String {
        texts.meaning
    }

    /// The remedy.
    package var remedy: String {
        texts.remedy
    }

    private var texts: (meaning: String, remedy: String) {
        switch self {
        case .syntax:
            (
                "the frame is not JSON (RFC 8259)",
                "send one JSON value per line; `position` points to the error"
            )
        case .invalidUtf8: ("the frame is not valid UTF-8", "encode the frame as UTF-8")
        case .nulCharacter: ("a string contains U+0000", "remove the NUL character")
        case .loneSurrogate:
            (
                "an escape is half of a surrogate pair",
                "escape both halves, or send the character as UTF-8"
            )
        case .duplicateMember:
            (
                "two members of one object have the same name",
                "send each member once"
            )
        case .numberRange:
            (
                "an integer does not fit into 64 bits, or a fraction is not finite",
                "send a smaller number"
            )
        case .object:
            (
                "the message is not an object, or is neither a request nor a response",
                "send a JSON-RPC 2.0 object"
            )
        case .jsonrpc: ("`jsonrpc` is missing or is not `\"2.0\"`", "send `\"jsonrpc\":\"2.0\"`")
        case .method: ("`method` is missing or is not a string", "name the method in a string")
        case .methodBytes:
            (
                "the name of the method is too long",
                "use a name that `rpc.discover` lists"
            )
        case .id: ("`id` is neither a string nor an integer", "number the requests")
        case .idBytes: ("the id is too long", "number the requests")
        case .params:
            (
                "`params` is neither an object nor an array",
                "send an object, or leave `params` out"
            )
        case .duplicateId:
            (
                "a request with this id has not been answered yet",
                "increment the id for each request"
            )
        case .emptyBatch: ("the batch has no entries", "send at least one entry")
        case .notInBatch: ("the method cannot be part of a batch", "send the request alone")
        case .unknownMethod:
            (
                "the broker has no such method, or no such method or event to describe",
                "use a name that `rpc.discover` lists; the hint suggests a similar one"
            )
        case .notARequest: ("the method is a notification", "send it without an id")
        case .positionalParams: ("`params` is an array", "send params by name, in an object")
        case .unknownMember:
            (
                "an object has a member that the method does not define",
                "correct the name; `broker.describe` lists the members"
            )
        case .missingMember: ("a required member is missing", "add the member that `field` names")
        case .wrongType: ("a value has the wrong type", "send the type that the message names")
        case .outOfRange:
            (
                "a number is too small or too large",
                "stay within the range that the message names"
            )
        case .tooLong: ("a string is too long", "shorten it to the length that the message names")
        case .tooShort: ("a string is too short", "send at least the length that the message names")
        case .wrongForm:
            (
                "a string does not have the required form",
                "send the form that the message names"
            )
        case .notOneOf:
            (
                "a word is not one of those allowed",
                "send one of the words that the message lists"
            )
        case .tooFew:
            (
                "a list or an object has too few elements",
                "send at least the number that the message names"
            )
        case .tooMany:
            (
                "a list or an object has too many elements",
                "send at most the number that the message names"
            )
        case .unknownTopic:
            (
                "there is no topic with this name",
                "subscribe to a topic that `rpc.discover` lists"
            )
        case .invalidUri:
            (
                "the URI cannot be dialed: it is malformed, or names an extension",
                "correct `uri`; send an extension as DTMF tones after the answer"
            )
        case .callOrTransaction:
            (
                "`call.explain` needs exactly one of `call` and `transaction`",
                "send one of them"
            )
        case .handleOrPrefix:
            (
                "a block needs exactly one of `handle` and `prefix`",
                "send one of them"
            )
        case .invalidValue:
            (
                "the store rejects a value",
                "correct the value that the message names"
            )
        case .entriesOutOfOrder:
            (
                "the entries of a directory are not in ascending order (CallKit 3)",
                "sort the entries by number"
            )
        case .duplicateEntries:
            (
                "two entries of a directory have the same number (CallKit 4)",
                "send each number once"
            )
        case .outOfMemory:
            (
                "the broker has no memory left for the frame",
                "retry later, with a smaller frame"
            )
        case .storeFailed:
            (
                "the store could not read or write its files",
                "retry later; `broker.info` and the broker's log name the cause"
            )
        case .unknown:
            (
                "a directory failed for an unknown reason (CallKit 0)",
                "see the broker's log"
            )
        case .helloRequired: ("the session has not been opened", "send `broker.hello` first")
        case .roleNotGranted:
            (
                "the session does not have the role that this needs",
                "request the role in `broker.hello`"
            )
        case .limitedView:
            (
                "the policy limits which calls or people the client may see",
                "allow it with a rule in the policy's member `rights`"
            )
        case .credentialRequired:
            (
                "the client runs as another user, and sent no credential",
                "connect as the user whom the broker serves, or with a credential of `grant.issue`"
            )
        case .badCredential:
            (
                "the credential is unknown, revoked, over, or for another user or identity",
                "issue a new one with `grant.issue`"
            )
        case .disabled:
            (
                "the plugin or the directory is disabled (CallKit code 6 for a directory)",
                "enable it with `plugin.enable` or `directory.enable`"
            )
        case .notFound: ("there is no such contact, block or entry", "list them again")
        case .unknownSubscription:
            (
                "the connection has no such subscription",
                "use a number that `events.subscribe` returned on this connection"
            )
        case .unknownLine:
            (
                "the provider has no such line, or no provider has it",
                "use an id from the `lines` that `provider.list` returns"
            )
        case .unknownSetting:
            (
                "the line has no such setting that its app can change",
                "use one of the line's `settings` that `provider.list` returns"
            )
        case .unknownParticipant:
            (
                "the call has no such participant whom the user may change so",
                "use a participant that has it as `changeable` in `participant.list`"
            )
        case .unknownEndpoint:
            (
                "the host has no such audio endpoint, or it is unavailable",
                "use an id from the `endpoints` that `host.get` returns; for one of an app, "
                    + "`call.set_endpoint`"
            )
        case .unknownPlugin: ("there is no such plugin", "use a name that `plugin.list` returns")
        case .unknownOption:
            (
                "the plugin has no such option",
                "use an option that `plugin.list` returns"
            )
        case .noDirectory:
            (
                "there is no such directory (CallKit 1)",
                "use a name that `directory.list` returns"
            )
        case .identity:
            (
                "another connection has this identity",
                "close the other connection, or resume its session with its secret"
            )
        case .transaction:
            (
                "the transaction id belongs to a different request",
                "use a new id for each request"
            )
        case .alreadyInitialized:
            (
                "the session is already open",
                "send `broker.hello` once per connection"
            )
        case .lockedOut:
            (
                "the rules would take roles from the client that sets them",
                "put a rule for this client first, such as one with its `executable`"
            )
        case .ambiguousProvider:
            (
                "several providers could place the call",
                "name one of `candidates` in `provider`, or set `default_provider`"
            )
        case .noStore: ("the broker runs without a store", "start the broker with a state folder")
        case .hasCalls:
            (
                "what a provider is cannot change while it has calls",
                "register as before; register the change when its calls are over"
            )
        case .staleGeneration:
            (
                "the directory already serves this generation, or a newer one",
                "load it with a higher `generation`"
            )
        case .currentlyLoading:
            (
                "the directory is being loaded (CallKit 7)",
                "retry when the load has finished"
            )
        case .unexpectedRemoval:
            (
                "a change removes an entry that the directory does not have (CallKit 8)",
                "load the directory as a whole"
            )
        case .failed:
            (
                "the plugin crashed too often and is no longer started",
                "start it again with `plugin.restart`"
            )
        case .brokenManifest:
            (
                "the manifest of the plugin has an error",
                "correct the manifest, then send `plugin.rescan`"
            )
        case .masked:
            (
                "an empty or removed manifest hides the plugin",
                "remove the file that the message names, then send `plugin.rescan`"
            )
        case .external:
            (
                "the manifest has no `exec`, so the broker does not start this plugin",
                "start the app that the manifest describes"
            )
        case .subscriptions:
            (
                "the connection has too many subscriptions",
                "end one with `events.unsubscribe`, or put several topics into one"
            )
        case .maxEntries:
            (
                "the directory would have too many entries (CallKit 5)",
                "load fewer entries"
            )
        case .frameBytes:
            (
                "the frame is too long",
                "send a shorter frame; `broker.hello` returns the limits"
            )
        case .replyBytes:
            (
                "the reply does not fit into one frame",
                "request less, or a smaller page"
            )
        case .depth: ("objects and arrays are nested too deeply", "send a flatter value")
        case .values: ("the frame contains too many values", "send fewer values")
        case .batch: ("the batch has too many entries", "send smaller batches")
        case .pending:
            (
                "too many requests wait for replies, or too many actions for one provider",
                "retry after `retry_after_ms`"
            )
        case .rate: ("the user sends too many requests per second", "retry after `retry_after_ms`")
        case .pushQueueFull:
            ("too many pushes wait for the app, or for all apps", "retry after `retry_after_ms`")
        case .pushesStopped:
            (
                "the app has reported no call after several VoIP pushes",
                "update the app, then send `push.reset`"
            )
        case .loadingInterrupted:
            (
                "loading ended early: the connection closed, or a part was rejected (CallKit 2)",
                "load the next generation from the beginning"
            )
        case .versionUnsupported:
            (
                "client and broker have no protocol version in common",
                "offer a version within `supported`"
            )
        case .stopping: ("the broker is stopping", "retry after the broker has restarted")
        case .emptyTransaction, .unentitled, .notYourCall, .callIsProtected, .unknownCall,
            .callEnded, .unknownProvider, .callUuid, .invalidAction, .invalidState, .cannotHold,
            .holdFailed, .notSupported, .alreadyDialing, .callRinging, .busy, .emergency,
            .maxCallGroups, .maxCallsPerGroup, .maxRinging, .maxHeld, .maxCalls, .doNotDisturb,
            .inCall, .blockList, .restrictedSharing, .sensitiveParticipants, .screener,
            .deadlineExceeded, .cancelled, .providerFailed, .providerGone:
            refusalTexts
        }
    }

    private var refusalTexts: (meaning: String, remedy: String) {
        let refusal = RefusalReason(rawValue: rawValue)
        let remedy =
            self == .providerFailed
            ? "see `provider_error` for the provider's own code and reason"
            : "send the request again if it is still wanted"
        return (refusal?.message ?? rawValue, refusal?.hint ?? remedy)
    }
}
