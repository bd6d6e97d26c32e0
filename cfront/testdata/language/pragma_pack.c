// expect: error 2:9: unsupported: #pragma pack
#pragma pack(1)
struct packet { char kind; int length; };
int main(void) { return sizeof(struct packet) == 5 ? 0 : 1; }
