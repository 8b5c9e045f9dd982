/// Suggestions for unknown names.
package enum NearestName {
    /// Returns a name that starts or ends with the word, else the one with the fewest changed
    /// letters; nil if none is near.
    package static func find(_ word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        if word.count >= 3,
            let name = names.first(where: { $0.hasSuffix("." + word) || $0.hasPrefix(word) })
        {
            return name
        }
        let changesMax = max(1, word.count / 3)
        return names.map { (name: $0, changes: changes(Array(word), Array($0))) }
            .filter { $0.changes <= changesMax && $0.changes < word.count }
            .min { $0.changes < $1.changes }?.name
    }

    /// The number of letters that are added, left out, replaced, or exchanged with the next one.
    private static func changes(_ one: [Character], _ two: [Character]) -> Int {
        var rows = [Array(0...two.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in two.indices {
                let replaced = rows[i][j] + (one[i] == two[j] ? 0 : 1)
                var least = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == two[j - 1], one[i - 1] == two[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][two.count]
    }
}
