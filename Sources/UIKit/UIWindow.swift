/// Stands for the window that an app delegate makes. It shows nothing, but its controller's methods
/// are called, because many apps begin their calls in them.
@MainActor
open class UIWindow: NSObject {
    private var isVisible = false

    /// The controller of the window, whose methods are called once the window is visible.
    open var rootViewController: UIViewController? {
        didSet { if isVisible { rootViewController?.appear() } }
    }

    /// Makes a window, which shows nothing.
    nonisolated override public init() {
        super.init()
    }

    /// Makes a window, which shows nothing.
    ///
    /// - Parameter frame: ignored.
    public init(frame: CGRect) {
        super.init()
    }

    /// Calls `viewDidLoad`, `viewWillAppear` and `viewDidAppear` of the controller, once.
    open func makeKeyAndVisible() {
        guard !isVisible else { return }
        isVisible = true
        rootViewController?.appear()
    }
}

/// A controller without views: only the calls that an app makes in its methods.
@MainActor
open class UIViewController: NSObject {
    private var isLoaded = false

    /// A title for the app's own use.
    open var title: String?
    /// Whether `viewDidLoad` was called.
    open var isViewLoaded: Bool { isLoaded }
    /// The controller that was presented last and not dismissed.
    open private(set) var presentedViewController: UIViewController?

    /// Makes a controller.
    nonisolated override public init() {
        super.init()
    }

    /// Makes a controller. There are no interface files here.
    ///
    /// - Parameters:
    ///   - nibNameOrNil: ignored.
    ///   - nibBundleOrNil: ignored.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    /// Makes a controller. There are no interface files here that would call it.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// Called once, when the window becomes visible or the controller is presented.
    open func viewDidLoad() {}
    /// Called after `viewDidLoad`.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after `viewWillAppear`.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called when the controller is dismissed.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called after `viewWillDisappear`.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Calls `viewDidLoad`, unless it was called before.
    open func loadViewIfNeeded() {
        guard !isLoaded else { return }
        isLoaded = true
        viewDidLoad()
    }

    /// Shows nothing, and calls the methods of the other controller as if it appeared.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.appear()
        completion?()
    }

    /// Calls the methods of the presented controller as if it disappeared.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        presentedViewController?.viewWillDisappear(flag)
        presentedViewController?.viewDidDisappear(flag)
        presentedViewController = nil
        completion?()
    }

    func appear() {
        loadViewIfNeeded()
        viewWillAppear(false)
        viewDidAppear(false)
    }
}

/// The screen that an app delegate asks for the size of its window.
@MainActor
open class UIScreen: NSObject {
    /// The one screen of the process.
    public static let main = UIScreen()

    /// Always empty: this module draws nothing.
    open var bounds: CGRect { .zero }
}
