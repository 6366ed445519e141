/* Finds objects in a picture:
 *
 *   cc detect.c -o detect $(pkg-config --cflags --libs ocellus_vision_c)
 *   ./detect /usr/share/ocellus/models/scenes-detector.tflite strawberry.jpg
 */

#include <stdio.h>
#include <stdlib.h>

#include "ocellus_vision.h"

/* Reads a file of up to 64 MB. */
static size_t read_file(const char* path, uint8_t** bytes) {
  const size_t limit = 64 << 20;
  FILE* file = fopen(path, "rb");
  if (!file) return 0;
  *bytes = malloc(limit);
  size_t count = *bytes ? fread(*bytes, 1, limit, file) : 0;
  fclose(file);
  return count;
}

int main(int count, char** arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: %s MODEL PICTURE\n", arguments[0]);
    return 2;
  }
  char error[256] = "";
  uint8_t* bytes = NULL;
  size_t size = read_file(arguments[2], &bytes);
  OcellusPicture picture;
  OcellusDetector* detector = OcellusDetectorCreate(arguments[1], NULL, error, sizeof error);
  if (!detector || OcellusPictureDecode(bytes, size, &picture, error, sizeof error) != 0) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  OcellusObject objects[100];
  int32_t found = OcellusDetectorDetect(detector, picture.rgb, picture.width, picture.height,
                                        3 * (size_t)picture.width, objects, 100, error, sizeof error);
  for (int32_t i = 0; i < found && i < 100; i++) {
    const char* label = objects[i].label ? objects[i].label : "?";
    printf("%s %.3f\n", label, objects[i].score);
  }
  if (found < 0) fprintf(stderr, "%s\n", error);
  OcellusVisionFree(picture.rgb);
  OcellusDetectorDelete(detector);
  free(bytes);
  return found < 0;
}
