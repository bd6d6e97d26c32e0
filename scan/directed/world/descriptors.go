package world

import (
	"net/netip"

	"comus/cir/interp"
)

// descriptor is what a number stands for that the world has handed out: nothing of it can be told but by the functions here.
type descriptor struct {
	kind    kind
	family  int64
	stream  bool // of a socket: it has connections
	bound   bool
	listens bool
	watched map[int64]bool // by an epoll
	text    string         // of a file or connection: what is still to be read
}

type kind uint8

const (
	socketKind kind = iota
	epollKind
	eventKind
	fileKind
	connectionKind // that somebody has made to a socket
)

// firstDescriptor is above those that whoever has started the program may have left it.
const firstDescriptor = 100

// mostDescriptors is a limit that the program may be given.
const mostDescriptors = 256

// open hands out a descriptor, unless the world is such that there is none.
func (c *call) open(d *descriptor) (interp.Value, bool, error) {
	if c.choose(8) == 1 || c.next >= mostDescriptors {
		return c.error(errnos["EMFILE"])
	}
	return number(c.add(d))
}

// add gives a descriptor a number.
func (c *call) add(d *descriptor) int64 {
	if c.files == nil {
		c.files, c.next = map[int64]*descriptor{}, firstDescriptor
	}
	n := c.next
	c.next++
	c.files[n] = d
	return n
}

// file returns what an argument stands for, nil if it is nothing of the world's.
func (c *call) file(i int) *descriptor { return c.files[int64(int32(c.args[i].Int()))] }

// socket makes a socket of a family that there is on any Linux.
func socket(c *call) (interp.Value, bool, error) {
	const flags = 0x800 | 0x80000
	family, typ := c.args[0].Int(), c.args[1].Int()&^flags
	if family != unix && family != inet && family != inet6 || typ != stream && typ != datagram || c.args[2].Int() != 0 && c.args[2].Int() != map[int64]int64{stream: 6, datagram: 17}[typ] {
		return interp.Value{}, false, nil
	}
	return c.open(&descriptor{kind: socketKind, family: family, stream: typ == stream})
}

// bind gives a socket an address, of which nobody else makes use.
func bind(c *call) (interp.Value, bool, error) {
	d := c.file(0)
	if d == nil || d.kind != socketKind || d.bound || c.args[1].IsNull() || c.args[2].Int() < 2 || c.choose(8) == 1 {
		return interp.Value{}, false, nil
	}
	if _, err := c.m.Bytes(c.args[1], int64(uint32(c.args[2].Int()))); err != nil {
		return interp.Value{}, true, err
	}
	d.bound = true
	return number(0)
}

// listen waits for connections.
func listen(c *call) (interp.Value, bool, error) {
	if d := c.file(0); d == nil || d.kind != socketKind || !d.stream || !d.bound {
		return interp.Value{}, false, nil
	}
	c.file(0).listens = true
	return number(0)
}

// setsockopt sets an option that any socket has.
func setsockopt(c *call) (interp.Value, bool, error) {
	const socketLevel, reuse, broadcast, sendBuffer, receiveBuffer, keepAlive, receiveTime, sendTime = 1, 2, 6, 7, 8, 9, 20, 21
	d := c.file(0)
	if d == nil || d.kind != socketKind || c.args[1].Int() != socketLevel || c.args[3].IsNull() {
		return interp.Value{}, false, nil
	}
	n := int64(4)
	switch c.args[2].Int() {
	case reuse, broadcast, sendBuffer, receiveBuffer, keepAlive:
	case receiveTime, sendTime:
		n = int64(c.m.Model().PointerBits / 4)
	default:
		return interp.Value{}, false, nil
	}
	if c.args[4].Int() < n {
		return interp.Value{}, false, nil
	}
	if _, err := c.m.Bytes(c.args[3], n); err != nil {
		return interp.Value{}, true, err
	}
	return number(0)
}

// control sets or gets the flags of a descriptor.
func control(c *call) (interp.Value, bool, error) {
	const setClose, getFlags, setFlags = 2, 3, 4
	if c.file(0) == nil {
		return interp.Value{}, false, nil
	}
	switch c.args[1].Int() {
	case getFlags:
		return number(2) // O_RDWR
	case setFlags, setClose:
		if len(c.args) > 2 {
			return number(0)
		}
	}
	return interp.Value{}, false, nil
}

// epollCreate makes an epoll.
func epollCreate(c *call) (interp.Value, bool, error) {
	if c.name == "epoll_create" && int32(c.args[0].Int()) <= 0 || c.name == "epoll_create1" && c.args[0].Int()&^0x80000 != 0 {
		return interp.Value{}, false, nil
	}
	return c.open(&descriptor{kind: epollKind, watched: map[int64]bool{}})
}

