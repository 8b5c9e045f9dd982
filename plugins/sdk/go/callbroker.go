// Package callbroker connects a program to CallBroker, the call system of a Linux host. It needs
// nothing but the standard library.
//
// A Provider is an app that owns calls, a controller asks for things to be done to calls, an
// Observer watches them, a Screen shows them. Each opens a session, and renews it when it is lost.
//
// Requests, notifications and their members have their names of the wire: `callbroker methods`
// lists them, `callbroker describe NAME` explains them. Ids are UUIDs in lower case, members that end
// in _ms are durations in milliseconds, those in _at_ms Unix times in milliseconds.
//
// All methods may be called from any goroutine. Functions given to Perform, Handle, On and the like
// are set before Open or Run.
package callbroker

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// Version is the release of this package.
const Version = "0.1.0"

// Object is an object of JSON: the members of a request, a result, a call or an event.
type Object map[string]any

// Handle is a remote address: Type is phone, email or generic, Value has at most 256 bytes.
type Handle struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Phone returns the address of a telephone, best written with + and the country's code.
func Phone(number string) Handle { return Handle{"phone", number} }

// Generic returns any other address, such as a SIP URI.
func Generic(address string) Handle { return Handle{"generic", address} }

// NewID returns a fresh id for a call or a transaction.
func NewID() string {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic("callbroker: the system has no random numbers: " + err.Error())
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// DefaultSocket returns the path where the broker listens, unless BROKER_SOCKET names another.
func DefaultSocket() string {
	if path := os.Getenv("BROKER_SOCKET"); path != "" {
		return path
	}
	if folder := os.Getenv("XDG_RUNTIME_DIR"); folder != "" {
		return filepath.Join(folder, "callbroker", "broker.sock")
	}
	if os.Getuid() == 0 {
		return "/run/callbroker/broker.sock"
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("callbroker-%d", os.Getuid()), "broker.sock")
}

// Stdio returns the connection of a plugin that the broker started with `"transport": "stdio"`, for
// Options.Conn. From then on os.Stdout is standard error, which the broker keeps as the plugin's
// log.
func Stdio() (net.Conn, error) {
	conn, err := net.FileConn(os.Stdin)
	if err != nil {
		return nil, fmt.Errorf("standard input is not a socket of the broker: %w", err)
	}
	os.Stdout = os.Stderr
	return conn, nil
}

// Text returns a member that is a string, or nothing.
func (o Object) Text(name string) string {
	text, _ := o[name].(string)
	return text
}

// Integer returns a member that is a number, or 0.
func (o Object) Integer(name string) int64 {
	number, _ := o[name].(float64)
	return int64(number)
}

// Flag returns a member that is true or false, or false.
func (o Object) Flag(name string) bool {
	flag, _ := o[name].(bool)
	return flag
}

// Object returns a member that is an object, or nil, which has no members.
func (o Object) Object(name string) Object { return object(o[name]) }

// Objects returns the objects in a member that is a list.
func (o Object) Objects(name string) []Object {
	list, _ := o[name].([]any)
	var found []Object
	for _, one := range list {
		if one := object(one); one != nil {
			found = append(found, one)
		}
	}
	return found
}

// Texts returns the strings in a member that is a list.
func (o Object) Texts(name string) []string {
	list, _ := o[name].([]any)
	var found []string
	for _, one := range list {
		if text, isText := one.(string); isText {
			found = append(found, text)
		}
	}
	return found
}

// Decode fills a struct, as encoding/json does.
func (o Object) Decode(into any) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func object(value any) Object {
	switch members := value.(type) {
	case map[string]any:
		return members
	case Object:
		return members
	}
	return nil
}

// parsed returns the object that a text is, or an empty one.
func parsed(text json.RawMessage) Object {
	var members Object
	if json.Unmarshal(text, &members) != nil || members == nil {
		return Object{}
	}
	return members
}

// with returns the members of several objects; later ones count.
func with(parts ...Object) Object {
	whole := Object{}
	for _, part := range parts {
		for name, value := range part {
			whole[name] = value
		}
	}
	return whole
}
