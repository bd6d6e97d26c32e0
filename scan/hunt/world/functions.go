package world

import (
	"slices"

	"comus/cir/interp"
)

// functions are those of which it is known here what else than failing they may do. A name ending in 64 means the same function.
var functions map[string]function

func init() {
	status := func(args int) function { return function{args, (*call).status} }
	descriptor := func(args int) function { return function{args, (*call).descriptor} }
	fails := func(args int) function {
		return function{args, func(c *call) (interp.Value, bool, error) { return interp.Value{}, false, nil }}
	}
	text := func(i int) function {
		return function{i + 1, func(c *call) (interp.Value, bool, error) { return c.args[i], true, nil }}
	}
	nothing := function{0, func(c *call) (interp.Value, bool, error) { return number(0) }}
	functions = map[string]function{
		"prctl": {1, prctl}, "getopt_any": {3, getopt}, "getopt_long_any": {5, getopt},
		"to_date": {2, toDate}, "to_text": {2, toText}, "strftime": {4, strftime},
		// files
		"access": status(2), "mkdir": status(2), "unlink": status(1), "rmdir": status(1), "chdir": status(1), "chmod": status(2), "mkfifo": status(2),
		"open": descriptor(2), "creat": descriptor(2), "pipe": {1, pipe}, "dup2": {2, dup2}, "fcntl": {2, fcntl}, "ioctl": fails(2),
		"stat": {2, stat}, "lstat": {2, stat}, "fstat": {2, stat}, "opendir": {1, noFolder}, "flock": fails(2), "lockf": fails(2),
		// sockets
		"socket": descriptor(3), "bind": status(3), "listen": status(2), "connect": status(3), "setsockopt": status(5), "shutdown": status(2),
		"accept": {3, accept}, "recv": {4, receive}, "recvfrom": {6, receive}, "send": {3, send}, "sendto": {3, send},
		"epoll_create": descriptor(1), "epoll_create1": descriptor(1), "epoll_ctl": {4, epollControl}, "epoll_wait": {4, epollWait},
		"select": {5, selects}, "pselect": {6, selects},
		// processes
		"setpgid": status(2),
		"semget": fails(3), "semop": fails(3), "semctl": fails(3), "shmget": fails(3),
		"openlog": nothing, "closelog": nothing, "syslog": nothing, "vsyslog": nothing,
		// messages in other languages, and locales: there are none
		"gettext": text(0), "dgettext": text(1), "dcgettext": text(1), "setlocale": {2, setlocale}, "dlopen": {2, nothingThere},
	}
}

// status succeeds, with nothing that the program could see at once, or fails.
func (c *call) status() (interp.Value, bool, error) {
	if c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	return number(0)
}

// descriptor returns a new descriptor, or fails.
func (c *call) descriptor() (interp.Value, bool, error) {
	if c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	return number(c.open())
}

// open returns a new descriptor. None is used again: other ones were open when the program began.
func (w *World) open() int64 {
	w.next++
	return w.next - 1
}

// nothingThere returns a null pointer.
func nothingThere(*call) (interp.Value, bool, error) { return null(), true, nil }

// noFolder fails.
func noFolder(c *call) (interp.Value, bool, error) { return null(), true, c.setErrno(errnos["ENOENT"]) }

// setlocale fails: there is no such locale.
func setlocale(c *call) (interp.Value, bool, error) { return null(), !c.args[1].IsNull(), nil }

// prctl does what nobody sees: the name of a thread, and signals when a parent dies.
func prctl(c *call) (interp.Value, bool, error) {
	const setParentDeath, setName = 1, 15
	if op := c.args[0].Int(); op != setParentDeath && op != setName {
		return c.error(errnos["EINVAL"])
	}
	return number(0)
}

func pipe(c *call) (interp.Value, bool, error) {
	if c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	err := c.m.SetBytes(c.args[0], slices.Concat(little(c.open(), 4), little(c.open(), 4)))
	r, _, _ := number(0)
	return r, true, err
}

// dup2 lets a descriptor be another one, too.
func dup2(c *call) (interp.Value, bool, error) {
	n := int64(int32(c.args[1].Int()))
	if n < 0 || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	c.next = max(c.next, n+1)
	return number(n)
}

// fcntl reads and sets flags, of which there are none.
func fcntl(c *call) (interp.Value, bool, error) {
	switch c.args[1].Int() {
	case 1, 2, 3, 4: // get and set flags of the descriptor, and of the file
		return c.status()
	}
	return interp.Value{}, false, nil
}

// stat describes an empty file or folder, or fails.
func stat(c *call) (interp.Value, bool, error) {
	const size, mode, links, block = 144, 24, 16, 56
	k := c.choose(4)
	if k == 1 || c.m.Model().PointerBits != 64 {
		return interp.Value{}, false, nil
	}
	b := make([]byte, size)
	kind := int64(0o100644)
	if k == 2 {
		kind = 0o40755
	}
	copy(b[0:], little(1, 8)) // device
	copy(b[8:], little(2, 8)) // inode
	copy(b[links:], little(1, 8))
	copy(b[mode:], little(kind, 4))
	copy(b[block:], little(4096, 8))
	err := c.m.SetBytes(c.args[1], b)
	r, _, _ := number(0)
	return r, true, err
}

