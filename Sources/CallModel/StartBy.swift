/// The name by which an app that is no plugin is started when a call needs it.
public enum StartBy: Hashable, Sendable {
    /// A well-known name for which the session bus starts a service, such as `org.example.Phone`.
    case dbus(String)
    /// The id of a desktop file, such as `org.example.Phone.desktop`.
    case desktop(String)
}
