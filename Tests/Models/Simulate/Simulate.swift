internal import ArgumentParser

/// Runs the arbiter in random worlds, or in all states of a small one, and judges every event.
///
/// The work is done in a second process: an arbiter that stops its process (a precondition, an
/// index) must not stop whoever is to tell how that came.
@main
struct Simulate: ParsableCommand {
    @Option(help: "How many events.")
    var events = 1_000_000

    @Option(help: "The first seed; each world takes the next.")
    var seed: UInt64 = 1

    @Flag(help: "Visit every state of a small world instead.")
    var exhaustive = false

    @Option(help: "How deep the exhaustive run goes.")
    var depth = 7

    @Flag(help: "The exhaustive run brings each state to a quiet end, too.")
    var liveness = false

    @Option(help: "A sentence of a complaint that is known: runs go on after it.")
    var known: [String] = []

    @Flag(help: "Go on after failures, and tell one of each kind.")
    var survey = false

    @Option(help: .hidden)
    var worker: Worker.Task?

    /// The step, or the transition, that stops the process.
    @Option(help: .hidden)
    var last = 0

    /// The numbers of the steps that are played.
    @Option(help: .hidden)
    var keep = ""

    func run() throws {
        guard let worker else {
            guard Supervisor(options: self).run() else { throw ExitCode.failure }
            return
        }
        Crash.catchAll()
        guard Worker(options: self).run(worker) else { throw ExitCode.failure }
    }
}
