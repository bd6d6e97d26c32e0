//go:build !linux

package child

import "syscall"

// maxrssUnit is the unit of the largest size that the system reports, in bytes.
const maxrssUnit = 1

// attributes puts a child into a process group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
