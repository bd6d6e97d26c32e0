// expect: error 2:57: unsupported: __attribute__((packed))
struct packet { char kind; int length; } __attribute__((packed));
int main(void) { return sizeof(struct packet) == 5 ? 0 : 1; }
