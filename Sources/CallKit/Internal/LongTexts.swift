internal import CallModel
internal import Synchronization

/// Addresses and ids of contacts that are longer than the protocol allows, by the short form that
/// the broker and all other programs have: the app finds its own text again. They are kept in
/// memory only.
final class LongTexts: Sendable {
    static let shared = LongTexts()
    /// The number of latest texts that are kept.
    static let countMax = 100

    private struct Texts {
        var whole: [String: String] = [:]
        var order: [String] = []

        /// Stores a text, and drops the oldest if there are too many.
        mutating func add(_ text: String, as short: String) {
            guard whole.updateValue(text, forKey: short) == nil else { return }
            order.append(short)
            if order.count > LongTexts.countMax { whole[order.removeFirst()] = nil }
        }
    }

    private let texts = Mutex(Texts())

    /// Returns the form of a text that fits the protocol: the text itself, or its beginning and a
    /// mark that differs between texts that begin alike.
    func short(_ text: String) -> String {
        guard text.utf8.count > Handle.valueBytesMax else { return text }
        let mark = "…" + FNV.hex(of: text.utf8)
        let short = text.prefix(bytes: Handle.valueBytesMax - mark.utf8.count) + mark
        texts.withLock { $0.add(text, as: short) }
        return short
    }

    /// Returns the app's text for a short form.
    func whole(_ short: String) -> String {
        texts.withLock { $0.whole[short] } ?? short
    }
}
