/// One promise of a provider, and how it is tried.
package struct Scenario: Sendable {
    /// Stable: scripts and reports name it.
    package let name: String
    /// One sentence: what a provider promises.
    package let promise: String
    /// What may not occur in any frame of the whole run; empty for a scenario of its own.
    let forbids: Set<Fault>
    let run: @Sendable (Trial) throws -> Void

    init(_ name: String, _ promise: String, _ run: @escaping @Sendable (Trial) throws -> Void) {
        self.name = name
        self.promise = promise
        forbids = []
        self.run = run
    }

    /// A promise about every frame: it is tried by a tour of everything, and by all the others.
    init(_ name: String, _ promise: String, forbids: Set<Fault>) {
        self.name = name
        self.promise = promise
        self.forbids = forbids
        run = { try $0.tour() }
    }

    /// All of them, in the order in which they run.
    package static let all: [Scenario] =
        opening + actions + crossings + notices + framing + pings + processes + sessions + incoming
        + manners

    /// About every frame.
    private static let manners = [
        Scenario(
            "only_frames", "Where frames go, nothing but frames is written.",
            forbids: [.strayOutput, .badJSON]),
        Scenario(
            "whole_frames", "Every frame is written to its end, with its newline.",
            forbids: [.halfFrame]),
        Scenario(
            "frames_in_limit", "No frame has more than 65,536 bytes.", forbids: [.tooLong]),
        Scenario(
            "no_fractions", "No number has a fraction or an exponent.", forbids: [.fraction]),
        Scenario("no_batches", "Replies come one by one, not in a batch.", forbids: [.batch]),
        Scenario(
            "ids_as_sent", "A reply has the id of a request that was made, as the integer it is.",
            forbids: [.nullID, .unknownID]),
        Scenario(
            "answers_once", "No request is answered a second time.", forbids: [.answeredTwice]),
        Scenario(
            "legal_replies",
            "A reply has either an object as its result, or an error with a code and a message.",
            forbids: [.badReply]),
        Scenario(
            "own_ids", "An id of its own is used again only after its reply.",
            forbids: [.repeatedID]),
        Scenario(
            "legal_requests", "What it asks for is in the protocol, with the members it has there.",
            forbids: [.badRequest, .refusedRequest]),
        Scenario(
            "reports_forward", "No report goes back to a state that is over.",
            forbids: [.backwards]),
        Scenario(
            "reports_known_calls", "It reports on calls that it has told of, or was asked for.",
            forbids: [.afterEnd]),
    ]
}

extension Trial {
    /// Something of everything, so that there are frames to look at.
    func tour() throws {
        try begin()
        let call = try someCall()
        awaitActive(call)
        let supportsHolding = broker.call(call)?["supports_holding"]?.boolean ?? true
        if supportsHolding {
            for held in ["true", "false"] {
                try settle(try perform("set_held", on: call, #""held":\#(held)"#), "set_held")
            }
        }
        try settle(try perform("set_muted", on: call, #""muted":true"#), "set_muted")
        try settle(try inject("x_wave", on: call), "x_wave")
        try settle(try perform("end", on: call), "end")
        try tell("provider.reset", #"{"reason":"admin"}"#)
        try ping()
    }
}
