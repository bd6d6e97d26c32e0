// expect: error 2:12: unsupported: 'plugin', which is weak and not defined
extern int plugin(void) __attribute__((weak));
int main(void) { return plugin ? 1 : 0; }
