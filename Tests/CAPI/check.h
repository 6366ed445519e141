/* What the programs of this folder check with. */
#ifndef CHECK_H_
#define CHECK_H_

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

static int failures = 0;

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      failures++;                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                \
  } while (0)

/* The messages of an error reporter, one behind the other. */
typedef struct Messages {
  int count;
  char text[4096];
} Messages;

static inline void collect(void* user_data, const char* format, va_list arguments) {
  Messages* messages = (Messages*)user_data;
  size_t length = strlen(messages->text);
  vsnprintf(messages->text + length, sizeof messages->text - length, format, arguments);
  messages->count++;
}

static inline int says(const Messages* messages, const char* text) {
  return strstr(messages->text, text) != NULL;
}

/* The folder with the models that c-api-models writes. */
static const char* model_folder = ".";

static inline TfLiteModel* open_model(const char* name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.tflite", model_folder, name);
  TfLiteModel* model = TfLiteModelCreateFromFile(path);
  if (!model) {
    fprintf(stderr, "there is no model %s\n", path);
    exit(2);
  }
  return model;
}

/* An interpreter with these options, which are deleted as its model is. */
static inline TfLiteInterpreter* open_interpreter(const char* name,
                                                  TfLiteInterpreterOptions* options) {
  TfLiteModel* model = open_model(name);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  return interpreter;
}

static inline int finish(const char* name) {
  printf("%s: %s\n", name, failures ? "FAILED" : "passed");
  return failures ? 1 : 0;
}

#endif  // CHECK_H_
