@_exported public import Foundation

/// A method by name. Objective-C's selectors find a method by its name at run time; there is no
/// Objective-C on Linux, so this one has the method itself. The plugin `AppSources` makes one
/// of each `#selector`.
public struct Selector: Hashable, @unchecked Sendable, CustomStringConvertible {
    /// The method as it was named in the source.
    public let description: String
    // Called on the thread on which Objective-C would call the method.
    private let call: (AnyObject, [Any?]) -> Any?

    private init(_ name: String, call: @escaping (AnyObject, [Any?]) -> Any?) {
        (description, self.call) = (name, call)
    }

    /// Makes a selector of a method without parameters.
    public init<Target, Result>(
        _ name: String, _ method: @escaping (Target) -> () -> Result
    ) {
        self.init(name) { target, _ in (target as? Target).map { method($0)() } }
    }

    /// Makes a selector of a method with one parameter.
    public init<Target, Argument, Result>(
        _ name: String, _ method: @escaping (Target) -> (Argument) -> Result
    ) {
        self.init(name) { target, arguments in
            guard let target = target as? Target,
                let argument = Self.argument(0, of: arguments, as: Argument.self)
            else { return nil }
            return method(target)(argument)
        }
    }

    /// Makes a selector of a method with two parameters.
    public init<Target, First, Second, Result>(
        _ name: String, _ method: @escaping (Target) -> (First, Second) -> Result
    ) {
        self.init(name) { target, arguments in
            guard let target = target as? Target,
                let first = Self.argument(0, of: arguments, as: First.self),
                let second = Self.argument(1, of: arguments, as: Second.self)
            else { return nil }
            return method(target)(first, second)
        }
    }

    /// Makes a selector of a method of the main actor without parameters.
    public init<Target, Result>(
        _ name: String, _ method: @escaping (Target) -> @MainActor () -> Result
    ) {
        let method = Sent(method)
        self.init(name) { target, _ in
            guard let target = target as? Target else { return nil }
            let sent = Sent(target)
            return Self.onMain { method.value(sent.value)() }
        }
    }

    /// Makes a selector of a method of the main actor with one parameter.
    public init<Target, Argument, Result>(
        _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result
    ) {
        let method = Sent(method)
        self.init(name) { target, arguments in
            guard let target = target as? Target,
                let argument = Self.argument(0, of: arguments, as: Argument.self)
            else { return nil }
            let sent = Sent((target, argument))
            return Self.onMain { method.value(sent.value.0)(sent.value.1) }
        }
    }

    /// Calls the method of an object with what it takes of the arguments. Returns nil without a
    /// call if the object is of another class, or an argument of another type.
    public func callAsFunction(_ target: AnyObject, _ arguments: Any?...) -> Any? {
        call(target, arguments)
    }

    private static func argument<Value>(
        _ index: Int, of arguments: [Any?], as type: Value.Type
    ) -> Value? {
        let argument = index < arguments.count ? arguments[index] : nil
        if let value = argument as? Value { return value }
        // Objective-C bridges these; Foundation on Linux does not.
        guard let notification = argument as? Notification else { return nil }
        return NSNotification(
            name: notification.name, object: notification.object,
            userInfo: notification.userInfo) as? Value
    }

    /// Runs a method of the main actor at once on the main thread, and from another one later: what
    /// Swift 6 would end a program for on Apple's platforms.
    private static func onMain(_ body: @escaping @MainActor @Sendable () -> Any?) -> Any? {
        guard Thread.isMainThread else {
            DispatchQueue.main.async { _ = body() }
            return nil
        }
        nonisolated(unsafe) var result: Any?
        MainActor.assumeIsolated { result = body() }
        return result
    }

    /// Returns whether both have the same name.
    public static func == (left: Selector, right: Selector) -> Bool {
        left.description == right.description
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

/// A value that is called on another thread as Objective-C would: the app sees to its safety.
struct Sent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
