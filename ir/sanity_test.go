package ir

import (
	"strings"
	"testing"

	"comus/logic"
)

// sample is a program of two threads with every kind of edge.
type sample struct {
	p                            *Program
	main, worker                 *Thread
	x, y, m, tmp, created, ended *Var
	create, join, write          *Edge
	start, lock, unlock, end     *Edge
	bad                          *Loc
}

func number(k int64) *logic.Value {
	v := logic.IntValue(k)
	return &v
}

// newSample builds
//
//	int x, y; mutex m;
//	worker: lock(m); tmp = x; unlock(m);
//	main: create(worker); x = *; join(worker); assert(x == 0);
func newSample() *sample {
	p := NewProgram("f.c")
	s := &sample{p: p, main: p.NewThread("main"), worker: p.NewThread("worker")}
	i32 := Type{Bits: 32, Signed: true}
	s.x, s.y = p.NewVar("x", i32, Shared), p.NewVar("y", i32, Shared)
	s.m = p.NewVar("m", i32, Shared)
	s.tmp = p.NewVar("worker.tmp", i32, 1)
	s.tmp.Source = ""
	s.created, s.ended = p.NewVar("created1", Flag, Shared), p.NewVar("ended1", Flag, Shared)
	for _, v := range []*Var{s.x, s.y, s.m, s.created, s.ended} {
		v.Init = number(0)
	}
	s.worker.Created, s.worker.Ended = s.created, s.ended
	is := func(v *Var, k int64) Cmd { return AssumeCmd(p.L.Eq(v.Sym, p.L.Int(k))) }
	set := func(v *Var, k int64) Cmd { return AssignCmd(v, p.L.Int(k)) }
	at := func(line int) Pos { return Pos{"f.c", line, 3} }

	l := []*Loc{s.main.Entry}
	for range 4 {
		l = append(l, s.main.NewLoc(Pos{}))
	}
	s.create = s.main.NewEdge(l[0], l[1], at(10), "pthread_create(worker)", set(s.created, 1))
	s.create.Kind, s.create.Thread = Create, 1
	s.write = s.main.NewEdge(l[1], l[2], at(11), "x = __VERIFIER_nondet_int()", HavocCmd(s.x, "__VERIFIER_nondet_int"))
	s.join = s.main.NewEdge(l[2], l[3], at(12), "", is(s.ended, 1))
	s.join.Kind, s.join.Thread = Join, 1
	s.main.NewEdge(l[3], l[4], at(13), "", AssumeCmd(p.L.Ne(s.x.Sym, p.L.Int(0))))
	s.bad = l[4]
	s.bad.Error, s.bad.Text, s.bad.Pos = true, "assert(x == 0)", at(13)

	w := []*Loc{s.worker.Entry}
	for range 5 {
		w = append(w, s.worker.NewLoc(Pos{}))
	}
	w[3].Atomic = true
	s.start = s.worker.NewEdge(w[0], w[1], Pos{}, "", is(s.created, 1))
	s.start.Kind = Start
	s.lock = s.worker.NewEdge(w[1], w[2], at(2), "", is(s.m, 0), set(s.m, 2))
	s.lock.Kind, s.lock.Mutex = Lock, s.m
	s.worker.NewEdge(w[2], w[3], at(3), "tmp = x", AssignCmd(s.tmp, s.x.Sym))
	s.unlock = s.worker.NewEdge(w[3], w[4], at(4), "", is(s.m, 2), set(s.m, 0))
	s.unlock.Kind, s.unlock.Mutex = Unlock, s.m
	s.end = s.worker.NewEdge(w[4], w[5], Pos{}, "", set(s.ended, 1))
	s.end.Kind = End
	return s
}

func TestCheckAcceptsSample(t *testing.T) {
	if err := newSample().p.Check(); err != nil {
		t.Error(err)
	}
}

