package callbroker

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

// Code is the number of an error reply.
type Code int

// The broker's codes, and what a handler may refuse with.
const (
	CodeParseError         Code = -32700
	CodeInvalidRequest     Code = -32600
	CodeMethodNotFound     Code = -32601
	CodeInvalidParams      Code = -32602
	CodeInternal           Code = -32603
	CodeBrokerError        Code = -32000
	CodeHelloRequired      Code = -32002
	CodePermissionDenied   Code = -32003
	CodeNotFound           Code = -32004
	CodeAlreadyExists      Code = -32005
	CodeInvalidState       Code = -32006
	CodeLimitReached       Code = -32007
	CodeFiltered           Code = -32008
	CodeDeadlineExceeded   Code = -32009
	CodeCancelled          Code = -32010
	CodeFrameLimit         Code = -32011
	CodeOverloaded         Code = -32012
	CodeProviderFailed     Code = -32013
	CodeProviderGone       Code = -32014
	CodeVersionUnsupported Code = -32015
	CodeStopping           Code = -32018
)

var codeNames = map[Code]string{
	CodeParseError: "parse_error", CodeInvalidRequest: "invalid_request",
	CodeMethodNotFound: "method_not_found", CodeInvalidParams: "invalid_params",
	CodeInternal: "internal", CodeBrokerError: "broker_error",
	CodeHelloRequired: "hello_required", CodePermissionDenied: "permission_denied",
	CodeNotFound: "not_found", CodeAlreadyExists: "already_exists",
	CodeInvalidState: "invalid_state", CodeLimitReached: "limit_reached",
	CodeFiltered: "filtered", CodeDeadlineExceeded: "deadline_exceeded",
	CodeCancelled: "cancelled", CodeFrameLimit: "frame_limit", CodeOverloaded: "overloaded",
	CodeProviderFailed: "provider_failed", CodeProviderGone: "provider_gone",
	CodeVersionUnsupported: "version_unsupported", CodeStopping: "stopping",
}

// String returns the name of a code, such as invalid_state; broker_error for a newer one.
func (c Code) String() string {
	if name, isKnown := codeNames[c]; isKnown {
		return name
	}
	return codeNames[CodeBrokerError]
}

// ErrDisconnected means that there is no connection, or that it was lost before the reply: the
// request may have been done.
var ErrDisconnected = errors.New("callbroker: not connected")

// Error is an error reply of the broker: find it with errors.As, and decide by Code and Reason. The
// message is for people.
type Error struct {
	Code      Code
	Message   string
	Reason    string
	Retryable bool
	Data      Object // rule, limit, blocking, hint, field, provider_error, ...
}

func (e *Error) Error() string {
	if e.Reason == "" {
		return e.Message
	}
	return e.Message + " (" + e.Reason + ")"
}

// Reason returns the reason of a broker's error, or nothing if err is another one.
func Reason(err error) string {
	var reply *Error
	if errors.As(err, &reply) {
		return reply.Reason
	}
	return ""
}

// TakenBack means that there was no reply in time, or that the context of the request ended. It
// wraps the error of the context.
type TakenBack struct {
	Method string
	Cause  error
}

func (e *TakenBack) Error() string { return fmt.Sprintf("no reply to %s: %v", e.Method, e.Cause) }
func (e *TakenBack) Unwrap() error { return e.Cause }

// Failed is what a handler returns to refuse what was asked.
type Failed struct {
	Reason  string // a stable word in snake_case; unspecified if empty
	Message string // for people
	AppCode string // of the app's protocol or network, such as "SIP 486": the broker knows its reason
	Code    Code   // broker_error if 0
}

func (f *Failed) Error() string {
	for _, text := range []string{f.Message, strings.ReplaceAll(f.Reason, "_", " "), f.AppCode} {
		if text != "" {
			return text
		}
	}
	return "unspecified"
}

func (f *Failed) object() Object {
	code, data := f.Code, Object{"reason": f.Reason}
	if code == 0 {
		code = CodeBrokerError
	}
	if f.Reason == "" {
		data["reason"] = "unspecified"
	}
	if f.AppCode != "" {
		data["app_code"] = f.AppCode
	}
	return Object{"code": code, "message": f.Message, "data": data}
}

func unsupported(name string) *Failed {
	return &Failed{Code: CodeMethodNotFound, Reason: "not_supported", Message: name + " is not supported"}
}

var (
	cancelled = &Failed{Code: CodeCancelled, Reason: "cancelled", Message: "cancelled"}
	broken    = &Failed{Code: CodeInternal, Reason: "internal", Message: "the handler failed"}
)

// newError reads an error of any shape.
func newError(value any) *Error {
	members := object(value)
	code, isNumber := members["code"].(float64)
	if !isNumber {
		code = float64(CodeBrokerError)
	}
	data := members.Object("data")
	if data == nil {
		data = Object{}
	}
	return &Error{Code: Code(code), Message: members.Text("message"), Reason: data.Text("reason"),
		Retryable: data.Flag("retryable"), Data: data}
}

// isHopeless reports whether another try would change nothing.
func isHopeless(err error) bool {
	var reply *Error
	var takenBack *TakenBack
	var network net.Error
	switch {
	case errors.As(err, &reply):
		isPassing := reply.Code == CodeAlreadyExists || reply.Code == CodeOverloaded ||
			reply.Code == CodeStopping
		return !reply.Retryable && !isPassing
	case errors.Is(err, ErrDisconnected), errors.Is(err, io.EOF), errors.As(err, &takenBack):
		return false
	}
	return !errors.As(err, &network)
}
