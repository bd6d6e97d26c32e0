package cir

import "strings"

// intrinsicNames are the intrinsics' names in C, behind "__comus_". The types of their arguments are in [Program.Check]
// as letters: i any integer, p pointer, f float, * anything; the result
// stands behind '>'.
var intrinsicNames = [...]struct{ name, signature string }{
	Nondet: {"nondet", ">*"}, Assume: {"assume", "i"}, Await: {"await", "i"}, AwaitFrom: {"await_from", "ii"}, Assert: {"assert", "i"}, Undefined: {"undefined", "i"},
	AtomicBegin: {"atomic_begin", ""}, AtomicEnd: {"atomic_end", ""},
	ThreadCreate: {"thread_create", "pppp>i"}, ThreadExit: {"thread_exit", ""}, ThreadSelf: {"thread_self", ">i"},
	ThreadEnded: {"thread_ended", "i>i"}, ThreadMany: {"thread_many", "i>i"}, ThreadJoined: {"thread_joined", "i"}, ThreadAlone: {"thread_alone", ""}, Interrupt: {"interrupt", "ii>i"}, Resume: {"resume", ""}, ThreadCount: {"thread_count", ">i"}, Stop: {"stop", "i"},
	Alloc: {"alloc", "i>p"}, AllocAligned: {"alloc_aligned", "ii>p"}, Free: {"free", "p"}, ObjectSize: {"object_size", "p>i"}, IsHeap: {"is_heap", "p>i"},
	IsSet: {"is_set", "pi>i"}, IsConst: {"is_const", "p>i"}, Wakeups: {"wakeups", ">i"}, Resize: {"resize", "pi>p"},
	Print: {"print", "ipp>i"}, Assumed: {"assumed", "i>i"}, Approximation: {"approximation", ""},
	HavocBytes: {"havoc_bytes", "pi"}, HavocReachable: {"havoc_reachable", "p"}, Lock: {"lock", "p"}, Unlock: {"unlock", "p"}, Readers: {"readers", "p"}, Apart: {"apart", "pipi"}, Given: {"given", "pi"},
	Setjmp: {"setjmp", "p>i"}, Longjmp: {"longjmp", "pi"}, FrameAddress: {"frame_address", "i>p"}, ReturnAddress: {"return_address", "i>p"}, Reaching: {"reaching", "p>p"},
	Trap: {"trap", ""}, Format: {"format", "pipp>i"}, WriteOut: {"write", "ipi"}, ReadIn: {"read", "pi>i"}, ReadLine: {"read_line", "pi>i"}, Scan: {"scan", "ppp>i"},
	Math: {"math", "ff>f"}, StrtoD: {"strtod", "p>f"},
}

// String returns the intrinsic's name in C without "__comus_".
func (o IntrinsicOp) String() string { return intrinsicNames[o].name }

// IntrinsicNamed returns the intrinsic that a function of C stands for: "__comus_lock". The family
// "__comus_nondet_T" is Nondet, "__comus_mathf" is Math, "__comus_unknown_bytes" is HavocBytes. Intrinsics that are instructions of
// their own (__comus_assumption, __comus_copy, __comus_fill) are not among them.
func IntrinsicNamed(name string) (op IntrinsicOp, ok bool) {
	rest, ok := strings.CutPrefix(name, "__comus_")
	switch {
	case !ok:
		return 0, false
	case strings.HasPrefix(rest, "nondet_"):
		return Nondet, true
	case rest == "mathf":
		return Math, true
	case rest == "unknown_bytes":
		return HavocBytes, true
	}
	for op, x := range intrinsicNames {
		if x.name == rest && IntrinsicOp(op) != Nondet {
			return IntrinsicOp(op), true
		}
	}
	return 0, false
}
