// The names are those that apps know.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public let CXErrorDomain = "com.apple.CallKit.error"
public let CXErrorDomainIncomingCall = "com.apple.CallKit.error.incomingcall"
public let CXErrorDomainRequestTransaction = "com.apple.CallKit.error.requesttransaction"
public let CXErrorDomainCallDirectoryManager = "com.apple.CallKit.error.calldirectorymanager"
public let CXErrorDomainNotificationServiceExtension =
    "com.apple.CallKit.error.notificationserviceextension"
