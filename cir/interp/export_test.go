package interp

// HasSection reports whether a function of the models has a rule for its atomic sections, and HasRole, whether it is said how its
// accesses count.
func HasSection(name string) bool { _, ok := sections[name]; return ok }

// HasRole is for names that sections work on.
func HasRole(name string) bool { return roles[name] != noRole }
