internal import PhoneScreen

/// The lists that are being read. Of two readings at once the older one could be shown last, and stay:
/// a list is read by one at a time, and once more if it has changed meanwhile.
struct Readings {
    /// Whether each list that is being read has to be read once more.
    private var isStale: [Tab: Bool] = [:]

    /// Returns true if the caller is to read the list; otherwise whoever reads it does so once more.
    mutating func begin(_ tab: Tab) -> Bool {
        let list = tab.list
        let isFirst = isStale[list] == nil
        isStale[list] = !isFirst
        return isFirst
    }

    /// Returns true if whoever has read the list is to read it once more; false once that is over.
    mutating func goesOn(_ tab: Tab) -> Bool {
        let list = tab.list
        let isNeeded = isStale[list] == true
        isStale[list] = isNeeded ? false : nil
        return isNeeded
    }
}

extension Tab {
    /// The view that shows the same list first.
    fileprivate var list: Tab {
        switch self {
        case .lines: .calls
        case .missed: .dial
        default: self
        }
    }
}
