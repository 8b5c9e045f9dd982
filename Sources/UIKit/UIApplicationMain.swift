internal import Dispatch
internal import Glibc

extension UIApplicationDelegate where Self: UIResponder {
    /// Runs the program with a delegate of this class: what `@main` calls. Never returns.
    public static func main() {
        UIApplication.run(Self())
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Runs the program with a delegate of the named class, for a `main.swift`. Never returns, like
/// Apple's, in spite of its result.
///
/// - Parameters:
///   - argc: ignored; the arguments are those of the process.
///   - argv: ignored.
///   - principalClassName: must be nil: there is no other class of application here.
///   - delegateClassName: from `NSStringFromClass(AppDelegate.self)`, a subclass of `UIResponder`.
@MainActor @discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
    let type = delegateClassName.flatMap { NSClassFromString($0) } as? UIResponder.Type
    guard let delegate = type?.init() as? any UIResponder & UIApplicationDelegate else {
        preconditionFailure(
            "UIApplicationMain needs the name of a class that inherits from UIResponder and "
                + "conforms to UIApplicationDelegate: NSStringFromClass(AppDelegate.self).")
    }
    UIApplication.run(delegate)
}

extension UIApplication {
    /// The delegate that `run` made, which nobody else retains.
    @MainActor private static var retained: (any UIApplicationDelegate)?
    @MainActor private static var signals: [any DispatchSourceSignal] = []

    /// Launches the app, and runs the main run loop until a signal ends the program.
    @MainActor
    static func run(_ delegate: any UIResponder & UIApplicationDelegate) -> Never {
        retained = delegate
        signals = [SIGTERM, SIGINT].map(terminating)
        shared.launch(delegate)
        while true { RunLoop.main.run() }
    }

    /// Calls the delegate's methods of a launch, in Apple's order.
    @MainActor
    func launch(
        _ delegate: any UIApplicationDelegate, arguments: [String] = CommandLine.arguments
    ) {
        let link = Self.link(in: arguments)
        let options = link.map { [LaunchOptionsKey.url: $0 as Any] }
        setState(.inactive)
        let isWanted = delegate.application(self, willFinishLaunchingWithOptions: options)
        self.delegate = delegate
        let isWantedStill = delegate.application(self, didFinishLaunchingWithOptions: options)
        delegate.applicationDidFinishLaunching(self)
        post(Self.didFinishLaunchingNotification)
        if let link, isWanted, isWantedStill {
            _ = delegate.application(self, open: link, options: [:])
        }
        setState(.active)
        delegate.applicationDidBecomeActive(self)
        post(Self.didBecomeActiveNotification)
    }

    /// The first argument that is a link, and not an option or a path.
    private static func link(in arguments: [String]) -> URL? {
        arguments.dropFirst().lazy.filter { !$0.hasPrefix("-") }
            .compactMap { URL(string: $0) }.first { $0.scheme != nil }
    }

    private static func terminating(_ number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler {
            MainActor.assumeIsolated {
                shared.delegate?.applicationWillTerminate(shared)
                shared.post(willTerminateNotification)
            }
            exit(0)
        }
        source.resume()
        return source
    }

    private func post(_ name: NSNotification.Name) {
        NotificationCenter.default.post(name: name, object: self)
    }
}
