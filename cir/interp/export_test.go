package interp

// HasSection reports whether a function of the models has a rule for its atomic sections, and HasRole, whether it is said how its
// accesses count.
func HasSection(name string) bool { return sections[name] != nil }

// HasRole is for names that sections work on.
func HasRole(name string) bool { return roles[name] != noRole }
