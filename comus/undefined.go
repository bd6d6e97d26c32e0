package comus

import (
	"errors"
	"fmt"
	"slices"

	"comus/cir/interp"
	"comus/replay"
	"comus/specialise"
)

// An engine may find an execution that is one of the program, but in which the program first does what C leaves undefined: it is no violation, as what comes after that means
// nothing. No proof counts any more, as all of them take for granted that this does not happen. Another execution may still be a violation.

// undefinedError is the error that a question is undecided, as the program does what C leaves undefined in an execution that an engine has found.
type undefinedError struct{ what string }

// Error says what the program does.
func (u *undefinedError) Error() string { return u.what }

// propertyOf returns the property that what C leaves undefined is about, "" if there is none.
func propertyOf(check string) string {
	for _, name := range specialise.CheckNames {
		if slices.Contains(undefinedBy[name], check) {
			return name
		}
	}
	if check == interp.CheckBounds || check == interp.CheckCall {
		return specialise.Memory
	}
	return ""
}

// undefinedIn says what the program does that C leaves undefined, if an error tells of that; "" otherwise. A value that nobody has written is some value, if the property that
// is asked about is not about that.
func undefinedIn(err error) string {
	if u := (*undefinedError)(nil); errors.As(err, &u) {
		return u.what
	}
	u := (*replay.Undefined)(nil)
	if !errors.As(err, &u) || u.Check == interp.CheckUninit {
		return ""
	}
	return "in an execution that was found, the program first does what C leaves undefined: " + u.What + asksAbout(u.Check)
}

// asksAbout says which property what C leaves undefined is about.
func asksAbout(check string) string {
	if name := propertyOf(check); name != "" {
		return fmt.Sprintf(" (--check=%s asks about that)", name)
	}
	return ""
}
