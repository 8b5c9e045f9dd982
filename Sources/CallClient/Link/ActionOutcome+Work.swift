internal import BrokerJSON
internal import CallModel
internal import CallProtocol

extension ActionOutcome {
    /// Waits for a delegate's method, and creates the outcome from its error.
    init(_ work: () async throws -> Void) async {
        do {
            try await work()
            self = .fulfilled(atMS: nil)
        } catch ActionFailure.unsupported {
            self = .unsupported
        } catch ActionFailure.refused(let reason) {
            self = .failed(reason: reason)
        } catch ActionFailure.ended(let detail) {
            self = .ended(detail)
        } catch is CancellationError {
            self = .failed(reason: "cancelled")
        } catch {
            self = .failed(reason: "internal")
        }
    }
}

extension EndDetail {
    /// The word for the error of an action.
    var word: String {
        (reason ?? .unspecified).rawValue
    }
}

extension LinkLoop {
    /// The message of an error whose app gives no text for people.
    private static let noText = ""

    /// Answers a request of the broker with the outcome of an action.
    func answer(_ id: Int64, _ outcome: ActionOutcome) {
        switch outcome {
        case .fulfilled(let atMS):
            answer(id) { if let atMS { $0.member("at_ms", atMS) } }
        case .failed(let reason):
            answer(id, error: .brokerError, reason: reason, Self.noText)
        case .ended(let detail):
            answer(
                id, error: .brokerError, reason: detail.word, detail.text ?? Self.noText,
                appCode: detail.code)
        case .unsupported:
            answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this app does not support actions of this kind")
        }
    }
}
