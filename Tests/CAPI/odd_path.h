/* Paths that are bytes, but no text. To be included before other headers. */
#ifndef ODD_PATH_H_
#define ODD_PATH_H_

#define _DEFAULT_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct OddPath {
  char folder[24], link[48], file[PATH_MAX];
} OddPath;

/* Makes a path to a file, through a link to its folder whose name is not UTF-8. */
static inline OddPath make_odd_path(const char* file) {
  OddPath path = {"/tmp/ocellus-XXXXXX", "", ""};
  char target[PATH_MAX];
  if (!mkdtemp(path.folder) || !realpath(file, target)) abort();
  char* name = strrchr(target, '/');
  *name++ = 0;
  /* The last four bytes are UTF-8, of a character that stands for such bytes in the library. */
  snprintf(path.link, sizeof path.link, "%s/a\xff\xfe%%d\xf4\x8f\xbf\xbf", path.folder);
  if (symlink(target, path.link) != 0) abort();
  snprintf(path.file, sizeof path.file, "%.40s/%.200s", path.link, name);
  return path;
}

static inline void remove_odd_path(const OddPath* path) {
  if (unlink(path->link) != 0 || rmdir(path->folder) != 0) abort();
}

#endif  // ODD_PATH_H_
