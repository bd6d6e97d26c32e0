package world

import (
	"net/netip"
	"slices"
	"strconv"

	"comus/cir/interp"
)

// Families of addresses, and types of sockets.
const unix, inet, inet6, stream, datagram, raw = 1, 2, 10, 1, 2, 3

// mostConnections is how many connections come in a run; after them, one may wait long.
const mostConnections = 8

// accept takes a connection: somebody on the same machine has connected, and sends the text of [Outside] before closing its side.
func accept(c *call) (interp.Value, bool, error) {
	d := c.file(0)
	if d == nil || !d.listens || c.connections >= mostConnections || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	if !c.args[1].IsNull() && !c.args[2].IsNull() {
		b, err := c.m.Bytes(c.args[2], 4)
		if err != nil {
			return interp.Value{}, true, err
		}
		a := c.peer(d.family)
		if err := c.m.SetBytes(c.args[1], a[:min(len(a), int(b[0])|int(b[1])<<8)]); err != nil {
			return interp.Value{}, true, err
		}
		if err := c.m.SetBytes(c.args[2], little(int64(len(a)), 4)); err != nil {
			return interp.Value{}, true, err
		}
	}
	c.connections++
	return c.open(&descriptor{kind: connectionKind, stream: true, text: c.Outside.Peer})
}

// peer is the address of who has connected.
func (c *call) peer(family int64) []byte {
	port := []byte{0xc0, byte(c.connections)}
	switch family {
	case inet:
		return slices.Concat(little(inet, 2), port, []byte{127, 0, 0, 1}, make([]byte, 8))
	case inet6:
		return slices.Concat(little(inet6, 2), port, make([]byte, 4+15), []byte{1}, make([]byte, 4))
	}
	return little(unix, 2)
}

// receive reads what a connection has sent.
func receive(c *call) (interp.Value, bool, error) {
	const flags = 0x4000 | 0x40 // no signal, no waiting
	if d := c.file(0); d == nil || d.kind != connectionKind || c.args[3].Int()&^flags != 0 {
		return interp.Value{}, false, nil
	}
	return readFile(c)
}

// sendAll sends over a connection, all of it.
func sendAll(c *call) (interp.Value, bool, error) {
	d := c.file(0)
	n := c.args[2].Int()
	if d == nil || d.kind != connectionKind || n < 0 || n > 1<<20 || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	if _, err := c.m.Bytes(c.args[1], n); err != nil {
		return interp.Value{}, true, err
	}
	return number(n)
}

// shutdown closes a side of a connection.
func shutdown(c *call) (interp.Value, bool, error) {
	if d := c.file(0); d == nil || d.kind != connectionKind || c.args[1].Int() < 0 || c.args[1].Int() > 2 {
		return interp.Value{}, false, nil
	}
	return number(0)
}

// readable reports whether a read or accept would not wait.
func (w *World) readable(d *descriptor) bool {
	return d.listens && w.connections < mostConnections || d.kind == connectionKind || d.kind == fileKind
}

// selectFiles waits for the first descriptor that can be read, if there is one, or for the end of the time.
func selectFiles(c *call) (interp.Value, bool, error) {
	n := c.args[0].Int()
	if n < 0 || n > 1024 || c.m.Model().PointerBits != 64 || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	size := (n + 63) / 64 * 8
	found := int64(-1)
	for i := 1; i <= 3; i++ {
		if c.args[i].IsNull() {
			continue
		}
		set, err := c.m.Bytes(c.args[i], size)
		if err != nil {
			return interp.Value{}, true, err
		}
		for fd := range n {
			switch d := c.files[fd]; {
			case set[fd/8]>>(fd%8)&1 == 0:
			case d == nil && fd > 2: // it is not open
				return interp.Value{}, false, nil
			case i == 1 && found < 0 && d != nil && c.readable(d):
				found = fd
			}
		}
	}
	if found < 0 && c.args[4].IsNull() {
		return interp.Value{}, false, nil
	}
	for i := 1; i <= 3; i++ {
		if c.args[i].IsNull() {
			continue
		}
		set := make([]byte, size)
		if i == 1 && found >= 0 {
			set[found/8] |= 1 << (found % 8)
		}
		if err := c.m.SetBytes(c.args[i], set); err != nil {
			return interp.Value{}, true, err
		}
	}
	return number(truth(found >= 0))
}

