internal import CallArbitration
internal import CallModel

/// Leaves out of a script whatever the difference does not need.
enum Shortening {
    static func of(_ script: [ScriptStep], policy: ArbitrationPolicy) -> [ScriptStep] {
        var short = script
        let wanted = sign(of: short, policy)
        var chunk = max(1, short.count / 2)
        while true {
            var hasChanged = false
            var start = 0
            while start < short.count {
                var candidate = short
                candidate.removeSubrange(start..<min(start + chunk, short.count))
                if sign(of: candidate, policy) == wanted {
                    short = candidate
                    hasChanged = true
                } else {
                    start += chunk
                }
            }
            if chunk == 1, !hasChanged { return short }
            chunk = max(1, chunk / 2)
        }
    }

    /// The differences without their numbers.
    private static func sign(of script: [ScriptStep], _ policy: ArbitrationPolicy) -> String? {
        let run = Run.of(script, policy: policy)
        guard let first = run.differences.first else { return nil }
        return first.filter { !$0.isNumber }
    }
}
