// The interface from C++: the same headers, owned by smart pointers, on several threads; and tensors
// that hold objects.

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

// ---- Variants ----

int alive = 0;

class Numbers : public AbstractVariantData<Numbers> {
 public:
  explicit Numbers(std::vector<int> values, bool is_copy = false)
      : values(std::move(values)), is_copy(is_copy) {
    alive++;
  }
  Numbers(const Numbers& other) : Numbers(other.values, true) {}
  ~Numbers() override { alive--; }

  std::vector<int> values;
  bool is_copy;
};

// A class whose VariantData is not at its beginning.
struct Named {
  virtual ~Named() = default;
  std::string name = "shifted";
};
class Shifted : public Named, public AbstractVariantData<Shifted> {};

TfLiteTensor Variant() {
  TfLiteTensor tensor = {};
  tensor.type = kTfLiteVariant;
  tensor.dims = TfLiteIntArrayCreate(0);
  return tensor;
}

template <typename T>
T* Object(const TfLiteTensor& tensor) {
  return static_cast<T*>(static_cast<VariantData*>(tensor.data.data));
}

void Variants() {
  TfLiteTensor source = Variant(), target = Variant();
  CHECK(TfLiteTensorVariantRealloc<Numbers>(&source, std::vector<int>{1, 2, 3}) == kTfLiteOk);
  CHECK(source.allocation_type == kTfLiteVariantObject && alive == 1);
  // Into a tensor without an object, into itself, and into a tensor with one.
  CHECK(TfLiteTensorCopy(&source, &target) == kTfLiteOk && alive == 2);
  CHECK(target.allocation_type == kTfLiteVariantObject && target.data.data != source.data.data);
  CHECK(Object<Numbers>(target)->is_copy && Object<Numbers>(target)->values.back() == 3);
  CHECK(TfLiteTensorCopy(&source, &source) == kTfLiteOk && !Object<Numbers>(source)->is_copy);
  CHECK(TfLiteTensorVariantRealloc<Numbers>(&source, std::vector<int>{4}) == kTfLiteOk);
  const void* before = target.data.data;
  CHECK(TfLiteTensorCopy(&source, &target) == kTfLiteOk && alive == 2);
  CHECK(target.data.data == before && Object<Numbers>(target)->values[0] == 4);
  // In place of memory, which is freed.
  TfLiteTensorDataFree(&target);
  CHECK(alive == 1 && target.data.data == nullptr);
  target.allocation_type = kTfLiteDynamic;
  CHECK(TfLiteTensorRealloc(100, &target) == kTfLiteOk);
  target.bytes = source.bytes;
  CHECK(TfLiteTensorCopy(&source, &target) == kTfLiteOk && alive == 2);
  TfLiteTensorFree(&source);
  CHECK(alive == 1);
  // Nothing is copied, too.
  TfLiteTensor nothing = Variant();
  nothing.allocation_type = kTfLiteVariantObject;
  CHECK(TfLiteTensorCopy(&nothing, &target) == kTfLiteOk);
  CHECK(alive == 0 && target.data.data == nullptr);

  CHECK(TfLiteTensorVariantRealloc<Shifted>(&nothing) == kTfLiteOk);
  CHECK(TfLiteTensorCopy(&nothing, &target) == kTfLiteOk);
  CHECK(Object<Shifted>(target)->name == "shifted");
  TfLiteTensorFree(&nothing);
  TfLiteTensorFree(&target);
  target.type = kTfLiteInt32;
  CHECK(TfLiteTensorVariantRealloc<Shifted>(&target) == kTfLiteError);
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
  Variants();
  return finish("cplusplus_test");
}
