// expect: error 2:25: unsupported: the character constant 'é', which is not ASCII
int main(void) { return 'é'; }