// accept returns a connection from somebody who does not say who it is, if nobody asks.
func accept(c *call) (interp.Value, bool, error) {
	if c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	if err := c.from(c.args[1], c.args[2]); err != nil {
		return interp.Value{}, true, err
	}
	return number(c.open())
}

// from writes the address of a peer: IPv4, 127.0.0.1.
func (c *call) from(at, size interp.Value) error {
	if at.IsNull() || size.IsNull() {
		return nil
	}
	b, err := c.m.Bytes(size, 4)
	if err != nil {
		return err
	}
	room := int64(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	peer := []byte{2, 0, 0xc0, 0x12, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}
	if err := c.m.SetBytes(at, peer[:min(room, int64(len(peer)))]); err != nil {
		return err
	}
	return c.m.SetBytes(size, little(int64(len(peer)), 4))
}

// receive gets some bytes from outside: any, at most as many as there is room for.
func receive(c *call) (interp.Value, bool, error) {
	room := c.args[2].Int()
	k := c.choose(4)
	if k == 1 || room < 0 {
		return interp.Value{}, false, nil
	}
	n := min(room, maxPacket, int64(c.choose(maxPacket+1)))
	if k == 0 {
		n = min(room, maxPacket)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.choose(256))
	}
	if err := c.m.SetBytes(c.args[1], b); err != nil {
		return interp.Value{}, true, err
	}
	if len(c.args) > 5 {
		if err := c.from(c.args[4], c.args[5]); err != nil {
			return interp.Value{}, true, err
		}
	}
	return number(n)
}

// maxPacket is the most that is received at once.
const maxPacket = 64

// send sends all, or fails.
func send(c *call) (interp.Value, bool, error) {
	if c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	n := c.args[2].Int()
	if _, err := c.m.Bytes(c.args[1], n); err != nil {
		return interp.Value{}, true, err
	}
	return number(n)
}

// pollSet is what epoll watches.
type pollSet struct {
	fds  []int64
	data map[int64][]byte // struct epoll_event
}

const epollEvent = 12 // bytes, packed

func epollControl(c *call) (interp.Value, bool, error) {
	const add, remove, change = 1, 2, 3
	set, op, fd := c.args[0].Int(), c.args[1].Int(), int64(int32(c.args[2].Int()))
	if c.sets[set] == nil {
		c.sets[set] = &pollSet{data: map[int64][]byte{}}
	}
	s := c.sets[set]
	_, there := s.data[fd]
	switch {
	case op == remove && there:
		delete(s.data, fd)
		s.fds = slices.DeleteFunc(s.fds, func(x int64) bool { return x == fd })
		return number(0)
	case op == add && !there || op == change && there:
		b, err := c.m.Bytes(c.args[3], epollEvent)
		if err != nil {
			return interp.Value{}, true, err
		}
		if !there {
			s.fds = append(s.fds, fd)
		}
		s.data[fd] = slices.Clone(b)
		return number(0)
	}
	return c.error(errnos["EINVAL"])
}

// epollWait says that nothing has happened in time, or that one descriptor is ready for what it is watched for. Without an end of the time, nothing but the latter, or a signal.
func epollWait(c *call) (interp.Value, bool, error) {
	const in, out = 1, 4
	s := c.sets[c.args[0].Int()]
	k := c.choose(8)
	switch {
	case int32(c.args[2].Int()) <= 0 || k == 1:
		return c.error(errnos["EINTR"])
	case s == nil || len(s.fds) == 0 || k == 2:
		if int32(c.args[3].Int()) < 0 {
			return c.error(errnos["EINTR"])
		}
		return number(0)
	}
	b := slices.Clone(s.data[s.fds[c.choose(len(s.fds))]])
	if b[0] &= in | out; b[0] == 0 {
		return c.error(errnos["EINTR"])
	}
	b[1], b[2], b[3] = 0, 0, 0
	err := c.m.SetBytes(c.args[1], b)
	r, _, _ := number(1)
	return r, true, err
}

// selects waits in vain until the end of the time, or is interrupted.
func selects(c *call) (interp.Value, bool, error) {
	timeout := c.args[4]
	if timeout.IsNull() || c.choose(4) == 1 {
		return c.error(errnos["EINTR"])
	}
	n := (c.args[0].Int() + 63) / 64 * 8
	for _, p := range c.args[1:4] {
		if !p.IsNull() && n > 0 {
			if err := c.m.SetBytes(p, make([]byte, n)); err != nil {
				return interp.Value{}, true, err
			}
		}
	}
	return number(0)
}

