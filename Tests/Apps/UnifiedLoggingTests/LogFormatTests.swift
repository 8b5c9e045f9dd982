import Testing

@testable import UnifiedLogging

/// The text of an `os_log`, with forms and arguments that need not belong together.
struct LogFormatTests {
    @Test(arguments: [
        ("plain", "plain"), ("100 %%", "100 %"), ("%d and %{public}@", "7 and name"),
        ("%@ %s", "<private> <private>"), ("%{private}d", "<private>"),
        ("%{public, uuid_t}.16P", "7"), ("%ld %{public}s %d", "7 name <missing>"), ("%", "7"),
        ("%{public", "7public"),
    ])
    func `public values are written, and no others`(format: String, text: String) {
        let written = LogFormat(format).text([7, "name" as NSString])
        #expect(written == text)
    }
}
