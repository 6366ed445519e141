/* Run with the system's libraries alone: the official library's name leads to ours, in a program that is
   linked to it and in one that opens it. */

#include <dlfcn.h>
#include <stdio.h>

#include "ocellus_c.h"
#include "tensorflow/lite/c/c_api.h"

int main(int count, char** arguments) {
  TfLiteModel* model = count > 1 ? TfLiteModelCreateFromFile(arguments[1]) : NULL;
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
  TfLiteModelDelete(model);
  if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return 1;
  if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return 2;
  if (!OcellusInterpreterGetInstructionSet(interpreter)) return 3;
  TfLiteInterpreterDelete(interpreter);

  void* official = dlopen("libtensorflowlite_c.so", RTLD_NOW | RTLD_LOCAL);
  void* own = dlopen("libocellus_c.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!official || !own) {
    fprintf(stderr, "%s\n", dlerror());
    return 4;
  }
  /* There is one library, not two that do not know each other's objects. */
  void* version = dlsym(own, "TfLiteVersion");
  if (!version || dlsym(official, "TfLiteVersion") != version) return 5;
  if ((void*)TfLiteVersion != version) return 6;
  printf("linked_name_test: passed\n");
  return 0;
}
