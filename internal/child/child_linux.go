package child

import "syscall"

// maxrssUnit is the unit of the largest size that the system reports, in bytes.
const maxrssUnit = 1024

// attributes puts a child into a process group of its own, and has it killed when
// its parent dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
