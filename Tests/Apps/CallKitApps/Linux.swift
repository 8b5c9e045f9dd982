// The target's only file of its own: the apps are in `App`, as they would be elsewhere.
