// expect: error 2:44: unsupported: _Generic on an enumeration, or with pointers to choose from
int main(void) { const char *s = 0; return _Generic(s, char *: 1, const char *: 0); }
