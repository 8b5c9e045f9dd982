/// A violation of the protocol's rules for frames, looked for in every frame of every scenario.
package enum Fault: String, CaseIterable, Sendable {
    case strayOutput, halfFrame, tooLong, badJSON, fraction, batch
    case nullID, unknownID, answeredTwice, badReply, badRequest, repeatedID, refusedRequest
    case backwards, afterEnd
}

/// A validator of the frames that a program sends over one connection.
package struct FrameValidator {
    /// A line, by its kind.
    package enum Line {
        /// A line without content.
        case blank
        /// A line that the broker would not accept, with the violation and its description.
        case bad(Fault, String)
        case reply(id: Int, JSONTree)
        /// A request or a notification; or several requests in a batch.
        case call(JSONTree)
    }

    package static let bytesMax = 65_536
    /// The ids of requests to the program without a reply.
    package private(set) var open: Set<Int> = []
    private var answered: Set<Int> = []
    private var asked: [String] = []

    package init() {}

    /// Records a request to the program.
    package mutating func requested(_ id: Int) {
        open.insert(id)
    }

    /// Records a reply to a request of the program.
    package mutating func replied(to id: JSONTree) {
        asked.removeAll { $0 == id.json }
    }

    /// Reads a line, and returns it with its violations.
    ///
    /// - Parameter isPlainOutput: whether the line is from standard output.
    package mutating func read(_ bytes: ArraySlice<UInt8>, isPlainOutput: Bool) -> (
        Line, [(Fault, String)]
    ) {
        guard bytes.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else {
            return (.blank, [])
        }
        guard bytes.count < Self.bytesMax else {
            let text = "a frame has \(bytes.count + 1) bytes; the limit is \(Self.bytesMax)"
            return (.bad(.tooLong, text), [])
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let first = text.first { !$0.isWhitespace }
        if isPlainOutput, first != "{", first != "[" {
            return (.bad(.strayOutput, "a line on standard output is not a frame"), [])
        }
        guard let tree = try? JSONTree(text) else {
            return (
                .bad(.badJSON, "a frame is not valid JSON, or not within the broker's limits"), []
            )
        }
        if case .array(let entries) = tree {
            guard entries.allSatisfy({ $0["method"] != nil }) else {
                return (.bad(.batch, "replies must be sent one by one, not as a batch"), [])
            }
            return (.call(tree), [])
        }
        var faults: [(Fault, String)] = []
        if tree.containsFraction {
            faults.append((.fraction, "a number has a fraction or exponent"))
        }
        return (line(tree, &faults), faults)
    }

    private mutating func line(_ tree: JSONTree, _ faults: inout [(Fault, String)]) -> Line {
        if tree["jsonrpc"]?.string != "2.0" {
            faults.append((.badRequest, "\"jsonrpc\" is not \"2.0\""))
        }
        guard tree["method"] == nil else { return call(tree, &faults) }
        guard tree["result"] != nil || tree["error"] != nil else {
            return .bad(.badRequest, "a frame has neither a method nor a result nor an error")
        }
        switch tree["id"] {
        case nil, .null?: return .bad(.nullID, "a reply has no id, or the id null")
        case .integer(let number)?: return reply(Int(number), tree, &faults)
        default: return .bad(.unknownID, "the id of a reply is not the integer that was sent")
        }
    }

    private mutating func reply(
        _ id: Int, _ tree: JSONTree, _ faults: inout [(Fault, String)]
    ) -> Line {
        guard open.remove(id) != nil else {
            return answered.contains(id)
                ? .bad(.answeredTwice, "request \(id) is answered a second time")
                : .bad(.unknownID, "a reply to request \(id), which was not made")
        }
        answered.insert(id)
        if let wrong = Self.wrong(with: tree) { faults.append((.badReply, wrong)) }
        return .reply(id: id, tree)
    }

    /// Returns the violation in a reply; nil if the reply is valid.
    private static func wrong(with reply: JSONTree) -> String? {
        guard let error = reply["error"] else {
            guard case .object? = reply["result"] else { return "\"result\" is not an object" }
            return nil
        }
        if reply["result"] != nil { return "a reply has a result or an error, not both" }
        guard error["code"]?.integer != nil else { return "error.code is not an integer" }
        guard error["message"]?.string != nil else { return "error.message is not a string" }
        guard let data = error["data"] else { return nil }
        guard case .object = data else { return "error.data is not an object" }
        return nil
    }

    private mutating func call(_ tree: JSONTree, _ faults: inout [(Fault, String)]) -> Line {
        if let id = tree["id"] {
            switch id {
            case .integer, .string: break
            default: return .bad(.nullID, "the id of a request is neither a string nor an integer")
            }
            if asked.contains(id.json) {
                faults.append((.repeatedID, "an id is used again before its reply"))
            }
            asked.append(id.json)
        }
        return .call(tree)
    }
}

extension JSONTree {
    var containsFraction: Bool {
        switch self {
        case .real: true
        case .object(let members): members.contains { $0.value.containsFraction }
        case .array(let elements): elements.contains(where: \.containsFraction)
        case .string, .integer, .boolean, .null: false
        }
    }

    /// Returns a copy of the object with another value for one member.
    func replacing(_ name: String, with value: JSONTree) -> JSONTree {
        .object(members.map { $0.name == name ? Member(name: name, value: value) : $0 })
    }
}
