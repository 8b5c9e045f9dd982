package callbroker

import "context"

// A Screen shows calls and takes the user's wishes. Once it has claimed, calls come to Present.
type Screen struct {
	*Observer
	claimed Object // nil: not yet, or released
}

// NewScreen returns a screen, which watches calls as an Observer does.
func NewScreen(name string, watched ObserverOptions, options Options) *Screen {
	s := &Screen{Observer: NewObserver(name, watched, orRoles(options, "ui", "controller", "observer"))}
	s.kind = &showing{(*watching)(s.Observer), s}
	return s
}

// Present is given calls to show {call, ...}. It returns false for those that the user cannot see
// here, which another screen may show.
func (s *Screen) Present(present func(ctx context.Context, params Object) (bool, error)) {
	s.Handle("ui.present", func(ctx context.Context, params Object) (Object, error) {
		isPresented, err := present(ctx, params)
		return Object{"presented": isPresented}, err
	})
}

// OnDismiss adds a function for calls that are to be shown no longer.
func (s *Screen) OnDismiss(then func(call string)) {
	s.On("ui.dismiss", func(params Object) { then(params.Text("call")) })
}

// Ask is given what an app would like to be allowed, with the feature `ask`. It returns allow, deny or
// later.
func (s *Screen) Ask(ask func(ctx context.Context, params Object) (string, error)) {
	s.Handle("ui.ask", func(ctx context.Context, params Object) (Object, error) {
		answer, err := ask(ctx, params)
		return Object{"answer": answer}, err
	})
}

// Claim wants to present calls, in every new session again. The result says whether it is `primary`.
// The screen of a plugin is claimed by its manifest.
func (s *Screen) Claim(ctx context.Context, members Object) (Object, error) {
	result, err := s.Request(ctx, "ui.claim", members)
	if err == nil {
		s.mu.Lock()
		s.claimed = with(members)
		s.mu.Unlock()
	}
	return result, err
}

// Release leaves that to another.
func (s *Screen) Release(ctx context.Context) (Object, error) {
	s.mu.Lock()
	s.claimed = nil
	s.mu.Unlock()
	return s.Request(ctx, "ui.release", nil)
}

type showing struct {
	*watching
	screen *Screen
}

func (s *showing) opened() error {
	if err := s.watching.opened(); err != nil {
		return err
	}
	s.mu.Lock()
	claimed := s.screen.claimed
	s.mu.Unlock()
	if claimed == nil {
		return nil
	}
	_, err := s.opening("ui.claim", claimed, nil)
	return err
}
