import CallTesting
import Testing

/// What a provider is: an app, an adapter, a modem, or an app that is only watched.
struct BrokerKindTests {
    private let host = MemoryBroker()

    @Test func `the kind of a provider is said at registration, and everybody sees it`() {
        let observer = host.observer("provider.*")
        let a = host.provider("org.a", #""kind":"modem""#)
        #expect(observer.lines().last?.contains(#""kind":"modem""#) == true)
        _ = a.tell("provider.update", #"{"kind":"watched"}"#)
        #expect(observer.lines().last?.contains(#""kind":"watched""#) == true)
        _ = host.provider("org.b")
        #expect(observer.lines().last?.contains(#""kind":"app""#) == true)
    }

    @Test(arguments: [
        (#""kind":"adapter""#, "/kind"), (#""app_process":"separate""#, "/app_process"),
    ])
    func `it cannot change while there are calls`(change: String, field: String) {
        let a = host.provider("org.a")
        a.ring(1)
        let error = "-32006 has_calls field=\(field)"
        #expect(a.register(change).last == "\(a.lastID): \(error)")
        #expect(a.tell("provider.update", "{\(change)}").last == "\(a.lastID): \(error)")
        #expect(a.register(#""ring_timeout_ms":5000"#).last?.contains("org.a") == true)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(a.register(change).last?.contains("org.a") == true)
    }

    @Test func `one that was away with its calls has to come back as it was`() {
        let a = host.provider("org.a", #""kind":"adapter""#)
        a.ring(1)
        a.vanish()
        let again = host.ready("provider", identity: "org.a")
        #expect(again.register().last == "\(again.lastID): -32006 has_calls field=/kind")
        #expect(again.register(#""kind":"adapter""#).last?.contains("org.a") == true)
    }
}
