package world

import (
	"strings"

	"comus/cir/interp"
)

// functions are those of which it is known here what else than failing they may do. A name ending in 64 means the same function. What
// takes a descriptor that the world has not handed out fails.
var functions map[string]function

func init() {
	message := func(i int) function {
		return function{i + 1, func(c *call) (interp.Value, bool, error) { return c.args[i], true, nil }}
	}
	nothing := function{0, func(*call) (interp.Value, bool, error) { return number(0) }}
	path := function{1, (*call).onPath}
	functions = map[string]function{
		"prctl": {1, prctl}, "getopt_any": {3, getopt}, "getopt_long_any": {5, getopt},
		"to_date": {2, toDate}, "to_text": {2, toText}, "strftime": {4, strftime},
		"access": path, "mkdir": path, "unlink": path, "rmdir": path, "chdir": path, "mkfifo": path, "stat": {2, stat}, "lstat": {2, stat}, "opendir": {1, noFolder},
		"openlog": nothing, "closelog": nothing, "syslog": nothing, "vsyslog": nothing,
		"socket": {3, socket}, "bind": {3, bind}, "listen": {2, listen}, "setsockopt": {5, setsockopt}, "fcntl": {2, control},
		"epoll_create": {1, epollCreate}, "epoll_create1": {1, epollCreate}, "epoll_ctl": {4, epollControl}, "epoll_wait": {4, epollWait},
		"eventfd": {2, eventDescriptor}, "close": {1, closeIt}, "read": {3, readFile}, "sendto": {6, send},
		"sign": {2, sign}, "strcmp": {2, compare}, "strncmp": {3, compare}, "strcasecmp": {2, compare}, "strncasecmp": {3, compare}, "strstr": {2, compare}, "memcmp": {3, compare},
		"shmget": {3, shmget}, "shmat": {3, shmat}, "uname": {1, uname}, "inet_pton": {3, presentation}, "fopen": {2, openStream}, "descriptor_of_file": {2, descriptorOfFile}, "open": {2, openFile}, "bytes_of_file": {4, bytesOfFile}, "any_value": {1, anyValue},
		"accept": {3, accept}, "accept4": {3, accept}, "recv": {4, receive}, "send": {4, sendAll}, "shutdown": {2, shutdown}, "select": {5, selectFiles}, "poll": {3, pollFiles},
		"getaddrinfo": {4, addresses}, "freeaddrinfo": {1, freeAddresses}, "gai_strerror": {1, errorText}, "inet_ntop": {4, toPresentation},
		"strtol": {3, parsed}, "strtoul": {3, parsed}, "strtoll": {3, parsed}, "strtoull": {3, parsed}, "atoi": {1, parsed}, "atol": {1, parsed}, "atoll": {1, parsed}, "strtod": {2, parsed}, "atof": {1, parsed},
		"gethostname":  {2, hostname},
		"sigtimedwait": {3, noSignal}, "sigwait": {2, aSignal},
		// messages in other languages, locales and libraries that are loaded: there are none
		"gettext": message(0), "dgettext": message(1), "dcgettext": message(1), "setlocale": {2, setlocale}, "dlopen": {2, noLibrary},
	}
}

// Limits of Linux.
const longestPath, longestName = 4095, 255

// isPath reports whether somebody's file system may have something there, that is neither its root nor the folder in which the program runs.
func (c *call) isPath() (ok bool, err error) {
	if c.args[0].IsNull() {
		return false, nil
	}
	s, err := c.m.String(c.args[0])
	if err != nil || len(s) > longestPath {
		return false, err
	}
	if c.name != "unlink" && c.name != "mkfifo" { // a folder's name may end so
		s = strings.TrimRight(s, "/")
	}
	names := strings.Split(s, "/")
	for _, n := range names {
		if len(n) > longestName {
			return false, nil
		}
	}
	last := names[len(names)-1]
	return last != "" && last != "." && last != "..", nil
}

// onPath succeeds, with nothing that the program could see at once, or fails.
func (c *call) onPath() (interp.Value, bool, error) {
	ok, err := c.isPath()
	if err != nil || !ok || c.choose(4) == 1 {
		return interp.Value{}, err != nil, err
	}
	return number(0)
}

// stat describes an empty file or folder, or fails.
func stat(c *call) (interp.Value, bool, error) {
	const size, mode, links, block = 144, 24, 16, 56
	ok, err := c.isPath()
	if err != nil || !ok {
		return interp.Value{}, err != nil, err
	}
	k := c.choose(4)
	if k == 1 || c.m.Model().PointerBits != 64 {
		return interp.Value{}, false, nil
	}
	b := make([]byte, size)
	kind, many := int64(0o100644), int64(1)
	if k == 2 {
		kind, many = 0o40755, 2
	}
	copy(b[0:], little(1, 8)) // device
	copy(b[8:], little(2, 8)) // inode
	copy(b[links:], little(many, 8))
	copy(b[mode:], little(kind, 4))
	copy(b[block:], little(4096, 8))
	r, _, _ := number(0)
	return r, true, c.m.SetBytes(c.args[1], b)
}

// noFolder fails.
func noFolder(c *call) (interp.Value, bool, error) {
	if c.args[0].IsNull() {
		return interp.Value{}, false, nil
	}
	return null(), true, c.setErrno(errnos["ENOENT"])
}

// noSignal waits for a signal for some time, and none comes.
func noSignal(c *call) (interp.Value, bool, error) {
	if c.args[2].IsNull() {
		return interp.Value{}, false, nil
	}
	return c.error(errnos["EAGAIN"])
}

// aSignal is one of those that are waited for: somebody has sent it.
func aSignal(c *call) (interp.Value, bool, error) {
	b, err := c.m.Bytes(c.args[0], 8)
	if err != nil {
		return interp.Value{}, true, err
	}
	var in []int64
	for n := range int64(64) {
		if b[n/8]>>(n%8)&1 != 0 {
			in = append(in, n+1)
		}
	}
	if len(in) == 0 {
		return interp.Value{}, false, nil
	}
	r, _, _ := number(0)
	return r, true, c.m.SetBytes(c.args[1], little(in[c.choose(len(in))], 4))
}

// setlocale fails: there is no such locale.
func setlocale(c *call) (interp.Value, bool, error) {
	if c.args[1].IsNull() {
		return interp.Value{}, false, nil
	}
	s, err := c.m.String(c.args[1])
	return null(), err != nil || s != "C" && s != "POSIX", err
}

// noLibrary fails, if it is not the program itself that is asked for.
func noLibrary(c *call) (interp.Value, bool, error) { return null(), !c.args[0].IsNull(), nil }

// prctl does what nobody sees: the name of a thread, and signals when a parent dies.
func prctl(c *call) (interp.Value, bool, error) {
	const setParentDeath, setName = 1, 15
	switch c.args[0].Int() {
	case setParentDeath:
		return number(0)
	case setName:
		if len(c.args) < 2 || c.args[1].IsNull() {
			return interp.Value{}, false, nil
		}
		_, err := c.m.String(c.args[1])
		r, _, _ := number(0)
		return r, true, err
	}
	return interp.Value{}, false, nil
}
