package callbroker

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"sync"
	"time"
)

const (
	frameBytes         = 65_536    // of what is sent, the line feed included
	frameBytesReceived = 1_048_576 // only rpc.discover comes near it
	outputBytes        = 1_048_576 // that the broker has not read yet
	hangingUp          = 2 * time.Second
)

var errLineTooLong = errors.New("the broker sent a line without an end")

// A connection cuts what comes into lines, and writes without blocking whoever sends.
type connection struct {
	socket  net.Conn
	mu      sync.Mutex
	more    sync.Cond
	waiting []byte
	isLast  bool // nothing is sent behind what waits
}

func newConnection(socket net.Conn) *connection {
	c := &connection{socket: socket}
	c.more.L = &c.mu
	return c
}

// send queues a line; false if the broker does not read.
func (c *connection) send(line []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > outputBytes {
		return false
	}
	if !c.isLast {
		c.waiting = append(c.waiting, line...)
		c.more.Signal()
	}
	return true
}

// hangUp closes behind what waits, and gives the broker a moment to read it.
func (c *connection) hangUp() {
	c.socket.SetWriteDeadline(time.Now().Add(hangingUp))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isLast = true
	c.more.Signal()
}

// drop closes at once.
func (c *connection) drop() {
	c.socket.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isLast, c.waiting = true, nil
	c.more.Signal()
}

// write sends what waits, until the connection is dropped or hung up.
func (c *connection) write() {
	defer c.drop()
	for {
		line := c.next()
		if line == nil {
			return
		}
		if _, err := c.socket.Write(line); err != nil {
			return
		}
	}
}

func (c *connection) next() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) == 0 && !c.isLast {
		c.more.Wait()
	}
	line := c.waiting
	c.waiting = nil
	return line
}

// read passes on each line until the connection ends; what is left then counts as one.
func (c *connection) read(take func(line []byte)) error {
	defer c.drop()
	reader := bufio.NewReader(c.socket)
	var line []byte
	for {
		piece, err := reader.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > frameBytesReceived {
			return errLineTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			take(line)
		}
		if err != nil {
			return err
		}
		line = nil
	}
}
