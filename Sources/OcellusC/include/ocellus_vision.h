#ifndef OCELLUS_VISION_H_
#define OCELLUS_VISION_H_

/* Reads pictures, finds objects in them, follows and names them: libocellus_vision_c.so, which needs libpng and libturbojpeg.

     char error[256];
     OcellusDetector* detector =
         OcellusDetectorCreate("detector.tflite", NULL, error, sizeof error);
     OcellusObject objects[100];
     int32_t count = OcellusDetectorDetect(detector, rgb, width, height, 3 * width, objects, 100,
                                           error, sizeof error);

   What goes wrong is written to error, as far as there is room; it may be NULL.

   Detectors may be used by several threads, which wait for each other; a tracker by one at a time. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcellusDetector OcellusDetector;
typedef struct OcellusTracker OcellusTracker;
typedef struct OcellusLabeler OcellusLabeler;

/* A number of 0 leaves the choice to the model. */
typedef struct OcellusDetectorOptions {
  float score_threshold;
  int32_t maximum_results;
  int32_t threads;
} OcellusDetectorOptions;

/* An object in a picture, in pixels from the upper left corner. */
typedef struct OcellusObject {
  double left, top, right, bottom;
  float score;
  /* The number of its class; -1 where the model does not say. */
  int32_t category;
  /* The name of the class, for as long as the detector lives; NULL where there is none. */
  const char* label;
  /* What a tracker takes it for, from 1 on; 0 until it is sure. */
  int64_t identity;
} OcellusObject;

/* A detector of a model file, with the labels in it or beside it, or of a folder that AutoML exported; NULL,
   with an error, where it is not understood. */
OcellusDetector* OcellusDetectorCreate(const char* model_path,
                                       const OcellusDetectorOptions* options, char* error,
                                       size_t error_size);
void OcellusDetectorDelete(OcellusDetector* detector);

/* The objects in a picture of red, green and blue bytes, best first. Returns how many there are, of which
   the first are written as far as there is room; -1, with an error, where the picture cannot be one. */
int32_t OcellusDetectorDetect(OcellusDetector* detector, const uint8_t* rgb, int32_t width,
                              int32_t height, size_t bytes_per_row, OcellusObject* objects,
                              int32_t capacity, char* error, size_t error_size);

/* How the detector reads the model, and from what it knows, in JSON:
   {"explanation":[{"property":"input size","value":"320x320","source":"the model's graph"}],"warnings":[]}.
   What comes back is the caller's, for OcellusVisionFree; NULL where there is no detector. */
char* OcellusDetectorExplain(const OcellusDetector* detector);

OcellusTracker* OcellusTrackerCreate(void);
void OcellusTrackerDelete(OcellusTracker* tracker);

/* Gives the objects of the next picture their identities. Times are from any origin, and never go back.
   Returns 0, or -1, with an error; the tracker is then as it was before. */
int32_t OcellusTrackerUpdate(OcellusTracker* tracker, OcellusObject* objects, int32_t count,
                             double seconds, char* error, size_t error_size);

/* A number of 0 leaves the choice to the model. */
typedef struct OcellusLabelerOptions {
  float score_threshold;
  int32_t maximum_results;
  int32_t threads;
} OcellusLabelerOptions;

/* What a picture shows. */
typedef struct OcellusLabel {
  float score;
  int32_t category;
  /* The name of the class, for as long as the labeler lives; NULL where there is none. */
  const char* label;
} OcellusLabel;

/* A labeler of a model file or of a folder that AutoML exported; NULL, with an error, where it is not
   understood. */
OcellusLabeler* OcellusLabelerCreate(const char* model_path, const OcellusLabelerOptions* options,
                                     char* error, size_t error_size);
void OcellusLabelerDelete(OcellusLabeler* labeler);

/* What a picture of red, green and blue bytes shows, best first; returns as OcellusDetectorDetect. */
int32_t OcellusLabelerLabel(OcellusLabeler* labeler, const uint8_t* rgb, int32_t width,
                            int32_t height, size_t bytes_per_row, OcellusLabel* labels,
                            int32_t capacity, char* error, size_t error_size);

/* A picture of red, green and blue bytes, without gaps between rows. */
typedef struct OcellusPicture {
  uint8_t* rgb;
  int32_t width;
  int32_t height;
} OcellusPicture;

/* Decodes the bytes of a JPEG, PNG, BMP, PNM or NPY file, upright as its EXIF says. Returns 0, or -1, with an
   error. The pixels are the caller's, for OcellusVisionFree. */
int32_t OcellusPictureDecode(const uint8_t* bytes, size_t count, OcellusPicture* picture, char* error,
                             size_t error_size);

/* Frees what functions of this header give away. */
void OcellusVisionFree(void* memory);

#ifdef __cplusplus
}
#endif

#endif  // OCELLUS_VISION_H_
