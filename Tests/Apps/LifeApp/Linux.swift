// The target's only file of its own: the app is in `App`, as it would be elsewhere.
