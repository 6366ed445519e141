#ifndef OCELLUS_VISION_H_
#define OCELLUS_VISION_H_

/* Reads pictures, and detects, tracks and classifies objects: libocellus_vision_c.so, which needs
   libpng and libturbojpeg.

     char error[256];
     OcellusDetector* detector =
         OcellusDetectorCreate("detector.tflite", NULL, error, sizeof error);
     OcellusObject objects[100];
     int32_t count = OcellusDetectorDetect(detector, rgb, width, height, 3 * width, objects, 100,
                                           error, sizeof error);

   Error messages are written to error, truncated to its size; it may be NULL.

   Several threads may share a detector, which serializes their calls. Only one thread at a time may
   use a tracker. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcellusDetector OcellusDetector;
typedef struct OcellusTracker OcellusTracker;
typedef struct OcellusLabeler OcellusLabeler;

/* The value 0 selects the model's default. */
typedef struct OcellusDetectorOptions {
  float score_threshold;
  int32_t maximum_results;
  int32_t threads;
} OcellusDetectorOptions;

/* An object in a picture, in pixels from the upper left corner. */
typedef struct OcellusObject {
  double left, top, right, bottom;
  float score;
  /* The index of the class; -1 if the model has none. */
  int32_t category;
  /* The name of the class, valid as long as the detector exists; NULL if there is none. */
  const char* label;
  /* The identity assigned by a tracker, counted from 1; 0 while it is uncertain. */
  int64_t identity;
} OcellusObject;

/* Creates a detector from a model file, with the labels in it or beside it, or from a directory
   that AutoML exported. Returns NULL, with an error, if the model is not supported. */
OcellusDetector* OcellusDetectorCreate(const char* model_path,
                                       const OcellusDetectorOptions* options, char* error,
                                       size_t error_size);
void OcellusDetectorDelete(OcellusDetector* detector);

/* Detects the objects in a picture of red, green and blue bytes, best first. Returns their
   number and stores at most `capacity` of them. Returns -1, with an error, if the picture is
   invalid. */
int32_t OcellusDetectorDetect(OcellusDetector* detector, const uint8_t* rgb, int32_t width,
                              int32_t height, size_t bytes_per_row, OcellusObject* objects,
                              int32_t capacity, char* error, size_t error_size);

/* Explains how the detector interprets the model, with the source of each decision, as JSON:
   {"explanation":[{"property":"input size","value":"320x320","source":"the model's
   graph"}],"warnings":[]}. The caller owns the string; free it with OcellusVisionFree. Returns
   NULL if there is no detector. */
char* OcellusDetectorExplain(const OcellusDetector* detector);

OcellusTracker* OcellusTrackerCreate(void);
void OcellusTrackerDelete(OcellusTracker* tracker);

/* Assigns identities to the objects of the next picture. Times have an arbitrary origin and must
   not decrease. Returns 0, or -1 with an error, in which case the tracker is unchanged. */
int32_t OcellusTrackerUpdate(OcellusTracker* tracker, OcellusObject* objects, int32_t count,
                             double seconds, char* error, size_t error_size);

/* The value 0 selects the model's default. */
typedef struct OcellusLabelerOptions {
  float score_threshold;
  int32_t maximum_results;
  int32_t threads;
} OcellusLabelerOptions;

/* A class of a picture. */
typedef struct OcellusLabel {
  float score;
  int32_t category;
  /* The name of the class, valid as long as the labeler exists; NULL if there is none. */
  const char* label;
} OcellusLabel;

/* Creates a labeler from a model file or from a directory that AutoML exported. Returns NULL,
   with an error, if the model is not supported. */
OcellusLabeler* OcellusLabelerCreate(const char* model_path, const OcellusLabelerOptions* options,
                                     char* error, size_t error_size);
void OcellusLabelerDelete(OcellusLabeler* labeler);

/* Classifies a picture of red, green and blue bytes, best class first. Returns like
   OcellusDetectorDetect. */
int32_t OcellusLabelerLabel(OcellusLabeler* labeler, const uint8_t* rgb, int32_t width,
                            int32_t height, size_t bytes_per_row, OcellusLabel* labels,
                            int32_t capacity, char* error, size_t error_size);

/* A picture of red, green and blue bytes, without gaps between rows. */
typedef struct OcellusPicture {
  uint8_t* rgb;
  int32_t width;
  int32_t height;
} OcellusPicture;

/* Decodes the bytes of a JPEG, PNG, BMP, PNM or NPY file, upright by its EXIF orientation.
   Returns 0, or -1 with an error. The caller owns the pixels; free them with OcellusVisionFree. */
int32_t OcellusPictureDecode(const uint8_t* bytes, size_t count, OcellusPicture* picture, char* error,
                             size_t error_size);

/* Frees memory that functions of this header return. */
void OcellusVisionFree(void* memory);

#ifdef __cplusplus
}
#endif

#endif  // OCELLUS_VISION_H_
