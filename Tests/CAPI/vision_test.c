/* Objects found in pictures, followed and named: `vision_test FOLDER DETECTOR LABELER`, with the models that come with
   the package. */

#include "odd_path.h"

#include "check.h"
#include "ocellus_vision.h"

#define SIDE 256

/* A picture of one colour with a square of another at a place. */
static void draw(uint8_t* rgb, size_t row, int x) {
  for (int i = 0; i < SIDE; i++) {
    for (int j = 0; j < SIDE; j++) {
      int inside = i >= 90 && i < 170 && j >= x && j < x + 80;
      memset(rgb + i * row + 3 * j, inside ? 230 : 40, 3);
    }
  }
}

static void misuse(OcellusDetector* detector) {
  char error[64] = "";
  static uint8_t rgb[SIDE * SIDE * 3];
  OcellusObject object;
  CHECK(!OcellusDetectorCreate("nothing.tflite", NULL, error, sizeof error) && strlen(error) > 0);
  CHECK(!OcellusDetectorCreate(NULL, NULL, NULL, 0));
  // Wherever a message is cut, no character of two bytes is.
  for (size_t size = 1; size <= sizeof error; size++) {
    OcellusDetectorCreate("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc/nothing.tflite", NULL, error, size);
    int balance = 0;
    for (const unsigned char* byte = (const unsigned char*)error; *byte; byte++) {
      balance += (*byte & 0xc0) == 0xc0 ? 1 : (*byte & 0xc0) == 0x80 ? -1 : 0;
    }
    CHECK(balance == 0);
  }
  CHECK(OcellusDetectorDetect(NULL, rgb, 2, 2, 6, &object, 1, error, sizeof error) == -1);
  CHECK(OcellusDetectorDetect(detector, NULL, 2, 2, 6, &object, 1, error, sizeof error) == -1);
  CHECK(OcellusDetectorDetect(detector, rgb, 0, 2, 6, &object, 1, error, sizeof error) == -1);
  CHECK(OcellusDetectorDetect(detector, rgb, 2, -2, 6, &object, 1, error, sizeof error) == -1);
  CHECK(OcellusDetectorDetect(detector, rgb, 4, 2, 6, &object, 1, error, sizeof error) == -1);
  CHECK(OcellusDetectorDetect(detector, rgb, SIDE, SIDE, 3 * SIDE, NULL, 9, NULL, 0) >= 0);
  CHECK(OcellusTrackerUpdate(NULL, &object, 1, 0, error, 3) == -1 && strlen(error) == 2);
  OcellusDetectorDelete(NULL);
  OcellusTrackerDelete(NULL);
  CHECK(OcellusDetectorExplain(NULL) == NULL);
  OcellusLabel label;
  CHECK(!OcellusLabelerCreate("nothing.tflite", NULL, error, sizeof error) && strlen(error) > 0);
  CHECK(OcellusLabelerLabel(NULL, rgb, 2, 2, 6, &label, 1, error, sizeof error) == -1);
  OcellusLabelerDelete(NULL);
  OcellusPicture picture;
  CHECK(OcellusPictureDecode(NULL, 3, &picture, error, sizeof error) == -1);
  CHECK(OcellusPictureDecode(NULL, 0, &picture, error, sizeof error) == -1);
  CHECK(OcellusPictureDecode(rgb, sizeof rgb, &picture, error, sizeof error) == -1);
  CHECK(OcellusPictureDecode(rgb, sizeof rgb, NULL, NULL, 0) == -1);
  OcellusVisionFree(NULL);
}

/* Models whose paths are no text. */
static void paths(const char* detector_path, const char* labeler_path) {
  char error[256] = "";
  OddPath odd = make_odd_path(detector_path);
  OcellusDetector* detector = OcellusDetectorCreate(odd.file, NULL, error, sizeof error);
  CHECK(detector != NULL);
  OcellusDetectorDelete(detector);
  remove_odd_path(&odd);
  odd = make_odd_path(labeler_path);
  OcellusLabeler* labeler = OcellusLabelerCreate(odd.file, NULL, error, sizeof error);
  CHECK(labeler != NULL);
  OcellusLabelerDelete(labeler);
  remove_odd_path(&odd);
}

/* Files of pictures become red, green and blue bytes. */
static void decode(void) {
  char error[64] = "";
  const uint8_t file[] = "P6 2 1 255\n\x01\x02\x03\x04\x05\x06";
  OcellusPicture picture;
  CHECK(OcellusPictureDecode(file, sizeof file - 1, &picture, error, sizeof error) == 0);
  CHECK(picture.width == 2 && picture.height == 1);
  for (int i = 0; i < 6; i++) CHECK(picture.rgb[i] == i + 1);
  OcellusVisionFree(picture.rgb);
}

