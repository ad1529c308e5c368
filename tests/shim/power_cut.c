/* Cuts the power: after so many writes and flushes of a database's files the process is killed, and of what was written since a
   file's last flush any part may be missing, sector by sector, as on a disk that writes in any order. Loaded by LD_PRELOAD.

   POWER_CUT_AFTER is the number of calls, POWER_CUT_SEED what chance begins with. POWER_CUT_LOG names a file that is told how many
   sectors were dropped. What a flush has confirmed is never lost; truncation takes effect at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, FILES = 64 };

/* What a sector held at the last flush. */
struct before {
  uint64_t sector;
  unsigned char bytes[SECTOR];
};

struct file {
  dev_t device;
  ino_t inode;
  int handle;
  off64_t flushed_length;
  struct before *befores;
  size_t used, room;
  /* For each sector the position among `befores`, and one more. */
  uint32_t *known;
  uint64_t sectors;
};

static struct file files[FILES];
static int files_used;
static uint64_t chance, calls_left;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef ssize_t write_call(int, const void *, size_t);
typedef ssize_t pwrite_call(int, const void *, size_t, off64_t);
typedef int truncate_call(int, off64_t);

#define NEXT(type, name) ((type *)dlsym(RTLD_NEXT, name))

static uint64_t draw(void) {
  chance ^= chance << 13;
  chance ^= chance >> 7;
  chance ^= chance << 17;
  return chance;
}

static uint64_t setting(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : strtoull(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
  chance = setting("POWER_CUT_SEED") * 0x9E3779B97F4A7C15u + 1;
  calls_left = setting("POWER_CUT_AFTER");
  for (int i = 0; i < 8; i++) draw();
}

/* The file behind a descriptor, if it is one of a database's that a power cut can harm. */
static struct file *find(int handle) {
  struct stat64 found;
  char link[64], path[4096];
  if (fstat64(handle, &found) != 0 || !S_ISREG(found.st_mode)) return NULL;
  for (int i = 0; i < files_used; i++)
    if (files[i].device == found.st_dev && files[i].inode == found.st_ino) return &files[i];
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  const char *name = strstr(path, "/tradepost.db");
  if (name == NULL || strstr(name, "-shm") != NULL || strstr(name, ".lock") != NULL || files_used == FILES) return NULL;
  struct file *file = &files[files_used++];
  memset(file, 0, sizeof *file);
  file->device = found.st_dev;
  file->inode = found.st_ino;
  file->handle = dup(handle);
  file->flushed_length = found.st_size;
  return file;
}

/* Keeps what a range held at the last flush. */
static void keep(struct file *file, off64_t from, size_t count) {
  for (uint64_t sector = from / SECTOR; count > 0 && sector <= (from + count - 1) / SECTOR; sector++) {
    if (sector >= file->sectors) {
      uint64_t sectors = (sector + 1) * 2;
      file->known = realloc(file->known, sectors * sizeof *file->known);
      memset(file->known + file->sectors, 0, (sectors - file->sectors) * sizeof *file->known);
      file->sectors = sectors;
    }
    if (file->known[sector] != 0) continue;
    if (file->used == file->room) {
      file->room = file->room * 2 + 64;
      file->befores = realloc(file->befores, file->room * sizeof *file->befores);
    }
    struct before *before = &file->befores[file->used++];
    before->sector = sector;
    memset(before->bytes, 0, SECTOR);
    if (pread64(file->handle, before->bytes, SECTOR, sector * SECTOR) < 0) memset(before->bytes, 0, SECTOR);
    file->known[sector] = file->used;
  }
}

static void cut(void) {
  uint64_t way = draw() % 4, dropped = 0, kept = 0;
  for (int i = 0; i < files_used; i++) {
    struct file *file = &files[i];
    uint64_t point = file->used == 0 ? 0 : draw() % (file->used + 1);
    off64_t length = lseek64(file->handle, 0, SEEK_END);
    for (size_t n = 0; n < file->used; n++) {
      struct before *before = &file->befores[n];
      /* All is lost; or what came after some moment; or any sector; or any sector of the older half. */
      int is_lost = way == 0 || (way == 1 && n >= point) || (way == 2 && draw() % 2) || (way == 3 && n < point && draw() % 2);
      if (is_lost) NEXT(pwrite_call, "pwrite64")(file->handle, before->bytes, SECTOR, before->sector * SECTOR);
      dropped += is_lost;
      kept += !is_lost;
    }
    /* The last sector that was put back may be longer than the file was. */
    off64_t end = way == 0 ? file->flushed_length : length;
    if (NEXT(truncate_call, "ftruncate64")(file->handle, end) != 0) abort();
  }
  const char *log = getenv("POWER_CUT_LOG");
  FILE *told = log == NULL ? NULL : fopen(log, "a");
  if (told != NULL) {
    fprintf(told, "%llu %llu\n", (unsigned long long)dropped, (unsigned long long)kept);
    fclose(told);
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void count_down(void) {
  if (calls_left > 0 && --calls_left == 0) cut();
}

static ssize_t write_to(int handle, const void *bytes, size_t count, off64_t offset, const char *name) {
  pthread_mutex_lock(&lock);
  struct file *file = find(handle);
  ssize_t written;
  if (file != NULL) keep(file, offset < 0 ? lseek64(handle, 0, SEEK_CUR) : offset, count);
  if (file == NULL) pthread_mutex_unlock(&lock);
  if (offset < 0)
    written = NEXT(write_call, name)(handle, bytes, count);
  else
    written = NEXT(pwrite_call, name)(handle, bytes, count, offset);
  if (file != NULL) {
    count_down();
    pthread_mutex_unlock(&lock);
  }
  return written;
}

ssize_t write(int handle, const void *bytes, size_t count) { return write_to(handle, bytes, count, -1, "write"); }

ssize_t pwrite(int handle, const void *bytes, size_t count, off_t offset) {
  return write_to(handle, bytes, count, offset, "pwrite64");
}

ssize_t pwrite64(int handle, const void *bytes, size_t count, off64_t offset) {
  return write_to(handle, bytes, count, offset, "pwrite64");
}

static int truncate_to(int handle, off64_t length) {
  pthread_mutex_lock(&lock);
  struct file *file = find(handle);
  int done = NEXT(truncate_call, "ftruncate64")(handle, length);
  if (file != NULL && done == 0 && length < file->flushed_length) file->flushed_length = length;
  pthread_mutex_unlock(&lock);
  return done;
}

int ftruncate(int handle, off_t length) { return truncate_to(handle, length); }

int ftruncate64(int handle, off64_t length) { return truncate_to(handle, length); }

/* From here on what was written before cannot be lost. The power may fail just before that. */
static int flush(int handle) {
  pthread_mutex_lock(&lock);
  struct file *file = find(handle);
  if (file != NULL) {
    count_down();
    for (size_t n = 0; n < file->used; n++) file->known[file->befores[n].sector] = 0;
    file->used = 0;
    file->flushed_length = lseek64(file->handle, 0, SEEK_END);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int handle) { return flush(handle); }

int fdatasync(int handle) { return flush(handle); }
