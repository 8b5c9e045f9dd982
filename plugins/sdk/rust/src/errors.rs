//! What can go wrong, and what a handler refuses with.

use serde_json::{json, Value};
use std::{fmt, io, sync::Arc};

/// The number of an error reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code(pub i64);

macro_rules! codes {
    ($($constant:ident $name:literal $number:literal)*) => {
        #[allow(missing_docs)]
        impl Code {
            $(pub const $constant: Code = Code($number);)*

            /// Returns the name of a code, such as `invalid_state`; `broker_error` for a newer one.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $($number => $name,)*
                    _ => "broker_error",
                }
            }
        }
    };
}

codes! {
    PARSE_ERROR "parse_error" -32700
    INVALID_REQUEST "invalid_request" -32600
    METHOD_NOT_FOUND "method_not_found" -32601
    INVALID_PARAMS "invalid_params" -32602
    INTERNAL "internal" -32603
    BROKER_ERROR "broker_error" -32000
    HELLO_REQUIRED "hello_required" -32002
    PERMISSION_DENIED "permission_denied" -32003
    NOT_FOUND "not_found" -32004
    ALREADY_EXISTS "already_exists" -32005
    INVALID_STATE "invalid_state" -32006
    LIMIT_REACHED "limit_reached" -32007
    FILTERED "filtered" -32008
    DEADLINE_EXCEEDED "deadline_exceeded" -32009
    CANCELLED "cancelled" -32010
    FRAME_LIMIT "frame_limit" -32011
    OVERLOADED "overloaded" -32012
    PROVIDER_FAILED "provider_failed" -32013
    PROVIDER_GONE "provider_gone" -32014
    VERSION_UNSUPPORTED "version_unsupported" -32015
    STOPPING "stopping" -32018
}

/// An error reply of the broker. Decide by `code` and `reason`; the message is for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Its kind.
    pub code: Code,
    /// A stable word in snake_case; perhaps empty.
    pub reason: String,
    /// For people.
    pub message: String,
    /// Whether the same may be possible later.
    pub retryable: bool,
    /// rule, limit, blocking, hint, field, provider_error, ...
    pub data: Value,
}

impl Refusal {
    /// Reads an error of any shape.
    pub(crate) fn new(error: &Value) -> Refusal {
        let data = if error["data"].is_object() { error["data"].clone() } else { json!({}) };
        Refusal {
            code: error["code"].as_i64().map_or(Code::BROKER_ERROR, Code),
            reason: crate::text(&data, "reason").to_owned(),
            message: crate::text(error, "message").to_owned(),
            retryable: data["retryable"] == true,
            data,
        }
    }
}

/// Why something was not done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The broker has refused it.
    Refused(Box<Refusal>),
    /// There is no connection, or it was lost before the reply: the request may have been done.
    Disconnected,
    /// There was no reply in time, and the request was taken back.
    TakenBack(String),
    /// There is no broker at the socket, or its connection has failed.
    Io(Arc<io::Error>),
    /// The program's list of live calls has failed.
    Reconcile(String),
}

impl Error {
    /// Returns what the broker has replied, if it has.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// Returns the code of the broker's reply, if there was one.
    pub fn code(&self) -> Option<Code> {
        self.refusal().map(|refusal| refusal.code)
    }

    /// Returns the reason of the broker's reply, or nothing.
    pub fn reason(&self) -> &str {
        self.refusal().map_or("", |refusal| &refusal.reason)
    }

    pub(crate) fn refused(code: Code, message: &str, data: Value) -> Error {
        let error = json!({"code": code.0, "message": message, "data": data});
        Error::Refused(Box::new(Refusal::new(&error)))
    }

    /// Whether another try would change nothing.
    pub(crate) fn is_hopeless(&self) -> bool {
        const PASSING: [Code; 3] = [Code::ALREADY_EXISTS, Code::OVERLOADED, Code::STOPPING];
        match self {
            Error::Refused(refusal) => !refusal.retryable && !PASSING.contains(&refusal.code),
            Error::Reconcile(_) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(one) if one.reason.is_empty() => to.write_str(&one.message),
            Error::Refused(one) => write!(to, "{} ({})", one.message, one.reason),
            Error::Disconnected => to.write_str("there is no connection to the broker"),
            Error::TakenBack(method) => write!(to, "no reply to {method} in time"),
            Error::Io(error) => write!(to, "no connection to the broker: {error}"),
            Error::Reconcile(why) => write!(to, "the live calls are unknown: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(Arc::new(error))
    }
}

/// What a handler returns to refuse what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// A stable word in snake_case.
    pub reason: String,
    /// For people.
    pub message: String,
    /// The code of the app's protocol or network, such as "SIP 486": the broker knows its reason.
    pub app_code: Option<String>,
    /// Usually [`Code::BROKER_ERROR`].
    pub code: Code,
}

impl Default for Failed {
    fn default() -> Failed {
        Failed {
            reason: "unspecified".into(),
            message: String::new(),
            app_code: None,
            code: Code::BROKER_ERROR,
        }
    }
}

impl Failed {
    /// Refuses for a reason.
    pub fn new(reason: &str) -> Failed {
        Failed { reason: reason.into(), ..Failed::default() }
    }

    /// Adds a message for people.
    pub fn message(self, message: &str) -> Failed {
        Failed { message: message.into(), ..self }
    }

    /// Adds a code of the app's protocol or network.
    pub fn app_code(self, code: &str) -> Failed {
        Failed { app_code: Some(code.into()), ..self }
    }

    pub(crate) fn unsupported(name: &str) -> Failed {
        let code = Code::METHOD_NOT_FOUND;
        Failed { code, ..Failed::new("not_supported").message(&format!("{name} is not supported")) }
    }

    pub(crate) fn cancelled() -> Failed {
        Failed { code: Code::CANCELLED, ..Failed::new("cancelled").message("cancelled") }
    }

    pub(crate) fn broken() -> Failed {
        Failed { code: Code::INTERNAL, ..Failed::new("internal").message("the handler failed") }
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut data = json!({"reason": self.reason});
        if let Some(code) = &self.app_code {
            data["app_code"] = json!(code);
        }
        json!({"code": self.code.0, "message": self.message, "data": data})
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.message.is_empty() { &self.reason } else { &self.message };
        to.write_str(text)
    }
}

impl std::error::Error for Failed {}

/// A request of the handler's own was not done.
impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        match error {
            Error::Refused(one) => Failed::new(&one.reason).message(&one.message),
            _ => Failed::broken(),
        }
    }
}