// breakages are changes of the sample and part of what Check says about them, ""
// if they are fine.
var breakages = []struct {
	name string
	do   func(s *sample)
	want string
}{
	{"no thread", func(s *sample) { s.p.Threads = nil }, "there is no thread"},
	{"nil variable", func(s *sample) { s.p.Vars = append(s.p.Vars, nil) }, "is nil"},
	{"variable index", func(s *sample) { s.y.Index = 0 }, "index 0 at place 1"},
	{"same name", func(s *sample) { s.y.Name, s.y.Sym = "x", s.x.Sym }, "two variables are named x"},
	{"symbol of another variable", func(s *sample) { s.y.Sym = s.x.Sym }, "has the symbol x"},
	{"symbol of another store", func(s *sample) { s.y.Sym = logic.NewStore().Var("y", logic.Int) }, "another store"},
	{"no bits", func(s *sample) { s.y.Type.Bits = 0 }, "has 0 bits"},
	{"initial value", func(s *sample) { s.y.Init = number(1 << 40) }, "initial value 1099511627776"},
	{"owner", func(s *sample) { s.tmp.Thread = 7 }, "belongs to thread 7"},
	{"thread index", func(s *sample) { s.worker.Index = 0 }, "has index 0"},
	{"program counter", func(s *sample) { s.worker.PC = s.main.PC }, "the program counter pc0"},
	{"thread 0 created", func(s *sample) { s.main.Created = s.created }, "thread 0 has a Created"},
	{"created flag not 0", func(s *sample) { s.created.Init = nil }, "Created is not a shared flag"},
	{"ended flag type", func(s *sample) { s.ended.Type = s.x.Type }, "Ended is not a shared flag"},
	{"foreign entry", func(s *sample) { s.worker.Entry = s.main.Entry }, "the entry is not one"},
	{"atomic entry", func(s *sample) { s.worker.Entry.Atomic = true }, "the entry is atomic"},
	{"location index", func(s *sample) { s.bad.Index = 1 }, "location 4 has index 1"},
	{"location's thread", func(s *sample) { s.bad.Thread = s.worker }, "belongs to another thread"},
	{"edge out of error", func(s *sample) { s.main.NewEdge(s.bad, s.bad, Pos{}, "") }, "error location L4 has edges"},
	{"edge missing in In", func(s *sample) { s.write.To.In = nil }, "out of L1 is not linked"},
	{"edge missing in Out", func(s *sample) { s.write.From.Out = nil }, "into L2 is not linked"},
	{"edge listed twice", func(s *sample) { s.write.From.Out = append(s.write.From.Out, s.write) }, "not linked"},
	{"edge between threads", func(s *sample) { s.write.To = s.worker.Entry }, "not linked"},
	{"command without its parts", func(s *sample) { s.write.Cmds[0].Var = nil }, "wrong parts"},
	{"command with too many parts", func(s *sample) { s.write.Cmds[0].Expr = s.p.L.Int(0) }, "wrong parts"},
	{"input of an assumption", func(s *sample) { s.join.Cmds[0].Input = "f" }, "is no input"},
	{"sort", func(s *sample) { s.write.Cmds = []Cmd{AssignCmd(s.x, s.p.L.True())} }, "true has sort Bool"},
	{"unknown variable", func(s *sample) { s.write.Cmds = []Cmd{AssignCmd(s.x, s.main.PC)} }, "pc0 is no variable"},
	{"removed variable", func(s *sample) { s.write.Cmds[0].Var = &Var{Name: "z"} }, "z is no variable"},
	{"local of another thread", func(s *sample) { s.write.Cmds[0].Var = s.tmp }, "worker.tmp is local to thread 1"},
	{"thread of a plain edge", func(s *sample) { s.write.Thread = 1 }, "names thread 1"},
	{"mutex of a plain edge", func(s *sample) { s.write.Mutex = s.m }, "names the mutex m"},
	{"lock without mutex", func(s *sample) { s.lock.Mutex = nil }, "names the mutex <nil>"},
	{"create assigns 0", func(s *sample) { s.create.Cmds = []Cmd{AssignCmd(s.created, s.p.L.Int(0))} }, "does not assign 1"},
	{"create no thread", func(s *sample) { s.create.Thread = -1 }, "does not assign 1"},
	{"join without wait", func(s *sample) { s.join.Cmds = nil }, "thread 1 has ended"},
	{"join of any without wait", func(s *sample) { s.join.Cmds, s.join.Thread = nil, -1 }, "thread -1 has ended"},
	{"lock as another thread", func(s *sample) { s.lock.Cmds[1].Expr = s.p.L.Int(1) }, "assume m == 0 and assign 2"},
	{"unlock without owner", func(s *sample) { s.unlock.Cmds = s.unlock.Cmds[1:] }, "assume m == 2 and assign 0"},
	{"start does not wait", func(s *sample) { s.start.Cmds = nil }, "Created variable at the entry"},
	{"first edge not a start", func(s *sample) { s.start.Kind = Plain }, "does not wait for the thread's creation"},
	{"edge to the entry", func(s *sample) { s.worker.NewEdge(s.lock.From, s.worker.Entry, Pos{}, "") }, "back to the entry"},
	{"code after the end", func(s *sample) { s.worker.NewEdge(s.end.To, s.lock.From, Pos{}, "") }, "Ended variable and stop"},
	{"unknown kind", func(s *sample) { s.write.Kind = 99 }, "unknown kind"},
	{"two shared variables", func(s *sample) { s.write.Cmds = []Cmd{AssignCmd(s.x, s.y.Sym)} }, "touches x and y in one step"},
	{"two elements' fields", func(s *sample) {
		s.rename("a[0].f", "a[1].g")
		s.write.Cmds = []Cmd{AssignCmd(s.x, s.y.Sym)}
	}, "touches a[0].f and a[1].g"},
	{"join that reads a global", func(s *sample) { s.join.Cmds = append(s.join.Cmds, AssignCmd(s.x, s.y.Sym)) }, ""},
	{"two elements", func(s *sample) {
		s.rename("a[0]", "a[1]")
		s.write.Cmds = []Cmd{AssignCmd(s.x, s.y.Sym)}
	}, "touches a[0] and a[1]"},
	{"atomic section", func(s *sample) {
		s.write.To.Atomic = true
		s.write.Cmds = []Cmd{AssignCmd(s.x, s.y.Sym)}
	}, ""},
	{"another initial value", func(s *sample) { s.y.Init = number(5) }, ""},
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	for _, tt := range breakages {
		t.Run(tt.name, func(t *testing.T) {
			s := newSample()
			tt.do(s)
			err := s.p.Check()
			if structural := s.p.CheckStructure(); (structural != nil) != (err != nil) && !strings.Contains(tt.want, "touches") {
				t.Errorf("CheckStructure: %v, Check: %v", structural, err)
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Check: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("Check: %v, want %q", err, tt.want)
			}
		})
	}
}

// rename gives x and y other names, in the commands too.
func (s *sample) rename(x, y string) {
	L := s.p.L
	sub := map[*logic.Term]*logic.Term{s.x.Sym: L.Var(x, logic.Int), s.y.Sym: L.Var(y, logic.Int)}
	s.x.Name, s.x.Sym = x, sub[s.x.Sym]
	s.y.Name, s.y.Sym = y, sub[s.y.Sym]
	for _, t := range s.p.Threads {
		t.Edges(func(e *Edge) {
			for i, c := range e.Cmds {
				switch c.Kind {
				case Assume:
					e.Cmds[i].Cond = L.Subst(c.Cond, sub)
				case Assign:
					e.Cmds[i].Expr = L.Subst(c.Expr, sub)
				}
			}
		})
	}
}
