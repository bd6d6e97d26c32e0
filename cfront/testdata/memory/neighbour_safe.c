// expect: SAFE --check=memory
/* As many elements as there are, up to where the next member lies. */
struct packet { char head[4], body[4]; };
int main(void) {
  struct packet p = {{0}, {0}};
 for (int i = 0; i < 4; i++)
    p.head[i] = (char)i;
  return p.body[3];
}
