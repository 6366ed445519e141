/* What a run takes through the C interface: `speed MODEL [SECONDS]` prints the median in microseconds, to be
   held against `ocellus bench MODEL`. */

#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include "check.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int count, char** arguments) {
  static double times[1000000];
  if (count < 2) return 2;
  double seconds = count > 2 ? atof(arguments[2]) : 3;
  TfLiteModel* model = TfLiteModelCreateFromFile(arguments[1]);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
  if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return 1;
  int runs = 0;
  for (double end = now() + seconds * 1e6; now() < end && runs < 1000000; runs++) {
    double start = now();
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return 1;
    times[runs] = now() - start;
  }
  qsort(times, runs, sizeof *times, ascending);
  printf("%.2f us, median of %d runs\n", times[runs / 2], runs);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
  return 0;
}
