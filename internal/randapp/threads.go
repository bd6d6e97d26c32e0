package randapp

import (
	"fmt"
	"slices"
	"strings"
)

// passing is what threads are given.
type passing int

const (
	byNumber  passing = iota // a number, made a pointer
	byAddress                // the address of a number of main
	byStruct                 // an element of an array of structs with their ids
	byHeap                   // a struct of its own, which it frees
	byShared                 // one struct for all, which counts them
	passings
)

// gives reports whether threads are given pointers to objects.
func (p passing) gives() bool { return p >= byStruct }

// workers returns the functions of threads.
func (g *gen) workers() string {
	if g.passing.gives() {
		g.argumentType()
	}
	same := true
	for _, b := range g.bodies[1:] {
		same = same && slices.Equal(b, g.bodies[0])
	}
	var out []string
	switch {
	case same || g.chance(50) || g.passing == byShared:
		var lines []string
		if same {
			lines = g.bodies[0]
		} else {
			for i, b := range g.bodies {
				head := fmt.Sprintf("if (id == %d) {", i)
				if i > 0 {
					head = "} else " + head
				}
				if i > 0 && i == len(g.bodies)-1 {
					head = "} else {"
				}
				lines = append(lines, head+"\n"+strings.TrimSuffix(indented(b), "\n"))
			}
			lines = append(lines, "}")
		}
		out = append(out, g.worker("worker", lines))
	default:
		for i, b := range g.bodies {
			out = append(out, g.worker(fmt.Sprintf("worker%d", i), b))
		}
		g.once["separate"] = true
	}
	return strings.Join(out, "\n")
}

// argumentType declares the struct that threads are given.
func (g *gen) argumentType() {
	members := []string{"int id;"}
	if g.passing == byShared {
		members[0] = g.one("int ids;", "atomic_int ids;")
		if members[0] == "int ids;" {
			g.once["plain ids"] = true
		}
	}
	if g.passing == byStruct {
		members = append(members, "pthread_t thread;")
	}
	for _, o := range g.objects {
		members = append(members, fmt.Sprintf("struct %s *%s;", o.name, o.name))
	}
	g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	g.types = append(g.types, "struct job {\n"+indented(members)+"};")
}

// worker returns a thread's function.
func (g *gen) worker(name string, body []string) string {
	text := strings.Join(body, "\n")
	var lines []string
	switch g.passing {
	case byNumber:
		lines = append(lines, "int id = (int)"+g.one("(intptr_t)", "(long)", "(size_t)")+"arg;")
	case byAddress:
		lines = append(lines, "int id = *(int *)arg;")
	case byShared:
		lines = append(lines, "struct job *job = arg;")
		if g.once["plain ids"] {
			lines = append(lines, "int id = __sync_fetch_and_add(&job->ids, 1);")
		} else {
			lines = append(lines, "int id = atomic_fetch_add(&job->ids, 1);")
		}
	default:
		lines = append(lines, "struct job *job = arg;", "int id = job->id;")
	}
	for _, o := range g.objects {
		if !g.passing.gives() {
			lines = append(lines, fmt.Sprintf("struct %s *%s = %s;", o.name, o.name, o.direct()))
		} else {
			lines = append(lines, fmt.Sprintf("struct %s *%s = job->%s;", o.name, o.name, o.name))
		}
	}
	if g.passing == byHeap && !g.bug("leak", "a thread does not free its argument") {
		lines = append(lines, "free(arg);")
	}
	lines = append(lines, "(void)id;")
	for _, o := range g.objects {
		if !strings.Contains(text, o.name) {
			lines = append(lines, fmt.Sprintf("(void)%s;", o.name))
		}
	}
	if g.prologue != "" {
		lines = append(lines, g.prologue)
	}
	lines = append(lines, body...)
	result := g.results
	if result == "" {
		result = "NULL"
	}
	lines = append(lines, "return "+result+";")
	return fmt.Sprintf("static void *%s(void *arg) {\n%s}", name, indented(lines))
}

// direct is how a thread names an object that it is not given.
func (o *object) direct() string {
	switch o.home {
	case global:
		return "&the_" + o.name
	case accessor:
		return "the_" + o.name + "()"
	}
	return "the_" + o.name
}

// mainFunc returns the main function.
func (g *gen) mainFunc() string {
	var setup []string
	for _, o := range g.objects {
		setup = append(setup, o.setUp()...)
	}
	create, ids := g.creation()
	lines := slices.Concat(g.early, setup, create)
	lines = append(lines, steps(g.during)...)
	lines = append(lines, g.joins(ids)...)
	lines = append(lines, steps(g.after)...)
	for _, o := range g.objects {
		lines = append(lines, o.tearDown()...)
	}
	for _, l := range g.atEnd {
		if strings.HasPrefix(l, "free(") && !strings.HasPrefix(l, "free(the_") && g.bug("leak", "main does not free what it allocated: "+l) {
			// nothing points to it any more when main has returned
			continue
		}
		lines = append(lines, l)
	}
	if g.chance(30) {
		lines = append(lines, g.one(`puts("done");`, `printf("%d\n", argc);`))
	}
	lines = append(lines, "return 0;")
	head := "int main(int argc, char **argv) {\n  (void)argc;\n  (void)argv;\n"
	if text := strings.Join(lines, "\n"); !strings.Contains(text, "argc") && !strings.Contains(text, "argv") {
		head = "int main(void) {\n"
	}
	return head + indented(lines) + "}"
}

