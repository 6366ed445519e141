/* Makes, runs and deletes interpreters: `soak FOLDER CYCLES`. Memory must stay as it is. */

#include <unistd.h>

#include "check.h"

/* The kibibytes that the process has in memory. */
static long resident(void) {
  long total = 0, pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  if (file) fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void cycle(void) {
  const char* names[] = {"add", "add_quantized", "multi_signatures", "variable", "dynamic"};
  for (int i = 0; i < 5; i++) {
    TfLiteInterpreter* interpreter = open_interpreter(names[i], NULL);
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, NULL);
    CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
    TfLiteSignatureRunnerDelete(runner);
  }
}

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  int cycles = count > 2 ? atoi(arguments[2]) : 10000;
  for (int i = 0; i < cycles / 10; i++) cycle();
  long before = resident();
  for (int i = 0; i < cycles; i++) cycle();
  long after = resident();
  printf("%d cycles: %ld KiB before, %ld KiB after\n", cycles, before, after);
  CHECK(after - before < 512);
  return finish("soak");
}
