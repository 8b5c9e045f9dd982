import Foundation
import OSLog

struct PJAccount: Codable, Equatable {
    var user: String
    var domain: String
    var transport = Transport.tls

    enum Transport: String, Codable, CaseIterable { case udp, tcp, tls }

    var uri: String { "sip:\(user)@\(domain);transport=\(transport.rawValue)" }

    func log(to logger: Logger = Logger(subsystem: "org.example.pj", category: "account")) {
        logger.info("account of \(self.user, privacy: .private(mask: .hash)) at \(self.domain)")
        logger.warning("transport \(self.transport.rawValue, privacy: .public) \(Int64(5060))")
        logger.fault("secure \(self.transport == .tls) after \(0.5) s")
    }
}
