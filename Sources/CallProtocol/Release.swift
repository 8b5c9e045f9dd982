/// The release and the protocol versions of this build.
package enum Release {
    package static let name: StaticString = "callbroker"
    package static let version = "0.1.0"
    /// The supported protocol majors.
    package static let protocolMajors = 1...1
}
