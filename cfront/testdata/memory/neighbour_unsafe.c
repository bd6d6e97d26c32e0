// expect: UNSAFE --check=memory
/* One element too many, where the next member lies. */
struct packet { char head[4], body[4]; };
int main(void) {
  struct packet p = {{0}, {0}};
 for (int i = 0; i <= 4; i++)
    p.head[i] = (char)i;
  return p.body[3];
}
