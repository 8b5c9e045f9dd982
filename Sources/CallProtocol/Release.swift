/// What this build is.
package enum Release {
    package static let name: StaticString = "callbroker"
    package static let version = "0.1.0"
    /// The protocol majors it speaks.
    package static let protocolMajors = 1...1
}
