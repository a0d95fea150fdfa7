// Runs program.cpp, built as a shared library.
int library_main(int, char **);
int main(int ArgCount, char **Arguments) {
  return library_main(ArgCount, Arguments);
}
