// libpng reports an error by a jump (longjmp) out of the function that failed. A jump must not pass
// over Swift frames, so each call that can fail is made by one of these guards: the jump begins in
// libpng and ends in the guard, with nothing but libpng's own frames between. Callbacks written in
// Swift raise no errors, for the same reason. A guard returns 0 where libpng failed.
#include <png.h>
#include <setjmp.h>
#include <string.h>

// What libpng said last, cut off where the room ends.
typedef struct {
  char error[160];
  char warning[160];
} guarded_png_messages;

// In place of libpng's own two handlers, which print to the standard error output.
static inline void guarded_png_error(png_structp png, png_const_charp message) {
  guarded_png_messages *messages = (guarded_png_messages *)png_get_error_ptr(png);
  strncpy(messages->error, message, sizeof messages->error - 1);
  png_longjmp(png, 1);
}

static inline void guarded_png_warning(png_structp png, png_const_charp message) {
  guarded_png_messages *messages = (guarded_png_messages *)png_get_error_ptr(png);
  strncpy(messages->warning, message, sizeof messages->warning - 1);
}

// Has these chunks, names of four letters and a zero, passed over.
static inline int guarded_png_ignore(png_structp png, const char *names, int count) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep)names, count);
  return 1;
}

static inline int guarded_png_read_info(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_read_info(png, info);
  return 1;
}

static inline int guarded_png_read_update_info(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_read_update_info(png, info);
  return 1;
}

static inline int guarded_png_read_row(png_structp png, png_bytep row) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_read_row(png, row, NULL);
  return 1;
}

static inline int guarded_png_read_end(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_read_end(png, info);
  return 1;
}

// Writes all that comes before the pixels of a picture without interlace.
static inline int guarded_png_write_info(
    png_structp png, png_infop info, png_uint_32 width, png_uint_32 height, int depth, int color) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_IHDR(png, info, width, height, depth, color, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  return 1;
}

static inline int guarded_png_write_row(png_structp png, png_const_bytep row) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_write_row(png, row);
  return 1;
}

static inline int guarded_png_write_end(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_write_end(png, info);
  return 1;
}
