/* Makes calls on a database's files fail on demand, as a full, broken or read-only disk does. Loaded by LD_PRELOAD.

   The file that FAULTY_DISK names holds "CALL NUMBER": CALL is `write`, `flush` or `change` (both, and truncation), NUMBER is the
   errno. Without the file, or with an empty one, nothing fails. It is read at every call, so that a test can break and repair the
   disk while the program runs. A write for which there is no space is done by half first, now and then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_database(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/tradepost.db") != NULL && strstr(path, ".lock") == NULL;
}

/* The errno with which this call fails; 0 if it does not. */
static int fault(const char *call, int file) {
  const char *control = getenv("FAULTY_DISK");
  char text[64] = "", what[32] = "";
  int number = 0;
  if (control == NULL || !is_database(file)) return 0;
  int opened = open(control, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return 0;
  ssize_t length = read(opened, text, sizeof text - 1);
  close(opened);
  if (length <= 0 || sscanf(text, "%31s %d", what, &number) != 2) return 0;
  return strcmp(what, call) == 0 || strcmp(what, "change") == 0 ? number : 0;
}

typedef ssize_t write_call(int, const void *, size_t);
typedef ssize_t pwrite_call(int, const void *, size_t, off64_t);
typedef int file_call(int);
typedef int truncate_call(int, off64_t);

ssize_t write(int file, const void *bytes, size_t count) {
  static unsigned calls;
  write_call *next = (write_call *)dlsym(RTLD_NEXT, "write");
  int number = count == 0 ? 0 : fault("write", file);
  if (number == 0) return next(file, bytes, count);
  if (number == ENOSPC && count > 1 && calls++ % 3 == 0) return next(file, bytes, count / 2);
  errno = number;
  return -1;
}

static ssize_t write_at(const char *name, int file, const void *bytes, size_t count, off64_t offset) {
  int number = fault("write", file);
  if (number == 0) return ((pwrite_call *)dlsym(RTLD_NEXT, name))(file, bytes, count, offset);
  errno = number;
  return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return write_at("pwrite", file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return write_at("pwrite64", file, bytes, count, offset);
}

static int flush(const char *name, int file) {
  int number = fault("flush", file);
  if (number == 0) return ((file_call *)dlsym(RTLD_NEXT, name))(file);
  errno = number;
  return -1;
}

int fsync(int file) { return flush("fsync", file); }

int fdatasync(int file) { return flush("fdatasync", file); }

static int truncate_to(const char *name, int file, off64_t length) {
  int number = fault("truncate", file);
  if (number == 0) return ((truncate_call *)dlsym(RTLD_NEXT, name))(file, length);
  errno = number;
  return -1;
}

int ftruncate(int file, off_t length) { return truncate_to("ftruncate", file, length); }

int ftruncate64(int file, off64_t length) { return truncate_to("ftruncate64", file, length); }
