/// Reasons why a backup cannot be restored. The reasons in them are those of the files' readers.
package enum BackupFault: Equatable, Sendable {
    case noPolicy
    case unreadablePolicy(reason: String)
    case invalidSettings(reason: String)
    /// A file of the store is damaged.
    case damaged(reason: String)
}
