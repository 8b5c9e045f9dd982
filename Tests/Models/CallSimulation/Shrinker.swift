internal import CallArbitration
internal import CallModel

/// Makes a script that fails as short as it can be: chunks are left out, then single steps, as long
/// as it goes on failing.
package struct Shrinker {
    /// Replays so far.
    package private(set) var tries = 0
    private let fails: (Script) -> Bool

    package init(fails: @escaping (Script) -> Bool) {
        self.fails = fails
    }

    /// Failing means that a replay comes to the same kind of complaint.
    package init(_ complaint: Complaint, _ checks: Checks) {
        fails = { script in
            let found = Replay.play(script, checks: checks).complaint
            return found?.isSameKind(as: complaint) ?? false
        }
    }

    /// The shortest script found; nil if not even the whole one fails.
    package mutating func shrink(_ whole: Script) -> Script? {
        guard isFailing(whole) else { return nil }
        var script = whole
        var size = max(1, script.steps.count / 2)
        while true {
            let isShorter = dropChunks(of: size, from: &script)
            if size == 1, !isShorter { return script }
            size = max(1, size / 2)
        }
    }

    /// Tries to do without each chunk, the last first: whether one went.
    private mutating func dropChunks(of size: Int, from script: inout Script) -> Bool {
        var isShorter = false
        var end = script.steps.count
        while end > 0 {
            let start = max(0, end - size)
            var candidate = script
            candidate.steps.removeSubrange(start..<end)
            if isFailing(candidate) {
                script = candidate
                isShorter = true
            }
            end = start
        }
        return isShorter
    }

    private mutating func isFailing(_ candidate: Script) -> Bool {
        tries += 1
        return fails(candidate)
    }
}
