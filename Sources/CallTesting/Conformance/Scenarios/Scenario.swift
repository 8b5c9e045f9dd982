internal import CallProtocol

/// A requirement for plugins, and the steps that test it.
package struct Scenario: Sendable {
    /// The stable name, for scripts and reports.
    package let name: String
    /// One sentence that states the requirement.
    package let promise: String
    /// The violations that no frame of the whole run may have; empty for a scenario with steps of
    /// its own.
    let forbids: Set<Fault>
    /// The role that it is about; empty for those of every program.
    private let role: RoleSet
    /// True if it is about programs that may delay the audio of a call.
    private let isOfHandover: Bool
    let run: @Sendable (ConformanceRun) throws -> Void

    init(
        _ name: String, _ promise: String, of role: RoleSet = [], isOfHandover: Bool = false,
        _ run: @escaping @Sendable (ConformanceRun) throws -> Void
    ) {
        self.name = name
        self.promise = promise
        forbids = []
        self.role = role
        self.isOfHandover = isOfHandover
        self.run = run
    }

    /// Returns false if the scenario is about a role that the program does not have, or about audio
    /// that the program does not delay.
    package func concerns(_ program: ProviderProgram) -> Bool {
        role.isSubset(of: program.roles) && (!isOfHandover || program.delaysAudio)
    }

    /// Makes a requirement for every frame. It is tested by a tour of all features, and by all
    /// other scenarios.
    init(_ name: String, _ promise: String, forbids: Set<Fault>) {
        self.name = name
        self.promise = promise
        self.forbids = forbids
        role = []
        isOfHandover = false
        run = { try $0.tour() }
    }

    /// All scenarios, in the order in which they run.
    package static let all: [Scenario] =
        opening + actions + lines + requests + crossings + notices + framing + pings + processes
        + sessions
        + rights + incoming + trials + external + priorities + background + quality
        + roles + manners

    /// The requirements for every frame.
    private static let manners = [
        Scenario(
            "only_frames", "The stream of frames carries nothing but frames.",
            forbids: [.strayOutput, .badJSON]),
        Scenario(
            "whole_frames", "Every frame is written whole, with its line feed.",
            forbids: [.halfFrame]),
        Scenario(
            "frames_in_limit", "No frame has more than 65,536 bytes.", forbids: [.tooLong]),
        Scenario(
            "no_fractions", "No number has a fraction or an exponent.", forbids: [.fraction]),
        Scenario("no_batches", "Replies are sent one by one, not in a batch.", forbids: [.batch]),
        Scenario(
            "ids_as_sent", "A reply has the id of a request that was made, as an integer.",
            forbids: [.nullID, .unknownID]),
        Scenario(
            "answers_once", "No request is answered a second time.", forbids: [.answeredTwice]),
        Scenario(
            "legal_replies",
            "A reply has an object as its result, or an error with a code and a message.",
            forbids: [.badReply]),
        Scenario(
            "own_ids", "The program reuses a request id only after its reply.",
            forbids: [.repeatedID]),
        Scenario(
            "legal_requests", "The program's requests are in the protocol, with valid members.",
            forbids: [.badRequest, .refusedRequest]),
        Scenario(
            "reports_forward", "No report returns a call to an earlier state.",
            forbids: [.backwards]),
        Scenario(
            "reports_known_calls",
            "The program reports only calls that it announced or was asked to start.",
            forbids: [.afterEnd]),
    ]
}

extension ConformanceRun {
    /// Uses every feature once, so that there are frames to check.
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
        try notify("provider.reset", #"{"reason":"admin"}"#)
        try ping()
    }
}
