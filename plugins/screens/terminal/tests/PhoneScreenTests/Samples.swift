import CallModel
import Glibc

@testable import PhoneScreen

/// Phones with the texts of the catalog, and calls to show.
enum Samples {
    static let folder =
        #filePath.split(separator: "/").dropLast(6).map { "/" + $0 }.joined() + "/messages"
    static let desk = ProviderID("org.example.desk")
    static let web = ProviderID("org.example.web")

    static func id(_ number: UInt64) -> CallID {
        CallID(UUIDBits(high: 0x4000, low: 1 << 63 | number))
    }

    static func phone(_ calls: ShownCall..., language: String = "en") -> Phone {
        setlocale(LC_CTYPE, "C.UTF-8")
        var phone = Phone(ScreenTexts(environment: ["LANG": language], folder: folder))
        phone.appNames = [desk: "Desk phone", web: "Web calls"]
        phone.show(calls)
        return phone
    }

    static func ringing(_ number: UInt64, _ name: String, _ verbs: Verb...) -> ShownCall {
        var call = ShownCall(id(number), web, .ringing)
        (call.name, call.allowed) = (name, verbs + [.decline, .silence])
        call.remote = Handle(kind: .phone, value: "+1555010\(number)")
        call.createdAtMS = 95_000
        return call
    }

    static func active(_ number: UInt64, _ name: String) -> ShownCall {
        var call = ShownCall(id(number), desk, .active)
        (call.name, call.connectedAtMS) = (name, 35_000)
        call.allowed = [.end, .hold, .mute, .playDTMF, .transfer]
        return call
    }

    static let clock = Clock(nowMS: 100_000) { "at \($0 / 1_000)" }
    static let usual = Size(rows: 24, columns: 80)
}
