internal import CallModel

/// The schemas of the settings of lines.
enum LineSettingSchemas {
    /// A setting as an app reports it.
    static let setting: [Member] =
        [.required("setting", .words(LineSetting.Kind.self, isOpen: true), kindText)] + values

    /// A setting as a user changes it.
    static let change: [Member] =
        [.required("setting", .words(LineSetting.Kind.self), kindText)] + values

    private static let kindText =
        "`forward_always`, or while the line is in a call (`forward_busy`), does not answer "
        + "(`forward_no_reply`), or cannot be reached (`forward_unreachable`); `call_waiting`; "
        + "`caller_id_hidden`"

    private static let values: [Member] = [
        .required("on", .boolean, "whether the setting is on"),
        .optional("to", .handle, "where calls are forwarded"),
        .optional(
            "after_ms", .integer(1_000...120_000),
            "the time after which forward_no_reply forwards; the network's if left out"),
    ]
}
