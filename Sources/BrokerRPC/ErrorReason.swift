/// A value of `data.reason` in an error that the broker sends: a stable word for programs.
///
/// Each case is named for its word (`unknown_topic` is `unknownTopic`). The words of the arbiter's
/// refusals are those of `RefusalReason`. Meanings and remedies are texts of `CallProtocol`, and
/// `plugins/REFERENCE.md` lists them.
package enum ErrorReason: String, CaseIterable, Sendable {
    // parseError
    case syntax
    case invalidUtf8 = "invalid_utf8"
    case nulCharacter = "nul_character"
    case loneSurrogate = "lone_surrogate"
    case duplicateMember = "duplicate_member"
    case numberRange = "number_range"

    // invalidRequest
    case object
    case jsonrpc
    case method
    case methodBytes = "method_bytes"
    case id
    case idBytes = "id_bytes"
    case params
    case duplicateId = "duplicate_id"
    case emptyBatch = "empty_batch"
    case notInBatch = "not_in_batch"

    // methodNotFound
    case unknownMethod = "unknown_method"
    case notARequest = "not_a_request"

    // invalidParams
    case positionalParams = "positional_params"
    case unknownMember = "unknown_member"
    case missingMember = "missing_member"
    case wrongType = "wrong_type"
    case outOfRange = "out_of_range"
    case tooLong = "too_long"
    case tooShort = "too_short"
    case wrongForm = "wrong_form"
    case notOneOf = "not_one_of"
    case tooFew = "too_few"
    case tooMany = "too_many"
    case unknownTopic = "unknown_topic"
    case invalidUri = "invalid_uri"
    case callOrTransaction = "call_or_transaction"
    case handleOrPrefix = "handle_or_prefix"
    case invalidValue = "invalid_value"
    case entriesOutOfOrder = "entries_out_of_order"
    case duplicateEntries = "duplicate_entries"
    case emptyTransaction = "empty_transaction"

    // internal
    case outOfMemory = "out_of_memory"
    case storeFailed = "store_failed"

    // brokerError
    case unknown

    // helloRequired
    case helloRequired = "hello_required"

    // permissionDenied
    case roleNotGranted = "role_not_granted"
    case limitedView = "limited_view"
    case credentialRequired = "credential_required"
    case badCredential = "bad_credential"
    case disabled
    case unentitled
    case notYourCall = "not_your_call"
    case callIsProtected = "call_is_protected"

    // notFound
    case notFound = "not_found"
    case unknownSubscription = "unknown_subscription"
    case unknownPlugin = "unknown_plugin"
    case unknownOption = "unknown_option"
    case noDirectory = "no_directory"
    case unknownCall = "unknown_call"
    case callEnded = "call_ended"
    case unknownProvider = "unknown_provider"
    case unknownLine = "unknown_line"
    case unknownSetting = "unknown_setting"
    case unknownEndpoint = "unknown_endpoint"
    case unknownParticipant = "unknown_participant"

    // alreadyExists
    case identity
    case transaction
    case callUuid = "call_uuid"

    // invalidState
    case alreadyInitialized = "already_initialized"
    case lockedOut = "locked_out"
    case ambiguousProvider = "ambiguous_provider"
    case noStore = "no_store"
    case hasCalls = "has_calls"
    case staleGeneration = "stale_generation"
    case currentlyLoading = "currently_loading"
    case unexpectedRemoval = "unexpected_removal"
    case failed
    case brokenManifest = "broken_manifest"
    case masked
    case external
    case invalidAction = "invalid_action"
    case invalidState = "invalid_state"
    case cannotHold = "cannot_hold"
    case holdFailed = "hold_failed"
    case notSupported = "not_supported"
    case alreadyDialing = "already_dialing"
    case callRinging = "call_ringing"
    case busy
    case emergency
    case pushesStopped = "pushes_stopped"

    // limitReached
    case subscriptions
    case maxEntries = "max_entries"
    case maxCallGroups = "max_call_groups"
    case maxCallsPerGroup = "max_calls_per_group"
    case maxRinging = "max_ringing"
    case maxHeld = "max_held"
    case maxCalls = "max_calls"

    // filtered
    case doNotDisturb = "do_not_disturb"
    case inCall = "in_call"
    case blockList = "block_list"
    case restrictedSharing = "restricted_sharing"
    case sensitiveParticipants = "sensitive_participants"
    case screener

    // deadlineExceeded
    case deadlineExceeded = "deadline_exceeded"

    // cancelled
    case cancelled

    // frameLimit
    case frameBytes = "frame_bytes"
    case replyBytes = "reply_bytes"
    case depth
    case values
    case batch

    // overloaded
    case pending
    case rate
    case pushQueueFull = "push_queue_full"

    // providerFailed
    case providerFailed = "provider_failed"

    // providerGone
    case loadingInterrupted = "loading_interrupted"
    case providerGone = "provider_gone"

    // versionUnsupported
    case versionUnsupported = "version_unsupported"

    // stopping
    case stopping
}

