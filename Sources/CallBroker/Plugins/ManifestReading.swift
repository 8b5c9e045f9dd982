internal import CallPlugins

/// The reading of all manifests, in steps that the broker spreads over its turns. One reading goes on to
/// its end, whatever is asked meanwhile; then there is one more for all who asked.
struct ManifestReading {
    enum Step {
        /// A manifest, and how long it is.
        case found(PluginCatalogue.Entry, bytes: Int)
        case look
        case tooMany(folder: String, kept: Int)
        /// All are read: who is known by now has to be said.
        case end
        /// One that is known has no manifest any more.
        case gone(String)
        /// These wait for it.
        case over([ReplyTarget])
    }

    private struct Pass {
        let next: () -> PluginCatalogue.Step
        let waiting: [ReplyTarget]
        var catalogue = PluginCatalogue()
        /// Once all are read; the next one last.
        var gone: [String]?
    }

    private var pass: Pass?
    private var begin: (() -> () -> PluginCatalogue.Step)?
    /// For the next reading.
    private var waiting: [ReplyTarget] = []
    /// No reading has come to its end yet.
    private(set) var isFirst = true

    var isUnderWay: Bool {
        pass != nil
    }

    /// - Parameter begin: begins with the manifest of the highest precedence.
    mutating func request(
        _ target: ReplyTarget?, _ begin: @escaping () -> () -> PluginCatalogue.Step
    ) {
        if let target { waiting.append(target) }
        self.begin = begin
        if pass == nil { beginPass() }
    }

    private mutating func beginPass() {
        pass = begin.map { Pass(next: $0(), waiting: waiting) }
        begin = nil
        waiting = []
    }

    mutating func next() -> Step {
        if pass?.gone != nil { return pass?.gone?.popLast().map { .gone($0) } ?? finish() }
        switch pass?.next() {
        case .file(let file)?:
            guard let entry = pass?.catalogue.take(file) else { return .look }
            return .found(entry, bytes: file.text?.count ?? 0)
        case .look?: return .look
        case .tooMany(let folder, let kept)?: return .tooMany(folder: folder, kept: kept)
        case .end?, nil: return .end
        }
    }

    mutating func end(_ known: some Sequence<String>) {
        guard let catalogue = pass?.catalogue else { return }
        pass?.gone = known.filter { !catalogue.contains($0) }.reversed()
    }

    private mutating func finish() -> Step {
        let waiting = pass?.waiting ?? []
        isFirst = false
        beginPass()
        return .over(waiting)
    }
}
