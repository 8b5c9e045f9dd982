// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The domain of `CXError`.
public let CXErrorDomain = "com.apple.CallKit.error"
/// The domain of `CXErrorCodeIncomingCallError`.
public let CXErrorDomainIncomingCall = "com.apple.CallKit.error.incomingcall"
/// The domain of `CXErrorCodeRequestTransactionError`.
public let CXErrorDomainRequestTransaction = "com.apple.CallKit.error.requesttransaction"
/// The domain of `CXErrorCodeCallDirectoryManagerError`.
public let CXErrorDomainCallDirectoryManager = "com.apple.CallKit.error.calldirectorymanager"
/// The domain of `CXErrorCodeNotificationServiceExtensionError`.
public let CXErrorDomainNotificationServiceExtension =
    "com.apple.CallKit.error.notificationserviceextension"
