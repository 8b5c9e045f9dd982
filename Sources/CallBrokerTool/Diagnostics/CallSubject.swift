internal import ArgumentParser

/// The arguments that name a call, also one that has ended.
struct CallSubject: ParsableArguments {
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Option(help: "The number of an entry of the history.") var entry: Int?
    @Flag(help: "The latest call in the history.") var last = false

    /// The number of arguments that name a call.
    var count: Int {
        [call != nil, entry != nil, last].count(where: \.self)
    }

    func validate() throws {
        guard count <= 1 else { throw ValidationError("name a call, an entry, or the last call") }
    }

    /// Returns the call, and its entry in the history if it was found there.
    func find(_ session: Session) throws -> (call: String, entry: PastCall?) {
        if last || entry != nil {
            let found = try entry.map(session.pastCall) ?? session.pastCall { _ in true }
            guard let found else {
                throw ToolFailure(.errorReply, Messages.emptyHistory)
            }
            return (found.call, found)
        }
        do throws(ToolFailure) {
            return (try session.chooseAnyCall(call), nil)
        } catch {
            guard error.code == .errorReply,
                let found = try call.map(session.pastCall(meaning:))
                    ?? session.pastCall(where: { _ in call == nil })
            else { throw error }
            return (found.call, found)
        }
    }
}
