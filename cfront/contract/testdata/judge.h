// What the programs of the judge share: see judge_test.go.
#include <aio.h>
#include <argz.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libgen.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <mntent.h>
#include <monetary.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <nl_types.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <ucontext.h>
#include <unistd.h>
#include <utime.h>
#include <utmpx.h>
#include <wchar.h>
#include <wctype.h>
#include <wordexp.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
int __xpg_strerror_r(int, char *, size_t);
struct list { char *s[4]; };
struct set { sigset_t s; };

// A buffer ends where a page begins that must not be touched.
struct buffer {
	unsigned char *p, *before;
	size_t n;
};

static struct buffer make(int fill, size_t n, const void *init, size_t m) {
	size_t pages = (n + 4095) / 4096 * 4096 + 4096;
	unsigned char *q = mmap(0, pages + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(q + pages, 4096, PROT_NONE);
	memset(q, fill, pages);
	struct buffer b = {q + pages - n, malloc(n + 64), n};
	if (init)
		memcpy(b.p, init, m);
	memcpy(b.before, b.p - 64, n + 64);
	return b;
}

static int result; // where reports go

// report tells how much of the buffer has changed.
static void report(const char *kind, int i, struct buffer *b) {
	long first = -1, last = -1;
	for (long j = 0; j < (long)b->n + 64; j++)
		if (b->p[j - 64] != b->before[j]) {
			if (first < 0)
				first = j;
			last = j;
		}
	unsigned long word = 0;
	memcpy(&word, b->p, b->n < 8 ? b->n : 8);
	dprintf(result, "%s %d %lu %lu %ld %ld %lu\n", kind, i, (unsigned long)b->p, (unsigned long)b->n,
		first < 0 ? 0 : first - 64, first < 0 ? -1 : last - 64, word);
}

#define RESULT(r) dprintf(result, "R %d %d %lu\n", __builtin_classify_type(r), (__typeof__(r))-1 > 0, (unsigned long)(long)(r))

// A file with a text, to read and write.
static int fd(const char *text) {
	int f = memfd_create("judge", 0);
	write(f, text, strlen(text));
	lseek(f, 0, SEEK_SET);
	return f;
}

static FILE *file(const char *text) { return fdopen(fd(text), "r+"); }

static int full(void) { return open("/dev/full", O_WRONLY); }

static FILE *fullfile(void) {
	FILE *f = fopen("/dev/full", "w");
	setvbuf(f, 0, _IONBF, 0);
	return f;
}

static int piped(void) {
	int p[2];
	pipe(p);
	write(p[1], "hello", 5);
	return p[0];
}

static int sock(const char *text) {
	int p[2];
	socketpair(AF_UNIX, SOCK_DGRAM, 0, p);
	write(p[1], text, strlen(text));
	return p[0];
}

static int udp(void) {
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}};
	bind(s, (void *)&a, sizeof a);
	return s;
}

static int compare(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int compare3(const void *a, const void *b, void *x) { return compare(a, b); }
static void nothing(void) {}
static void handler(int s) {}
static void *thread(void *x) { return x; }
static int cthread(void *x) { return 5; }
static int visit(const char *p, const struct stat *s, int t) { return 1; }
static int any_entry(const struct dirent *d) { return 1; }
static void walk(const void *n, VISIT v, int d) {}

static pthread_t made(void) {
	pthread_t t;
	pthread_create(&t, 0, thread, (void *)7);
	return t;
}

static struct tm noon = {0, 0, 12, 1, 0, 100, 6, 0, 0};
static struct timespec soon = {0, 1000}, past = {1, 0};
static struct timeval now0 = {0, 1000};
static sigset_t usr1(void) {
	sigset_t s;
	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	return s;
}
