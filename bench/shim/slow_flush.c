/* Makes every flush to the disk take 2 ms more, as on a disk whose cache does not answer for it. Loaded by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

typedef int flush(int);

static int after_2_ms(const char *name, int file) {
  const struct timespec wait = {.tv_sec = 0, .tv_nsec = 2000000};
  nanosleep(&wait, NULL);
  return ((flush *)dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return after_2_ms("fsync", file); }

int fdatasync(int file) { return after_2_ms("fdatasync", file); }
