import Foundation
import os

typealias pj_status_t = Int32
typealias pjsua_call_id = Int32
let PJ_SUCCESS: pj_status_t = 0

/// The part of a C library that the app calls, with its manner of codes and threads.
final class PJEndpoint: @unchecked Sendable {
    static let shared = PJEndpoint()

    private let queue = DispatchQueue(label: "pjsua")
    private let log = OSLog(subsystem: "org.example.pj", category: "pjsua")
    private var calls: [pjsua_call_id: String] = [:]
    private var last: pjsua_call_id = 0

    func make(_ uri: String, completion: @escaping @Sendable (pj_status_t, pjsua_call_id) -> Void) {
        queue.async {
            self.last += 1
            self.calls[self.last] = uri
            os_log("call %d", log: self.log, type: .info, self.last)
            completion(PJ_SUCCESS, self.last)
        }
    }

    func hangup(_ id: pjsua_call_id) -> pj_status_t {
        queue.sync { calls.removeValue(forKey: id) == nil ? 70_004 : PJ_SUCCESS }
    }

    func dial(_ digits: String, _ id: pjsua_call_id) {
        os_log("%{private}@ for %d", log: log, type: .debug, digits, id)
    }
}
