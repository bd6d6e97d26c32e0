// expect: error 3:25: unsupported: the layout of struct mixed, which has bit-fields beside other members
struct mixed { char kind; int flags : 5; char rest; };
int main(void) { return sizeof(struct mixed) == 4 ? 0 : 1; }
