package contract

import "strings"

// waitFor are functions that may wait for good for what another thread, process or device does: for data, for room for it, for a connection, a lock
// of a file, a signal, the end of a process. Those of pthread.h, threads.h and semaphore.h have models that tell what they wait for. Functions that wait for the time only, or for a
// disk, are none; nor are those that print to a stream: that of a pipe is one of fdopen or popen, and that of a FIFO one of fopen.
var waitFor = namesIn(`
	read readv pread preadv preadv2 write writev pwrite pwritev pwritev2 dprintf vdprintf sendfile splice tee vmsplice copy_file_range process_vm_readv
	fgetc getc getchar fgets gets fread getline getdelim getw scanf fscanf vscanf vfscanf fgetwc getwc getwchar fgetws wscanf fwscanf vwscanf vfwscanf
	getc_unlocked getchar_unlocked fgetc_unlocked fgets_unlocked fread_unlocked getwc_unlocked getwchar_unlocked fgetwc_unlocked fgetws_unlocked __uflow getpass
	open openat creat fopen freopen fdopen popen pclose system dlopen
	connect accept accept4 send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg close getaddrinfo
	select pselect poll ppoll epoll_wait epoll_pwait epoll_pwait2 eventfd_read eventfd_write
	pause sigsuspend sigpause sigwait sigwaitinfo sigtimedwait
	wait waitpid waitid wait3 wait4 vfork posix_spawn posix_spawnp ptrace
	flock lockf fcntl ioctl tcdrain tcsetattr wgetch
	msgsnd msgrcv semop semtimedop mq_open mq_send mq_receive mq_timedsend mq_timedreceive
	aio_suspend lio_listio gai_suspend getaddrinfo_a syscall
	pa_simple_write pa_simple_read pa_simple_drain pa_mainloop_run pa_mainloop_iterate snd_pcm_drain snd_pcm_readi snd_pcm_writei ao_play
	BIO_read BIO_write PQexec PQexecParams PQgetResult PQconnectdb curl_easy_perform glutMainLoop freenect_process_events av_read_frame
`)

func namesIn(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// MayWait reports whether a function of the library may wait for good for what its model, if it has one, does not tell. It knows the names by which
// headers call functions, too: __isoc99_scanf, __read_chk.
func MayWait(name string) bool {
	if waitFor[name] {
		return true
	}
	short := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "__isoc99_"), "__"), "_chk"), "64")
	return short != name && waitFor[strings.TrimSuffix(short, "64")]
}