// pollFiles waits for descriptors that can be read, or for the end of the time.
func pollFiles(c *call) (interp.Value, bool, error) {
	const in, size = 1, 8
	n := c.args[1].Int()
	if n <= 0 || n > mostDescriptors || c.choose(4) == 1 {
		return interp.Value{}, false, nil
	}
	all, err := c.m.Bytes(c.args[0], n*size)
	if err != nil {
		return interp.Value{}, true, err
	}
	all = slices.Clone(all)
	many := int64(0)
	for p := all; len(p) > 0; p = p[size:] {
		fd := int64(int32(uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24))
		d := c.files[fd]
		if d == nil && fd > 2 {
			return interp.Value{}, false, nil
		}
		p[6], p[7] = 0, 0
		if d != nil && p[4]&in != 0 && c.readable(d) {
			p[6] = in
			many++
		}
	}
	if many == 0 && c.args[2].Int() < 0 {
		return interp.Value{}, false, nil
	}
	r, _, _ := number(many)
	return r, true, c.m.SetBytes(c.args[0], all)
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// The layout of struct addrinfo, and what getaddrinfo returns.
const (
	infoFamily, infoType, infoProtocol, infoLength, infoAddress, infoNext, infoSize = 4, 8, 12, 16, 24, 40, 48
	addressSize                                                                     = 16
	noName, again, noService                                                        = -2, -3, -8
)

// addresses is getaddrinfo where no name server answers and no services are listed: addresses that are written as numbers, or one's own.
func addresses(c *call) (interp.Value, bool, error) {
	if c.m.Model().PointerBits != 64 || c.args[3].IsNull() {
		return interp.Value{}, false, nil
	}
	var flags, family, typ int64
	if h := c.args[2]; !h.IsNull() {
		b, err := c.m.Bytes(h, infoLength)
		if err != nil {
			return interp.Value{}, true, err
		}
		flags, family, typ = int64(b[0])|int64(b[1])<<8, int64(b[infoFamily]), int64(b[infoType])
	}
	host, given, err := c.text(0)
	if err != nil {
		return interp.Value{}, true, err
	}
	service, asked, err := c.text(1)
	if err != nil {
		return interp.Value{}, true, err
	}
	port, wrong := strconv.ParseUint(service, 10, 16)
	addr, bad := netip.ParseAddr(host)
	const passive = 1
	switch {
	case !given && !asked:
		return number(noName)
	case c.choose(8) == 1, family != 0 && family != inet, typ < 0 || typ > datagram, given && (bad != nil || !addr.Is4()):
		return number(again)
	case asked && wrong != nil:
		return number(noService)
	case !given && flags&passive != 0:
		addr = netip.IPv4Unspecified()
	case !given:
		addr = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return c.list(addr, port, typ)
}

// list makes the list of addresses for each type of socket, from the last one to the first.
func (c *call) list(addr netip.Addr, port uint64, typ int64) (interp.Value, bool, error) {
	types := []int64{typ}
	if typ == 0 {
		types = []int64{raw, datagram, stream}
	}
	protocols := map[int64]int64{stream: 6, datagram: 17}
	next := null()
	for _, t := range types {
		p := c.m.Alloc(infoSize + addressSize)
		b := slices.Concat(little(0, 4), little(inet, 4), little(t, 4), little(protocols[t], 4), little(addressSize, 8), make([]byte, infoSize-infoAddress),
			little(inet, 2), []byte{byte(port >> 8), byte(port)}, addr.AsSlice(), make([]byte, 8))
		if err := c.m.SetBytes(p, b); err != nil {
			return interp.Value{}, true, err
		}
		if err := c.m.SetPointer(p.Plus(infoAddress), p.Plus(infoSize)); err != nil {
			return interp.Value{}, true, err
		}
		if err := c.m.SetPointer(p.Plus(infoNext), next); err != nil {
			return interp.Value{}, true, err
		}
		next = p
	}
	r, _, _ := number(0)
	return r, true, c.m.SetPointer(c.args[3], next)
}

// freeAddresses frees such a list.
func freeAddresses(c *call) (interp.Value, bool, error) {
	for p := c.args[0]; !p.IsNull(); {
		next, err := c.m.Pointer(p.Plus(infoNext))
		if err != nil {
			return interp.Value{}, true, err
		}
		if err := c.m.Free(p); err != nil {
			return interp.Value{}, true, err
		}
		p = next
	}
	return number(0)
}

// infoErrors are what gai_strerror says in English of what addresses returns.
var infoErrors = map[int64]string{noName: "Name or service not known", again: "Temporary failure in name resolution", noService: "Servname not supported for ai_socktype"}

// errorText is gai_strerror.
func errorText(c *call) (interp.Value, bool, error) {
	s, ok := infoErrors[int64(int32(c.args[0].Int()))]
	if !ok {
		return interp.Value{}, false, nil
	}
	return c.m.Constant(s), true, nil
}

// toPresentation writes an address, as inet_ntop does.
func toPresentation(c *call) (interp.Value, bool, error) {
	family := c.args[0].Int()
	size, ok := map[int64]int64{inet: 4, inet6: 16}[family]
	if !ok {
		return interp.Value{}, false, nil
	}
	b, err := c.m.Bytes(c.args[1], size)
	if err != nil {
		return interp.Value{}, true, err
	}
	a, _ := netip.AddrFromSlice(b)
	if family == inet6 && slices.Equal(b[:12], make([]byte, 12)) && a != netip.IPv6Unspecified() && a != netip.IPv6Loopback() { // some are written as those of IPv4
		return interp.Value{}, false, nil
	}
	text := a.String() + "\x00"
	if c.args[3].Int() < int64(len(text)) {
		return null(), true, c.setErrno(errnos["ENOSPC"])
	}
	return c.args[2], true, c.m.SetBytes(c.args[2], []byte(text))
}

// text is an argument that is a string or null.
func (c *call) text(i int) (s string, given bool, err error) {
	if c.args[i].IsNull() {
		return "", false, nil
	}
	s, err = c.m.String(c.args[i])
	return s, true, err
}
