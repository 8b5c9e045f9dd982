import BrokerJSON
import BrokerRPC

/// Parses `text` and answers with what `read` makes of its root while the document lives.
func reading<Answer>(_ text: String, _ read: (JSONValue) throws -> Answer) throws -> Answer {
    let document = try JSONDocument(parsing: Array(text.utf8))
    return try read(document.root)
}

func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return writer.text
}

/// A message as plain data, to compare with: what is inside as compact JSON.
enum Seen: Equatable, Sendable {
    enum Params: Equatable, Sendable {
        case none
        case named(String)
        case positional
        case malformed
    }

    case request(RequestID, String, Params)
    case notification(String, Params)
    case result(Int64?, String)
    case error(Int64?, String)
    case invalid(RPCError, id: RequestID?)

    init(_ message: Message) {
        switch message {
        case .request(let id, let call):
            self = .request(id, String(decoding: call.method, as: UTF8.self), Params(call.params))
        case .notification(let call):
            self = .notification(String(decoding: call.method, as: UTF8.self), Params(call.params))
        case .response(let response):
            switch response.outcome {
            case .result(let value): self = .result(response.id, written { $0.value(value) })
            case .error(let value): self = .error(response.id, written { $0.value(value) })
            }
        case .invalid(let error, let id): self = .invalid(error, id: id)
        }
    }

    /// The message that is the whole of `text`.
    static func message(_ text: String, limits: FrameLimits = FrameLimits()) throws -> Seen {
        try reading(text) { Seen(Message($0, limits: limits)) }
    }

    /// The entries of the batch `text`.
    static func batch(_ text: String) throws -> [Seen] {
        try reading(text) { root in
            root.elements.map { Seen(Message($0, limits: FrameLimits())) }
        }
    }

    /// The answer an invalid message gets: code, reason and id.
    var refusal: Refusal? {
        guard case .invalid(let error, let id) = self else { return nil }
        return Refusal(error.code, error.reason.rawValue, id: id)
    }
}

extension Seen.Params {
    init(_ params: Message.Params) {
        switch params {
        case .none: self = .none
        case .named(let value): self = .named(written { $0.value(value) })
        case .positional: self = .positional
        case .malformed: self = .malformed
        }
    }
}

struct Refusal: Equatable, Sendable {
    let code: ErrorCode
    let reason: String
    let id: RequestID?

    init(_ code: ErrorCode, _ reason: String, id: RequestID? = nil) {
        self.code = code
        self.reason = reason
        self.id = id
    }
}
