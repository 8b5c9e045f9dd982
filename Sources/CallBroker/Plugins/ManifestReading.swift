internal import CallPlugins

/// The reading of all manifests, in steps that the broker spreads over its turns. A pass is always
/// completed; requests that come meanwhile share the next one.
struct ManifestReading {
    enum Step {
        /// A manifest, and the length of its text.
        case found(PluginCatalog.Entry, bytes: Int)
        case look
        case tooMany(folder: String, kept: Int)
        /// All manifests are read; the caller must call `end` with the known plugins.
        case end
        /// A known plugin has no manifest any more.
        case gone(String)
        /// The pass is over; these requests wait for it.
        case over([ReplyTarget])
    }

    private struct Pass {
        let next: () -> PluginCatalog.Step
        let waiting: [ReplyTarget]
        var catalog = PluginCatalog()
        var strays: [PluginCatalog.Stray] = []
        /// The plugins without a manifest, once all are read; the next one last.
        var gone: [String]?
    }

    private var pass: Pass?
    private var begin: (() -> () -> PluginCatalog.Step)?
    /// The requests that wait for the next pass.
    private var waiting: [ReplyTarget] = []
    /// True until the first pass is complete.
    private(set) var isFirst = true
    /// The entries that look like a plugin, and are none, as of the latest complete pass.
    private(set) var strays: [PluginCatalog.Stray] = []
    private static let straysMax = 64

    var isUnderWay: Bool {
        pass != nil
    }

    /// Requests a pass.
    ///
    /// - Parameter begin: returns a function whose calls return the steps, beginning with the
    ///   manifest of the highest precedence.
    mutating func request(
        _ target: ReplyTarget?, _ begin: @escaping () -> () -> PluginCatalog.Step
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
            guard let entry = pass?.catalog.take(file) else { return .look }
            return .found(entry, bytes: file.text?.count ?? 0)
        case .look?: return .look
        case .stray(let stray)?:
            if (pass?.strays.count ?? 0) < Self.straysMax { pass?.strays.append(stray) }
            return .look
        case .tooMany(let folder, let kept)?: return .tooMany(folder: folder, kept: kept)
        case .end?, nil: return .end
        }
    }

    mutating func end(_ known: some Sequence<String>) {
        guard let catalog = pass?.catalog else { return }
        pass?.gone = known.filter { !catalog.contains($0) }.reversed()
    }

    private mutating func finish() -> Step {
        let waiting = pass?.waiting ?? []
        isFirst = false
        strays = pass?.strays ?? []
        beginPass()
        return .over(waiting)
    }
}
