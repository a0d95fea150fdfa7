# releases.sh CLANG: in the current directory, two releases of a program, v1/app
# and v2/app, which differ in build ID and addresses but share functions; and
# what was recorded of them on two hosts, NAME.data:
#
#   web1   v1  100 samples in hot(), 20 in cold()
#   web2   v1  300 samples in hot()
#   new    v2   50 samples in hot(), 10 in added()
set -e
cat > app.c <<'C'
#ifdef V2
__attribute__((noinline)) int added(int N) {
  __asm__ volatile(".globl in_added\nin_added: nop");
  return N + 2;
}
#endif
__attribute__((noinline)) int hot(int N) {
  __asm__ volatile(".globl in_hot\nin_hot: nop");
  return N + 1;
}
__attribute__((noinline)) int cold(int N) {
  __asm__ volatile(".globl in_cold\nin_cold: nop");
  return N - 1;
}
int main(int N, char **Arguments) {
#ifdef V2
  N = added(N);
#endif
  return hot(N) + cold(N);
}
C
mkdir -p v1 v2
flags="-O2 -gmlt -fdebug-info-for-profiling -Wl,--build-id"
"$@" $flags app.c -o v1/app
"$@" $flags -DV2 app.c -o v2/app
compose() {
  { echo "event cpu-clock period=1000000"
    echo "hostname $1"
    echo "map pid=10 file=$2/app base=0x555555554000 buildid=auto path=/srv/app"
    file=$2/app
    shift 2
    for sample; do echo "sample $file+$sample"; done
  } > composed.txt
  perfdata-compose composed.txt -o "$name.data"
}
name=web1 compose web1 v1 "in_hot x100" "in_cold x20"
name=web2 compose web2 v1 "in_hot x300"
name=new compose web1 v2 "in_hot x50" "in_added x10"