// creation returns the statements that create the threads, and an expression for the id of thread i.
func (g *gen) creation() (lines []string, id string) {
	n := g.threads
	id = "tid[%s]"
	function := func(i string) string {
		if g.once["separate"] {
			return "worker" + i
		}
		return "worker"
	}
	loop := !g.once["separate"] && g.chance(65)
	arg := ""
	switch g.passing {
	case byNumber:
		arg = g.one("(void *)(intptr_t)%s", "(void *)(long)%s", "(void *)(size_t)%s")
	case byAddress:
		lines = append(lines, fmt.Sprintf("int ids[%d];", n))
		arg = "&ids[%s]"
	case byStruct:
		arg, id = "&jobs[%s]", "jobs[%s].thread"
		switch g.IntN(3) {
		case 0:
			g.globals = append(g.globals, fmt.Sprintf("static struct job jobs[%d];", n))
		case 1:
			lines = append(lines, fmt.Sprintf("struct job jobs[%d];", n))
		case 2:
			lines = append(lines, fmt.Sprintf("struct job *jobs = calloc(%d, sizeof *jobs);\nif (!jobs)\n  abort();", n))
			g.atEnd = append(g.atEnd, "free(jobs);")
		}
	case byHeap:
		arg = "job"
	case byShared:
		arg = "&all"
		lines = append(lines, g.shared()...)
	}
	if g.passing != byStruct {
		if g.chance(30) {
			g.globals = append(g.globals, fmt.Sprintf("static pthread_t tid[%d];", n))
		} else {
			lines = append(lines, fmt.Sprintf("pthread_t tid[%d];", n))
		}
	}
	check := g.one("%s;", "if (%s)\n  abort();", "if (%s != 0)\n  return 1;")
	create := func(i string) []string {
		var out []string
		switch g.passing {
		case byAddress:
			out = append(out, fmt.Sprintf("ids[%s] = %s;", i, i))
		case byStruct:
			out = append(out, fmt.Sprintf("jobs[%s].id = %s;", i, i))
			for _, o := range g.objects {
				out = append(out, fmt.Sprintf("jobs[%s].%s = %s;", i, o.name, o.uses))
			}
		case byHeap:
			out = append(out, "struct job *job = malloc(sizeof *job);\nif (!job)\n  abort();", fmt.Sprintf("job->id = %s;", i))
			for _, o := range g.objects {
				out = append(out, fmt.Sprintf("job->%s = %s;", o.name, o.uses))
			}
		}
		a := arg
		if strings.Contains(a, "%s") {
			a = fmt.Sprintf(a, i)
		}
		return append(out, fmt.Sprintf(check, fmt.Sprintf("pthread_create(&"+id+", NULL, %s, %s)", i, function(i), a)))
	}
	if loop {
		return append(lines, fmt.Sprintf("for (int i = 0; i < %d; i++) {\n%s}", n, indented(create("i")))), id
	}
	for i := range n {
		c := create(fmt.Sprint(i))
		if g.passing == byHeap {
			c = []string{"{\n" + indented(c) + "}"}
		}
		lines = append(lines, c...)
	}
	return lines, id
}

// shared returns the statements that make what all threads are given.
func (g *gen) shared() []string {
	lines := []string{"struct job all;", "atomic_init(&all.ids, 0);"}
	if g.once["plain ids"] {
		lines[1] = "all.ids = 0;"
	}
	for _, o := range g.objects {
		lines = append(lines, fmt.Sprintf("all.%s = %s;", o.name, o.uses))
	}
	return lines
}

// joins returns the statements that wait for the threads.
func (g *gen) joins(id string) []string {
	body := []string{fmt.Sprintf("pthread_join("+id+", NULL);", "i")}
	if len(g.joined) > 0 {
		body = append([]string{"void *r;", fmt.Sprintf("pthread_join("+id+", &r);", "i")}, g.joined...)
	}
	if len(body) == 1 && g.chance(30) {
		var out []string
		for i := range g.threads {
			out = append(out, fmt.Sprintf("pthread_join("+id+", NULL);", fmt.Sprint(i)))
		}
		return out
	}
	return []string{fmt.Sprintf("for (int i = 0; i < %d; i++) {\n%s}", g.threads, indented(body))}
}
