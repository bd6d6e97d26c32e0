package contract

import "testing"

// TestLends asks which arguments functions forget.
func TestLends(t *testing.T) {
	for _, c := range []struct {
		name string
		arg  int
		want bool
	}{
		{"read", 1, true}, {"write", 1, true}, {"accept", 1, true}, {"accept", 2, true}, {"stat", 1, true}, {"clock_gettime", 1, true},
		{"snprintf", 0, true}, {"snprintf", 2, true}, {"snprintf", 3, true}, {"sscanf", 0, true}, {"sscanf", 5, true}, {"strcpy", 0, true}, {"memchr", 0, true},
		{"strtol", 0, false}, {"strtol", 1, false}, // into the argument
		{"setvbuf", 1, false}, {"putenv", 0, false}, {"pthread_setspecific", 1, false}, {"open_memstream", 0, false}, // kept
		{"qsort", 0, false}, {"pthread_create", 0, false}, {"pthread_create", 3, false}, {"sigaction", 1, false}, // called
		{"fread", 0, false}, {"fgets", 0, false}, {"printf", 1, false}, // a stream may be the program's own (fopencookie)
		{"free", 0, false}, {"getline", 0, false}, {"vsnprintf", 3, false}, {"aio_read", 0, false}, {"stat", 2, false}, {"read", 3, false},
	} {
		f, ok := Lookup(c.name)
		if !ok {
			t.Errorf("no contract of %s", c.name)
		} else if got := f.Borrows(c.arg); got != c.want {
			t.Errorf("%s, argument %d: %v", c.name, c.arg, got)
		}
	}
}
