package contract

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"comus/internal/long"
)

// A trial is one call of testdata/judge_*.txt: a function and its arguments, separated by
// "|". An argument is
//
//	out:N             N bytes
//	zero:N            N zero bytes
//	str:"s" wstr:"s"  a string, wide string
//	i32:V i64:V       a number
//	obj:TYPE{...}     an object
//	ptr:ARG           a pointer to one of those
//	null              a null pointer
//	or an expression in C
//
// All memory ends at a page that must not be touched: who reads or writes too much
// crashes. Each trial is made twice, with memory filled differently, to see what is
// written, each in a process of its own.
type trial struct {
	at   string // file and line
	f    *Function
	args []string
	seen []*observation
}

func trials(t *testing.T) []trial {
	var all []trial
	for _, file := range []string{"judge_c.txt", "judge_posix.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			parts := strings.Split(line, " | ")
			name := strings.TrimSpace(parts[0])
			if name == "" || strings.HasPrefix(name, "#") {
				continue
			}
			at := fmt.Sprintf("%s:%d", file, i+1)
			f, ok := Lookup(name)
			if !ok {
				t.Fatalf("%s: no contract for %s", at, name)
			}
			var args []string
			for _, a := range parts[1:] {
				args = append(args, strings.TrimSpace(a))
			}
			if len(args) < len(f.Params) || len(args) > len(f.Params) && f.Variadic == nil {
				t.Fatalf("%s: %d arguments for %s", at, len(args), name)
			}
			all = append(all, trial{at: at, f: f, args: args})
		}
	}
	return all
}

// buffer writes the declaration of the memory of an argument, if it is memory.
func buffer(b *strings.Builder, name, arg string) bool {
	kind, rest, _ := strings.Cut(arg, ":")
	make := func(size, init string) {
		fmt.Fprintf(b, "\tstruct buffer %s = make(fill, %s, %s);\n", name, size, init)
	}
	switch kind {
	case "out":
		make(rest, "0, 0")
	case "zero":
		make(rest, "calloc(1, "+rest+"), "+rest)
	case "str":
		make("sizeof "+rest, rest+", sizeof "+rest)
	case "wstr":
		make("sizeof L"+rest, "L"+rest+", sizeof L"+rest)
	case "i32":
		make("4", "&(int){"+rest+"}, 4")
	case "i64":
		make("8", "&(long){"+rest+"}, 8")
	case "obj":
		typ, _, _ := strings.Cut(rest, "{")
		make("sizeof("+typ+")", fmt.Sprintf("&(%s)%s, sizeof(%s)", typ, rest[len(typ):], typ))
	case "ptr":
		buffer(b, name+"below", rest)
		make("8", "&"+name+"below.p, 8")
	default:
		return false
	}
	return true
}

// program writes the C program of all trials.
func program(all []trial) string {
	var b strings.Builder
	b.WriteString("#include \"judge.h\"\n")
	for n, x := range all {
		fmt.Fprintf(&b, "static void t%d(int fill) {\n", n)
		var args, reports []string
		for i, a := range x.args {
			name := fmt.Sprintf("a%d", i)
			if buffer(&b, name, a) {
				args = append(args, "(void *)"+name+".p")
				reports = append(reports, fmt.Sprintf("\treport(\"B\", %d, &%s);\n", i, name))
				if strings.HasPrefix(a, "ptr:") {
					reports = append(reports, fmt.Sprintf("\treport(\"N\", %d, &%sbelow);\n", i, name))
				}
				continue
			}
			if a == "null" {
				a = "(void *)0"
			}
			fmt.Fprintf(&b, "\t__auto_type %s = %s;\n", name, a)
			args = append(args, name)
			if !strings.HasPrefix(a, "(struct ") && !strings.Contains(a, "(ENTRY)") {
				reports = append(reports, fmt.Sprintf("\tdprintf(result, \"A %d %%lu\\n\", (unsigned long)(long)%s);\n", i, name))
			}
		}
		call := fmt.Sprintf("%s(%s);\n", x.f.Name, strings.Join(args, ", "))
		if len(x.f.Results) > 0 {
			call = "__auto_type r = " + call
		}
		fmt.Fprintf(&b, "\terrno = 0;\n\t%s\tint e = errno;\n", call)
		b.WriteString(strings.Join(reports, ""))
		if len(x.f.Results) > 0 && !strings.Contains(structs, " "+x.f.Name+" ") {
			b.WriteString("\tRESULT(r);\n")
		}
		b.WriteString("\tdprintf(result, \"E %d\\n\", e);\n}\n")
	}
	b.WriteString("static void (*trials[])(int) = {\n")
	for n := range all {
		fmt.Fprintf(&b, "\tt%d,\n", n)
	}
	b.WriteString(`};
int main() {
	result = dup(1);
	int null = open("/dev/null", O_RDWR);
	dup2(null, 0), dup2(null, 1), dup2(null, 2);
	/* What a trial forks reports, too: it has to be over before the next trial begins. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	for (int i = 0; i < 2 * (int)(sizeof trials / sizeof *trials); i++) {
		dprintf(result, "T %d\n", i / 2);
		pid_t child = fork();
		if (child == 0) {
			alarm(5);
			trials[i / 2](i % 2 ? 0x5a : 0xa5);
			_exit(0);
		}
		int status;
		waitpid(child, &status, 0);
		while (wait(NULL) > 0 || errno == EINTR)
			;
		dprintf(result, "W %d\n", status);
	}
}
`)
	return b.String()
}

