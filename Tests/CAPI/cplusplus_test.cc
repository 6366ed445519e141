// The interface from C++: the same headers, owned by smart pointers, on several threads.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace {

struct Delete {
  void operator()(TfLiteModel* model) const { TfLiteModelDelete(model); }
  void operator()(TfLiteInterpreter* interpreter) const { TfLiteInterpreterDelete(interpreter); }
};

template <typename T>
using Owned = std::unique_ptr<T, Delete>;

// Models are shared by threads, each of which has an interpreter of its own.
void Run(const TfLiteModel* model, float start, int* wrong) {
  Owned<TfLiteInterpreter> interpreter(TfLiteInterpreterCreate(model, nullptr));
  *wrong += TfLiteInterpreterAllocateTensors(interpreter.get()) != kTfLiteOk;
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter.get(), 0);
  std::vector<float> values(TfLiteTensorByteSize(input) / sizeof(float)), results(values.size());
  for (int run = 0; run < 200; run++) {
    for (size_t i = 0; i < values.size(); i++) values[i] = start + run + i;
    TfLiteTensorCopyFromBuffer(input, values.data(), values.size() * sizeof(float));
    *wrong += TfLiteInterpreterInvoke(interpreter.get()) != kTfLiteOk;
    TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter.get(), 0),
                             results.data(), results.size() * sizeof(float));
    for (size_t i = 0; i < values.size(); i++) *wrong += results[i] != 3 * values[i];
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  Owned<TfLiteModel> model(open_model("add"));
  std::vector<int> wrong(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < wrong.size(); i++) {
    threads.emplace_back(Run, model.get(), 1000.0f * i, &wrong[i]);
  }
  for (auto& thread : threads) thread.join();
  for (int errors : wrong) CHECK(errors == 0);
  return finish("cplusplus_test");
}
