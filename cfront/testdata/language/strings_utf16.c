// expect: error 2:23: unsupported: string constant with the prefix u
unsigned short w[] = u"ab";
int main(void) { return w[0]; }
