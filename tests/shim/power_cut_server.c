/* Cuts the power under a database server of many processes: after so many writes and flushes of its files every process is killed. Until
   then it keeps what each sector held before it was written, so that the test can take back any part of what was never flushed, as a disk
   does that writes in any order. Loaded by LD_PRELOAD.

   Where only flushes are to fail, nothing is killed: from then on each flush is an I/O error, and what it was for counts as not flushed.

   POWER_CUT_FOLDER is the server's data folder. POWER_CUT_STATE names a file of one `struct state`, which all processes share.
   POWER_CUT_JOURNAL names the file of what is kept. A flush only says that it happened: what the page cache holds survives a kill.
   Creating, renaming, removing and shortening files takes effect at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SECTOR = 512 };
enum { WRITTEN = 1, FLUSHED = 2, FORGOTTEN = 3, ALL_FLUSHED = 4 };

struct state {
  int64_t calls_left;
  volatile int32_t lock;
  volatile int32_t is_dark;
  int32_t server;
  int32_t only_flushes_fail;
  volatile int32_t flushes_fail;
};

struct record {
  uint64_t kind, inode, sector, length;
  unsigned char before[SECTOR];
};

static struct state *state;
static int journal = -1;
static const char *folder;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *shared = getenv("POWER_CUT_STATE"), *kept = getenv("POWER_CUT_JOURNAL");
  folder = getenv("POWER_CUT_FOLDER");
  if (shared == NULL || kept == NULL || folder == NULL) return;
  int file = open(shared, O_RDWR | O_CLOEXEC);
  journal = open(kept, O_WRONLY | O_APPEND | O_CLOEXEC);
  void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (journal < 0 || mapped == MAP_FAILED) abort();
  close(file);
  state = mapped;
  state->server = getpid();
}

static void end(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* The signals that this process had blocked before it took the lock. */
static sigset_t blocked;

/* No signal is handled while the lock is held: the server ends its processes by handlers that do not return, and the lock would stay. */
static void lock(void) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  while (__sync_lock_test_and_set(&state->lock, 1)) {
    if (state->is_dark) end();
    sched_yield();
  }
  if (state->is_dark) end();
  blocked = before;
}

static void unlock(void) {
  sigset_t before = blocked;
  __sync_lock_release(&state->lock);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Whether a descriptor is of one of the server's files; those are the only ones that are locked for, as signal handlers write to pipes. */
static int is_ours(int handle, struct stat *found) {
  char link[64], path[4096];
  if (state == NULL || fstat(handle, found) != 0 || !S_ISREG(found->st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0 && strstr(path, "postmaster.pid") == NULL;
}

static void tell(const void *bytes, size_t count) {
  if (NEXT(write)(journal, bytes, count) != (ssize_t)count) abort();
}

static void tell_of(uint64_t kind, uint64_t inode) {
  struct record record = {.kind = kind, .inode = inode};
  tell(&record, sizeof record);
}

static void count_down(void) {
  if (state->calls_left <= 0 || --state->calls_left > 0) return;
  if (state->only_flushes_fail) {
    state->flushes_fail = 1;
    return;
  }
  state->is_dark = 1;
  kill(state->server, SIGKILL);
  end();
}

/* Keeps what a range holds before it is written. */
static void keep(int handle, const struct stat *found, off_t from, size_t count) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  int readable = open(link, O_RDONLY | O_CLOEXEC);
  if (readable < 0) abort();
  for (uint64_t sector = from / SECTOR; count > 0 && sector <= (from + count - 1) / SECTOR; sector++) {
    struct record record = {.kind = WRITTEN, .inode = found->st_ino, .sector = sector, .length = found->st_size};
    if (pread(readable, record.before, SECTOR, sector * SECTOR) < 0) abort();
    tell(&record, sizeof record);
  }
  close(readable);
}

ssize_t pwritev(int handle, const struct iovec *parts, int number, off_t offset) {
  struct stat found;
  if (!is_ours(handle, &found)) return NEXT(pwritev)(handle, parts, number, offset);
  size_t count = 0;
  for (int i = 0; i < number; i++) count += parts[i].iov_len;
  lock();
  fstat(handle, &found);
  keep(handle, &found, offset, count);
  ssize_t written = NEXT(pwritev)(handle, parts, number, offset);
  count_down();
  unlock();
  return written;
}

ssize_t pwrite(int handle, const void *bytes, size_t count, off_t offset) {
  struct stat found;
  if (!is_ours(handle, &found)) return NEXT(pwrite)(handle, bytes, count, offset);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  return pwritev(handle, &part, 1, offset);
}

ssize_t write(int handle, const void *bytes, size_t count) {
  struct stat found;
  if (!is_ours(handle, &found)) return NEXT(write)(handle, bytes, count);
  lock();
  fstat(handle, &found);
  off_t from = fcntl(handle, F_GETFL) & O_APPEND ? found.st_size : lseek(handle, 0, SEEK_CUR);
  keep(handle, &found, from, count);
  ssize_t written = NEXT(write)(handle, bytes, count);
  count_down();
  unlock();
  return written;
}

/* The outcome of a flush. */
static int flushed(int fails) {
  if (!fails) return 0;
  errno = EIO;
  return -1;
}

/* From here on what was written before cannot be lost, unless the flush fails. The power may fail just before that. */
static int flush(int handle, int (*next)(int)) {
  struct stat found;
  if (!is_ours(handle, &found)) return next(handle);
  lock();
  count_down();
  int fails = state->flushes_fail;
  if (!fails) tell_of(FLUSHED, found.st_ino);
  unlock();
  return flushed(fails);
}

int fsync(int handle) { return flush(handle, NEXT(fsync)); }

int fdatasync(int handle) { return flush(handle, NEXT(fdatasync)); }

int syncfs(int handle) {
  if (state == NULL) return NEXT(syncfs)(handle);
  lock();
  int fails = state->flushes_fail;
  if (!fails) tell_of(ALL_FLUSHED, 0);
  unlock();
  return flushed(fails);
}

/* A hint to begin with writing: it confirms nothing. */
int sync_file_range(int handle, off64_t from, off64_t count, unsigned flags) {
  (void)handle, (void)from, (void)count, (void)flags;
  return 0;
}

/* The number of a file that is gone is given to another one. */
static void forget(const char *path) {
  struct stat found;
  if (state != NULL && stat(path, &found) == 0 && S_ISREG(found.st_mode)) tell_of(FORGOTTEN, found.st_ino);
}

int unlink(const char *path) {
  if (state == NULL) return NEXT(unlink)(path);
  lock();
  forget(path);
  int done = NEXT(unlink)(path);
  unlock();
  return done;
}

int rename(const char *from, const char *to) {
  if (state == NULL) return NEXT(rename)(from, to);
  lock();
  forget(to);
  int done = NEXT(rename)(from, to);
  unlock();
  return done;
}
