package bench

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cluster is a Slurm of its own on this machine: a controller and some nodes of two processors, with keys and folders that
// nobody else has. It is the real one; what it lacks is other machines.
type cluster struct {
	t    *testing.T
	dir  string
	mark string // in the environment of the daemons
	node map[string]*exec.Cmd
}

// newCluster starts a cluster, makes the scheduler's commands of this process its own, and stops it when the test ends.
func newCluster(t *testing.T, nodes ...string) *cluster {
	t.Helper()
	for _, tool := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v: make testdeps installs slurm-wlm and munge", err)
		}
	}
	dir, err := os.MkdirTemp("/tmp", "slurm") // a short name: that of a socket has 100 characters at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &cluster{t: t, dir: dir, mark: "COMUS_CLUSTER=" + rand.Text(), node: map[string]*exec.Cmd{}}
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // it never fails
	if err := os.WriteFile(c.path("key"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	writeFile(t, c.path("slurm.conf"), c.config(nodes))
	t.Setenv("SLURM_CONF", c.path("slurm.conf"))
	c.start("munged", "--foreground", "--force", "--key-file="+c.path("key"), "--socket="+c.path("munge"), "--pid-file="+c.path("munge.pid"),
		"--log-file="+c.path("munge.log"), "--seed-file="+c.path("munge.seed"))
	c.await("munged", func() bool { _, err := os.Stat(c.path("munge")); return err == nil })
	c.start("slurmctld", "-D", "-f", c.path("slurm.conf"))
	for _, n := range nodes {
		c.node[n] = c.start("slurmd", "-D", "-f", c.path("slurm.conf"), "-N", n)
	}
	c.await("the nodes", func() bool {
		out, err := exec.Command("sinfo", "--noheader", "--Node", "--format=%T").Output()
		return err == nil && strings.Count(string(out), "idle\n") == len(nodes)
	})
	return c
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

// config returns a configuration that notices what happens within seconds.
func (c *cluster) config(nodes []string) string {
	me, err := user.Current()
	if err != nil {
		c.t.Fatal(err)
	}
	var ports []int
	for range len(nodes) + 1 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			c.t.Fatal(err)
		}
		defer l.Close() // all at the end: they shall differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `ClusterName=comus
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=%d
SlurmUser=%s
SlurmdUser=%[2]s
AuthType=auth/munge
AuthInfo=socket=%[3]s/munge,cred_expire=5
StateSaveLocation=%[3]s/state
SlurmdSpoolDir=%[3]s/spool-%%n
SlurmctldPidFile=%[3]s/slurmctld.pid
SlurmdPidFile=%[3]s/slurmd-%%n.pid
SlurmctldLogFile=%[3]s/slurmctld.log
SlurmdLogFile=%[3]s/slurmd-%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
SlurmdTimeout=3
KillWait=1
MaxArraySize=8
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, ports[0], me.Username, c.dir)
	for i, n := range nodes {
		fmt.Fprintf(&b, "NodeName=%s NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=2 RealMemory=4000 State=UNKNOWN\n", n, ports[i+1])
		if err := os.MkdirAll(c.path("spool-"+n), 0o755); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := os.MkdirAll(c.path("state"), 0o755); err != nil {
		c.t.Fatal(err)
	}
	return b.String()
}

// start starts a daemon, which is killed when the test ends.
func (c *cluster) start(name string, args ...string) *exec.Cmd {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), c.mark, "COMUS_NODE="+args[len(args)-1])
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		c.killAll("") // what the nodes have started
		if c.t.Failed() {
			c.t.Logf("%s %v: %s", name, args, out.String())
		}
	})
	return cmd
}

// await waits for something.
func (c *cluster) await(what string, ok func() bool) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			log, _ := os.ReadFile(c.path("slurmctld.log"))
			c.t.Fatalf("no %s after a minute; the controller's log:\n%s", what, log)
		}
	}
}

// fail has a node fail as if its power were cut: nothing of it goes on.
func (c *cluster) fail(node string) {
	_ = c.node[node].Process.Kill()
	_ = c.node[node].Wait()
	c.killAll(node)
}

// killAll kills what a node, or any, has started: daemons by the mark that they inherit, tasks by what Slurm tells them.
func (c *cluster) killAll(node string) {
	for again := true; again; {
		again = false
		entries, _ := os.ReadDir("/proc")
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil {
				continue
			}
			env, _ := os.ReadFile("/proc/" + e.Name() + "/environ")
			has := func(v string) bool { return bytes.Contains(append([]byte{0}, env...), []byte("\x00"+v+"\x00")) }
			own := has(c.mark) && (has("COMUS_NODE="+node) || node == "" && commandOf(pid) == "slurmstepd")
			if task := has("SLURM_CONF=" + c.path("slurm.conf")); own || task && (has("SLURMD_NODENAME="+node) || node == "" && bytes.Contains(env, []byte("\x00SLURMD_NODENAME="))) {
				again = syscall.Kill(pid, syscall.SIGKILL) == nil && alive(pid) || again
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// commandOf returns the name of a process.
func commandOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.TrimSpace(string(text))
}