// structs are functions that return a struct.
const structs = " div ldiv lldiv imaxdiv inet_makeaddr mallinfo mallinfo2 "

// An observation is what was seen of one trial.
type observation struct {
	memory, below map[int]memory
	values        map[int]uint64
	result        *observed
	errno         int
	status        int
	returned      bool
}

type memory struct {
	at, size    uint64
	first, last int64 // changed bytes; last is -1 if none
	word        uint64
}

type observed struct {
	class    int
	unsigned bool
	value    uint64
}

// pointer and number are what gcc's __builtin_classify_type says.
const pointerClass = 5

func observe(out []byte) [][]*observation {
	var all [][]*observation
	var o *observation
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		n := make([]int64, len(f))
		u := make([]uint64, len(f))
		for i, s := range f[1:] {
			n[i+1], _ = strconv.ParseInt(s, 10, 64)
			u[i+1], _ = strconv.ParseUint(s, 10, 64)
		}
		switch f[0] {
		case "T":
			o = &observation{memory: map[int]memory{}, below: map[int]memory{}, values: map[int]uint64{}}
			if int(n[1]) == len(all) {
				all = append(all, nil)
			}
			all[n[1]] = append(all[n[1]], o)
		case "B":
			o.memory[int(n[1])] = memory{u[2], u[3], n[4], n[5], u[6]}
		case "N":
			o.below[int(n[1])] = memory{u[2], u[3], n[4], n[5], u[6]}
		case "A":
			o.values[int(n[1])] = u[2]
		case "R":
			o.result = &observed{int(n[1]), n[2] != 0, u[3]}
		case "E":
			o.errno, o.returned = int(n[1]), true
		case "W":
			o.status = int(n[1])
		}
	}
	return all
}

// TestJudge lets glibc judge the contracts.
func TestJudge(t *testing.T) {
	long.Only(t)
	all := trials(t)
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "judge")
	gcc(t, program(all), "-Werror=implicit-function-declaration", "-O0", "-fno-builtin",
		"-I", filepath.Join(here, "testdata"), "-o", binary, "-lm", "-lpthread")
	cmd := exec.Command(binary)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, seen := range observe(out) {
		all[i].seen = seen
	}
	byName := map[string][]trial{}
	for _, x := range all {
		byName[x.f.Name] = append(byName[x.f.Name], x)
		for _, o := range x.seen {
			for _, complaint := range x.judge(o) {
				t.Errorf("%s: %s:%d: %s %s", x.at, x.f.At.File, x.f.At.Line, x.f.Name, complaint)
			}
		}
	}
	t.Logf("%d trials of %d functions", len(all), len(byName))
	if len(byName) < 600 {
		t.Errorf("only %d functions", len(byName))
	}
	witnesses(t, byName)
}

// witnesses counts what of the contracts was seen to be needed: results, errno, writes
// without which the judge complains. A judge who never complains would be useless.
func witnesses(t *testing.T, byName map[string][]trial) {
	promised, needed := map[string]int{}, map[string]int{}
	without := func(what string, xs []trial, change func(f *Function)) {
		promised[what]++
		f := *xs[0].f
		f.Params = append([]Param{}, f.Params...)
		change(&f)
		for _, x := range xs {
			for _, o := range x.seen {
				if len((trial{f: &f, args: x.args}).judge(o)) > 0 {
					needed[what]++
					return
				}
			}
		}
	}
	for _, xs := range byName {
		f := xs[0].f
		for i := range f.Results {
			if f.Results[i].Kind != Any {
				without("results", xs, func(f *Function) {
					f.Results = append(append([]Value{}, f.Results[:i]...), f.Results[i+1:]...)
				})
			}
		}
		if f.Errno {
			without("errno", xs, func(f *Function) { f.Errno = false })
		}
		for i := range f.Params {
			if f.Params[i].Writes() {
				without("writes", xs, func(f *Function) { f.Params[i].Accesses = nil })
			}
		}
	}
	for what, least := range map[string]int{"results": 450, "errno": 120, "writes": 250} {
		t.Logf("%s: %d promised, %d needed", what, promised[what], needed[what])
		if needed[what] < least {
			t.Errorf("too little of %s was seen", what)
		}
	}
}
