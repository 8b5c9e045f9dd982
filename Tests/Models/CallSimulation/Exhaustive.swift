internal import CallArbitration
internal import CallModel
internal import Synchronization

/// Visits every state that three calls of two providers can come to: breadth first, all moves from
/// each state, up to a depth.
///
/// **When are two states one?** When their arbiters have the same shape (`hashStructure`: everything
/// apart from times, ids that the arbiter made and the places of records), the same calls have been,
/// and the same late answers can come. A projection of what can be seen would be shorter, but merges
/// states that go on differently: the rest of a plan cannot be seen. Of a shape only a hash of 64
/// bits is kept; with a million states two are taken for one with a probability of 1 in 10 million.
///
/// **Time stands still.** Each timer that is armed may fire at any moment, in any order: that is
/// more than can happen, and includes all that can.
package struct Exhaustive {
    package struct Level: Sendable {
        package let depth: Int
        /// States that were reached for the first time at this depth.
        package let states: Int
        package let transitions: Int
    }

    package struct Limits: Sendable {
        package var depth = 64
        package var states = 1_000_000
        /// The transition, counted from 1, that is told in place of being made: it stops the process.
        package var toldTransition: Int?
        /// Bring every new state to a quiet end, too.
        package var checksLiveness = false

        package init() {}
    }

    package private(set) var levels: [Level] = []
    package private(set) var complaint: Complaint?
    /// What led to the complaint, as a transcript.
    package private(set) var text = ""

    private var frontier: [Node] = []
    private var visited: Set<Int> = []
    private let limits: Limits
    private let checks: Checks

    private struct Node {
        var scene: Scene
        /// How it was reached.
        var moves: [Move]
    }

    package init(limits: Limits, checks: Checks = Checks()) {
        self.limits = limits
        self.checks = checks
        let scene = Scene(checks: checks)
        visited = [scene.key]
        frontier = [Node(scene: scene, moves: [])]
    }

    package var stateCount: Int {
        visited.count
    }

    package var transitionCount: Int {
        levels.reduce(0) { $0 + $1.transitions }
    }

    /// Goes one step further from every state on the edge. Whether there is more to see.
    package mutating func advance() -> Bool {
        guard levels.count < limits.depth, visited.count < limits.states, complaint == nil,
            !frontier.isEmpty
        else { return false }
        let edge = frontier
        frontier = []
        var transitions = 0
        for node in edge {
            for move in node.scene.moves {
                transitions += 1
                lastWords.transition.add(1, ordering: .relaxed)
                if transitionCount + transitions == limits.toldTransition {
                    return tell(node, move)
                }
                var scene = node.scene
                scene.make(move)
                if scene.bench.complaint != nil { return fail(node, move) }
                guard visited.insert(scene.key).inserted else { continue }
                frontier.append(Node(scene: scene, moves: node.moves + [move]))
                guard limits.checksLiveness else { continue }
                scene.close()
                if scene.bench.complaint != nil { return fail(node, move) }
            }
        }
        levels.append(
            Level(depth: levels.count + 1, states: frontier.count, transitions: transitions))
        return true
    }

    /// The way to a transition, and the event that it begins with, before it is applied.
    private func tell(_ node: Node, _ move: Move) -> Bool {
        var scene = Scene(checks: checks, isRecorded: true)
        for move in node.moves { scene.make(move) }
        if let log = checks.log { log(scene.bench.text) }
        scene.bench.checks.log = checks.log
        scene.make(move)
        return false
    }

    /// Plays the moves once more, to tell what happened.
    private mutating func fail(_ node: Node, _ last: Move) -> Bool {
        var scene = Scene(checks: checks, isRecorded: true)
        for move in node.moves + [last] { scene.make(move) }
        if scene.bench.complaint == nil { scene.close() }
        complaint = scene.bench.complaint
        text = scene.bench.text
        return false
    }
}