extension ErrorReason {
    /// The error codes that the reason is sent with.
    package var codes: [ErrorCode] {
        switch self {
        case .syntax, .invalidUtf8, .nulCharacter, .loneSurrogate, .duplicateMember, .numberRange:
            [.parseError]
        case .object, .jsonrpc, .method, .methodBytes, .id, .idBytes, .params, .duplicateId,
            .emptyBatch, .notInBatch:
            [.invalidRequest]
        case .notARequest: [.methodNotFound]
        case .positionalParams, .unknownMember, .missingMember, .wrongType, .outOfRange, .tooLong,
            .tooShort, .wrongForm, .notOneOf, .tooFew, .tooMany, .unknownTopic, .invalidUri,
            .callOrTransaction, .handleOrPrefix, .invalidValue, .entriesOutOfOrder,
            .duplicateEntries, .emptyTransaction:
            [.invalidParams]
        case .outOfMemory, .storeFailed: [.internal]
        case .unknown: [.brokerError]
        case .helloRequired: [.helloRequired]
        case .roleNotGranted, .limitedView, .credentialRequired, .badCredential, .unentitled,
            .notYourCall,
            .callIsProtected:
            [.permissionDenied]
        case .notFound, .unknownSubscription, .unknownPlugin, .unknownOption, .noDirectory,
            .unknownCall, .callEnded, .unknownProvider, .unknownLine, .unknownSetting,
            .unknownEndpoint, .unknownParticipant:
            [.notFound]
        case .identity, .transaction, .callUuid: [.alreadyExists]
        case .alreadyInitialized, .lockedOut, .ambiguousProvider, .noStore, .hasCalls,
            .staleGeneration,
            .currentlyLoading, .unexpectedRemoval, .failed, .brokenManifest, .masked, .external,
            .invalidAction, .invalidState, .cannotHold, .holdFailed, .notSupported,
            .alreadyDialing, .callRinging, .busy, .emergency, .pushesStopped:
            [.invalidState]
        case .subscriptions, .maxEntries, .maxCallGroups, .maxCallsPerGroup, .maxRinging,
            .maxHeld, .maxCalls:
            [.limitReached]
        case .doNotDisturb, .inCall, .blockList, .restrictedSharing, .sensitiveParticipants,
            .screener:
            [.filtered]
        case .deadlineExceeded: [.deadlineExceeded]
        case .cancelled: [.cancelled]
        case .frameBytes, .replyBytes, .depth, .values, .batch: [.frameLimit]
        case .pending, .rate, .pushQueueFull: [.overloaded]
        case .providerFailed: [.providerFailed]
        case .loadingInterrupted, .providerGone: [.providerGone]
        case .versionUnsupported: [.versionUnsupported]
        case .stopping: [.stopping]
        case .unknownMethod: [.methodNotFound, .notFound]
        case .disabled: [.permissionDenied, .invalidState]
        }
    }
}
