package interp

import "comus/cir/interp/happens"

// hiddenState is an object of the library's that a function accesses and nobody sees. Functions that have one are those that
// POSIX.1-2017 does not require to be thread-safe (XSH 2.9.1), and those that C11 does not require to avoid data races:
// rand and srand (7.22.2), setlocale and localeconv (7.11), strtok (7.24.5.8), strerror (7.24.6.2), the functions
// that return a broken-down time or a text of one (7.27.3, "with each other"), multibyte functions with a state of their own
// (7.22.7, 7.29.6), tmpnam(NULL) (7.21.4.4). getenv may be called by many threads unless somebody
// changes the environment (7.22.4.6, POSIX getenv). The locale matters to many functions, which setlocale may be in the way of (7.11.1.1). Functions
// with a state for each stream or directory are told apart by that argument.
//
// Functions of streams lock theirs (7.21.2): they race with those that do not, and with the end of the stream.
type hiddenState struct {
	object string
	read   bool // it does not change the object
	locked bool // of a stream: it holds the stream's lock
	arg    int  // 1 + the argument that says which object
	null   int  // only if this argument (from 1) is null
	given  int  // only if this argument (from 1) is not null
}

// hiddenStates are these functions.
var hiddenStates = func() map[string][]hiddenState {
	m := map[string][]hiddenState{}
	each := func(s hiddenState, names ...string) {
		for _, n := range names {
			t := s
			if s.object == "" {
				t.object = n
			}
			m[n] = append(m[n], t)
		}
	}
	streams(each)
	each(hiddenState{}, "strerror", "strsignal", "strtok", "basename", "dirname", "l64a", "localeconv", "dlerror", "getlogin", "ttyname", "ptsname",
		"inet_ntoa", "gcvt", "ecvt", "fcvt", "crypt", "encrypt", "setkey", "catgets", "nl_langinfo", "system", "ftw", "nftw", "getdate",
		"mblen", "mbtowc", "wctomb", "wcstombs")
	each(hiddenState{object: "the state of rand"}, "rand", "srand")
	each(hiddenState{object: "the state of drand48"}, "drand48", "lrand48", "mrand48", "srand48", "seed48", "lcong48")
	each(hiddenState{object: "the broken-down time"}, "localtime", "gmtime", "asctime", "ctime")
	each(hiddenState{object: theEnvironment}, "setenv", "unsetenv", "putenv", "clearenv")
	each(hiddenState{object: theEnvironment, read: true}, "getenv", "secure_getenv")
	each(hiddenState{object: "the state of getopt"}, "getopt", "getopt_long", "getopt_long_only")
	each(hiddenState{object: "the locale", given: 2}, "setlocale") // otherwise it asks, and glibc only reads
	each(hiddenState{object: "the locale", read: true, null: 2}, "setlocale")
	each(hiddenState{object: "the locale", read: true}, "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf",
		"scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf", "strtod", "strtof", "strtold", "atof", "strcoll", "strxfrm", "strftime")
	each(hiddenState{object: "the hash table"}, "hcreate", "hdestroy", "hsearch")
	each(hiddenState{object: "the sign of gamma"}, "lgamma", "lgammaf", "lgammal", "gamma")
	each(hiddenState{object: "the group database"}, "getgrent", "setgrent", "endgrent", "getgrgid", "getgrnam")
	each(hiddenState{object: "the user database"}, "getpwent", "setpwent", "endpwent", "getpwuid", "getpwnam")
	each(hiddenState{object: "the login database"}, "getutxent", "getutxid", "getutxline", "pututxline", "setutxent", "endutxent")
	each(hiddenState{object: "the network database"}, "gethostbyaddr", "gethostbyname", "gethostent", "sethostent", "endhostent",
		"getnetbyaddr", "getnetbyname", "getnetent", "getprotobyname", "getprotobynumber", "getprotoent",
		"getservbyname", "getservbyport", "getservent")
	each(hiddenState{object: "a directory stream", arg: 1}, "readdir")
	each(hiddenState{null: 1}, "tmpnam", "ctermid")
	each(hiddenState{null: 3}, "mbrlen", "wcrtomb")
	each(hiddenState{null: 4}, "mbrtowc", "mbsrtowcs", "wcsrtombs")
	return m
}()

// theEnvironment is also what environ leads to, and the strings that getenv returns.
const theEnvironment = "the environment"

// hiddenKey is an object of the library's.
type hiddenKey struct {
	name string
	obj  *Object
	off  uint64
}

// call notes what a call of a function accesses that nobody sees. The function is the library's, or has no body.
func (r *races) call(t *thread, f *frame, s *callSite, c *fn) {
	if f.fn.f.Library || len(c.f.Blocks) > 0 && !c.f.Library {
		return
	}
	for _, h := range hiddenStates[c.name()] {
		if !h.concerns(f, s) || h.locked && r.waitsForStreams() {
			continue
		}
		key := hiddenKey{name: h.object}
		if h.arg > 0 && h.arg <= len(s.args) {
			p := f.s[s.args[h.arg-1]]
			if isNull(p) {
				continue
			}
			key.obj, key.off = p.obj, p.lo
		} else if _, ok := standardStreams[h.object]; ok {
			key = r.standard(h.object)
		}
		r.hiddenAccess(t, f, key, !h.read, h.locked)
	}
}

// concerns reports whether a call is one with the arguments that it is about.
func (h *hiddenState) concerns(f *frame, s *callSite) bool {
	null := func(n int) bool { return isNull(f.s[s.args[n-1]]) }
	return (h.null == 0 || h.null <= len(s.args) && null(h.null)) && (h.given == 0 || h.given <= len(s.args) && !null(h.given))
}

// isNull reports whether a pointer is null.
func isNull(p slot) bool { return p.obj == nil && p.lo == 0 }

// hiddenAccess notes an access of an object of the library's.
func (r *races) hiddenAccess(t *thread, f *frame, key hiddenKey, write, atomic bool) {
	if r.m.opt.Observer != nil {
		r.m.touches(placeOfHidden(key.name), 1, write)
	}
	mem := r.hidden[key]
	if mem == nil {
		mem = &happens.Memory{}
		r.hidden[key] = mem
	}
	kind, where := happens.KindOf(write, atomic), r.m.places.of(f)
	mem.Access(t.hb.Thread, 0, 1, kind, where, func(_ int64, old happens.Access) {
		r.keep(t, nil, Race{Object: key.name, Hidden: true}, old, kind, where)
	})
}
