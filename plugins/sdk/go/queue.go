package callbroker

import (
	"errors"
	"sync"
)

const toldWaiting = 10_000 // notifications that nobody has looked at

var errNotRead = errors.New("notifications come faster than the program takes them")

// A queue calls functions one after the other.
type queue struct {
	mu      sync.Mutex
	more    sync.Cond
	waiting []func()
	isOver  bool
	fault   func(error)
}

func newQueue(fault func(error)) *queue {
	q := &queue{fault: fault}
	q.more.L = &q.mu
	return q
}

func (q *queue) add(work func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isOver {
		q.waiting = append(q.waiting, work)
		q.more.Signal()
	}
}

func (q *queue) isFull() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) >= toldWaiting
}

func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.isOver = true
	q.more.Signal()
}

func (q *queue) run() {
	for work := q.next(); work != nil; work = q.next() {
		if err := safely(func() error {
			work()
			return nil
		}); err != nil {
			q.fault(err)
		}
	}
}

func (q *queue) next() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.isOver {
		q.more.Wait()
	}
	if len(q.waiting) == 0 {
		return nil
	}
	work := q.waiting[0]
	q.waiting = q.waiting[1:]
	return work
}