/* What a picture shows, best first. */
static void name(const char* path) {
  char error[256] = "";
  OcellusLabelerOptions options = {0, 3, 1};
  OcellusLabeler* labeler = OcellusLabelerCreate(path, &options, error, sizeof error);
  if (!labeler) fprintf(stderr, "%s\n", error);
  CHECK(labeler != NULL);
  static uint8_t rgb[SIDE * SIDE * 3];
  draw(rgb, 3 * SIDE, 80);
  OcellusLabel labels[3];
  int32_t found =
      OcellusLabelerLabel(labeler, rgb, SIDE, SIDE, 3 * SIDE, labels, 3, error, sizeof error);
  CHECK(found >= 0 && found <= 3);
  for (int i = 0; i < found; i++) {
    CHECK(labels[i].category >= 0 && labels[i].label != NULL && strlen(labels[i].label) > 0);
    if (i > 0) CHECK(labels[i].score <= labels[i - 1].score);
  }
  CHECK(OcellusLabelerLabel(labeler, rgb, SIDE, SIDE, 5, labels, 3, error, sizeof error) == -1);
  OcellusLabelerDelete(labeler);
}

/* An object that moves keeps its identity; another one far away gets one of its own. */
static void follow(void) {
  OcellusTracker* tracker = OcellusTrackerCreate();
  int64_t first = 0, second = 0;
  for (int frame = 0; frame < 10; frame++) {
    OcellusObject objects[2] = {
        {10.0 + frame, 10, 60.0 + frame, 60, 0.9f, 1, NULL, 7},
        {400, 400, 480, 480, 0.8f, 2, NULL, 7},
    };
    CHECK(OcellusTrackerUpdate(tracker, objects, 2, frame / 30.0, NULL, 0) == 0);
    if (frame == 5) first = objects[0].identity, second = objects[1].identity;
    if (frame > 5) CHECK(objects[0].identity == first && objects[1].identity == second);
  }
  CHECK(first > 0 && second > 0 && first != second);
  CHECK(OcellusTrackerUpdate(tracker, NULL, 0, -5, NULL, 0) == -1);
  CHECK(OcellusTrackerUpdate(tracker, NULL, 0, 1e300, NULL, 0) == -1);
  CHECK(OcellusTrackerUpdate(tracker, NULL, 1, 9, NULL, 0) == -1);
  OcellusTrackerDelete(tracker);
}

int main(int count, char** arguments) {
  if (count < 4) return 2;
  char error[256] = "";
  OcellusDetectorOptions options = {0.1f, 5, 1};
  OcellusDetector* detector = OcellusDetectorCreate(arguments[2], &options, error, sizeof error);
  if (!detector) fprintf(stderr, "%s\n", error);
  CHECK(detector != NULL);
  /* Rows may be longer than their pixels. */
  static uint8_t rgb[SIDE * (3 * SIDE + 5)];
  draw(rgb, 3 * SIDE + 5, 80);
  OcellusObject objects[5];
  memset(objects, 0xff, sizeof objects);
  int32_t found = OcellusDetectorDetect(detector, rgb, SIDE, SIDE, 3 * SIDE + 5, objects, 5, error,
                                        sizeof error);
  CHECK(found >= 1 && found <= 5);
  /* The best one is where the square is. */
  CHECK(objects[0].left < 120 && objects[0].right > 120);
  CHECK(objects[0].top < 130 && objects[0].bottom > 130);
  for (int i = 0; i < found; i++) {
    CHECK(objects[i].score >= 0.1f && objects[i].score <= 1);
    CHECK(objects[i].left < objects[i].right && objects[i].top < objects[i].bottom);
    CHECK(objects[i].right <= SIDE && objects[i].category >= 0 && objects[i].identity == 0);
    CHECK(objects[i].label == NULL || strlen(objects[i].label) > 0);
    if (i > 0) CHECK(objects[i].score <= objects[i - 1].score);
  }
  printf("%d objects\n", found);
  misuse(detector);
  paths(arguments[2], arguments[3]);
  follow();
  decode();
  name(arguments[3]);
  char* explanation = OcellusDetectorExplain(detector);
  CHECK(explanation != NULL && strstr(explanation, "\"property\"") != NULL);
  OcellusVisionFree(explanation);
  OcellusDetectorDelete(detector);
  return finish("vision_test");
}