// epollControl changes which descriptors an epoll watches, of those that the world knows.
func epollControl(c *call) (interp.Value, bool, error) {
	const add, remove, modify = 1, 2, 3
	d, fd := c.file(0), int64(int32(c.args[2].Int()))
	if d == nil || d.kind != epollKind || c.files[fd] == nil || c.files[fd] == d {
		return interp.Value{}, false, nil
	}
	op := c.args[1].Int()
	if op != add && op != remove && op != modify || d.watched[fd] != (op != add) {
		return interp.Value{}, false, nil
	}
	if op != remove {
		if c.args[3].IsNull() {
			return interp.Value{}, false, nil
		}
		if _, err := c.m.Bytes(c.args[3], 12); err != nil {
			return interp.Value{}, true, err
		}
	}
	d.watched[fd] = op != remove
	return number(0)
}

// epollWait ends with nothing, if it may: time has passed, or the process was stopped and went on.
func epollWait(c *call) (interp.Value, bool, error) {
	if d := c.file(0); d == nil || d.kind != epollKind || c.args[1].IsNull() || int32(c.args[2].Int()) <= 0 {
		return interp.Value{}, false, nil
	}
	if int32(c.args[3].Int()) >= 0 {
		return number(0)
	}
	return c.error(errnos["EINTR"])
}

// eventDescriptor makes a counter.
func eventDescriptor(c *call) (interp.Value, bool, error) {
	if c.args[1].Int()&^(0x800|0x80000|1) != 0 {
		return interp.Value{}, false, nil
	}
	return c.open(&descriptor{kind: eventKind})
}

// closeIt closes a descriptor of the world's.
func closeIt(c *call) (interp.Value, bool, error) {
	if c.file(0) == nil {
		return interp.Value{}, false, nil
	}
	n := int64(int32(c.args[0].Int()))
	delete(c.files, n)
	for _, d := range c.files {
		delete(d.watched, n)
	}
	return number(0)
}

// send is of a datagram, which is lost on its way, if it can be sent at all.
func send(c *call) (interp.Value, bool, error) {
	d := c.file(0)
	if d == nil || d.kind != socketKind || d.stream || c.args[4].IsNull() || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	n := c.args[2].Int()
	if n < 0 || n > 1400 {
		return interp.Value{}, false, nil
	}
	if _, err := c.m.Bytes(c.args[1], n); err != nil {
		return interp.Value{}, true, err
	}
	if _, err := c.m.Bytes(c.args[4], int64(uint32(c.args[5].Int()))); err != nil {
		return interp.Value{}, true, err
	}
	d.bound = true
	return number(n)
}

// segment is shared memory, of the system's.
type segment struct {
	size     int64
	attached bool
}

// shmget makes a segment of a key that nobody else uses, which has zeros.
func shmget(c *call) (interp.Value, bool, error) {
	const create = 0o1000
	size := c.args[1].Int()
	if c.args[2].Int()&create == 0 || size <= 0 || size > 1<<24 || c.segments[c.args[0].Int()] != nil || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	if c.segments == nil {
		c.segments = map[int64]*segment{}
	}
	n := int64(len(c.segments))
	c.segments[n] = &segment{size: size}
	return number(n)
}

// shmat attaches a segment, once: there is no more than one address for its memory then.
func shmat(c *call) (interp.Value, bool, error) {
	s := c.segments[int64(int32(c.args[0].Int()))]
	if s == nil || s.attached || !c.args[1].IsNull() || c.args[2].Int() != 0 {
		return interp.Value{}, false, nil
	}
	p := c.m.Static("shared memory", s.size)
	s.attached = true
	return p, true, nil
}

// uname describes a system that there is.
func uname(c *call) (interp.Value, bool, error) {
	const field = 65
	if c.args[0].IsNull() {
		return interp.Value{}, false, nil
	}
	b := make([]byte, 6*field)
	for i, s := range []string{"Linux", "host", "5.10.0-28-amd64", "#1 SMP Debian 5.10.209-2 (2024-01-31)", "x86_64", "(none)"} {
		copy(b[i*field:], s)
	}
	r, _, _ := number(0)
	return r, true, c.m.SetBytes(c.args[0], b)
}

// hostname is the same name.
func hostname(c *call) (interp.Value, bool, error) {
	const name = "host"
	if c.args[0].IsNull() || c.args[1].Int() <= int64(len(name)) {
		return interp.Value{}, false, nil
	}
	r, _, _ := number(0)
	return r, true, c.m.SetBytes(c.args[0], []byte(name+"\x00"))
}

// presentation reads the text of an address, as inet_pton does.
func presentation(c *call) (interp.Value, bool, error) {
	family := c.args[0].Int()
	if family != inet && family != inet6 {
		return interp.Value{}, false, nil
	}
	s, err := c.m.String(c.args[1])
	if err != nil {
		return interp.Value{}, true, err
	}
	a, err := netip.ParseAddr(s)
	if err != nil || a.Zone() != "" || a.Is4() != (family == inet) {
		return number(0)
	}
	r, _, _ := number(1)
	return r, true, c.m.SetBytes(c.args[2], a.AsSlice())
}
