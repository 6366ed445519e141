/* Calls in random order with random arguments, right and wrong: `random_calls FOLDER CALLS [SEED]`.

   Whatever order they come in, they answer, and the tensors that they show can be read and written. */

#include <stdint.h>

#include "check.h"
#include "ocellus_c.h"

#define SLOTS 4

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % limit;
}

static TfLiteModel* models[SLOTS];
static TfLiteInterpreterOptions* options[SLOTS];
static TfLiteInterpreter* interpreters[SLOTS];
static TfLiteSignatureRunner* runners[SLOTS];
static TfLiteDelegate* xnnpack;
static TfLiteOperator* operators[2];
static _Alignas(64) char memory[SLOTS][4096];
static const char* names[] = {"add", "add_quantized", "multi_signatures", "unresolved", "sandwich",
                              "variable", "strings", "dynamic", "no_signatures",
                              "unknown_operator"};

static void ignore(void* data, const char* format, va_list arguments) {
  char text[256];
  vsnprintf(text, sizeof text, format, arguments);
  (void)data;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
  switch (below(12)) {
    case 0: return kTfLiteError;
    case 1: TfLiteOpaqueContextReportError(context, "%s %d %f", "report", 3, 4.5);
  }
  if (TfLiteOpaqueTensorType(output) == kTfLiteString || below(4) == 0) {
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(output);
    return kTfLiteOk;
  }
  TfLiteIntArray* shape = TfLiteIntArrayCreate(TfLiteOpaqueTensorNumDims(input));
  for (int i = 0; i < shape->size; i++) shape->data[i] = TfLiteOpaqueTensorDim(input, i);
  return TfLiteOpaqueContextResizeTensor(context, output, shape);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
  if (below(12) == 0) return kTfLiteError;
  if (TfLiteOpaqueTensorGetAllocationType(output) == kTfLiteDynamic) {
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    shape->data[0] = (int)below(4);
    if (TfLiteOpaqueTensorType(output) == kTfLiteString) {
      const char* texts[] = {"a", "bc", "", "def"};
      int lengths[] = {1, 2, 0, 3};
      TfLiteOpaqueTensorWriteStrings(output, texts, shape->data[0], lengths);
    }
    TfLiteOpaqueContextResizeTensor(context, output, shape);
  }
  size_t size = TfLiteOpaqueTensorByteSize(output);
  if (TfLiteOpaqueTensorType(output) != kTfLiteString && TfLiteOpaqueTensorData(output)) {
    memset(TfLiteOpaqueTensorData(output), 1, size);
  }
  (void)input;
  return kTfLiteOk;
}

/* Reads all that is shown of a tensor, and writes what may be written. */
static void touch(const TfLiteTensor* tensor, bool writes) {
  if (!tensor) return;
  for (int i = 0; i < TfLiteTensorNumDims(tensor); i++) TfLiteTensorDim(tensor, i);
  if (TfLiteTensorName(tensor)) (void)strlen(TfLiteTensorName(tensor));
  volatile char sum = 0;
  const char* data = TfLiteTensorData(tensor);
  size_t size = TfLiteTensorByteSize(tensor);
  if (data) for (size_t i = 0; i < size; i++) sum += data[i];
  if (writes && tensor->type == kTfLiteString) {
    const char* texts[] = {"one", "two", "three"};
    int lengths[] = {3, 3, 5};
    TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)tensor, texts, (int)below(4), lengths);
  } else if (writes && data && tensor->allocation_type != kTfLiteMmapRo) {
    memset((char*)data, (int)below(2), size);
  }
}

static int* extents(int* rank) {
  static int dims[8];
  static const int sizes[] = {0, 1, 2, 3, 4, 8, -1, 1 << 30};
  *rank = (int)below(6) - 1;
  for (int i = 0; i < 8; i++) dims[i] = sizes[below(below(4) ? 6 : 8)];
  return below(20) ? dims : NULL;
}

/* Gigabytes would be answered too, but take their time. */
static TfLiteInterpreterOptions* make_options(void) {
  OcellusBudget budget = {1 << 22, 1 << 26, 0};
  TfLiteInterpreterOptions* made = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetErrorReporter(made, ignore, NULL);
  OcellusInterpreterOptionsSetBudget(made, &budget);
  return made;
}

static void change_options(TfLiteInterpreterOptions** slot) {
  switch (below(11)) {
    case 0: TfLiteInterpreterOptionsDelete(*slot); *slot = NULL; break;
    case 1: OcellusInterpreterOptionsSetKeepsTensors(*slot, below(2)); break;
    case 2: TfLiteInterpreterOptionsSetNumThreads(*slot, (int)below(4) - 1); break;
    case 3: TfLiteInterpreterOptionsEnableCancellation(*slot, below(2)); break;
    case 4: TfLiteInterpreterOptionsAddDelegate(*slot, below(2) ? xnnpack : NULL); break;
    case 5: TfLiteInterpreterOptionsAddOperator(*slot, operators[below(2)]); break;
    case 6: {
      TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(*slot);
      TfLiteInterpreterOptionsDelete(*slot);
      *slot = copy;
      break;
    }
    case 7: OcellusInterpreterOptionsSetTuning(*slot, 1e-3 * below(3) - 1e-3, NULL); break;
    default: break;
  }
  TfLiteInterpreterOptionsSetErrorReporter(*slot, ignore, NULL);
}

static void use_runner(TfLiteSignatureRunner** slot, TfLiteInterpreter* interpreter) {
  static const char* keys[] = {"add", "sub", "x", "", "x1"};
  int rank, *dims = extents(&rank);
  const char* name = below(8) ? keys[below(5)] : NULL;
  switch (below(8)) {
    case 0: TfLiteSignatureRunnerDelete(*slot); *slot = NULL; break;
    case 1: if (!*slot) *slot = TfLiteInterpreterGetSignatureRunner(interpreter, name); break;
    case 2: TfLiteSignatureRunnerResizeInputTensor(*slot, name, dims, rank); break;
    case 3: TfLiteSignatureRunnerAllocateTensors(*slot); break;
    case 4: TfLiteSignatureRunnerInvoke(*slot); break;
    case 5: touch(TfLiteSignatureRunnerGetInputTensor(*slot, name), true); break;
    case 6: touch(TfLiteSignatureRunnerGetOutputTensor(*slot, "output_0"), false); break;
    default: TfLiteSignatureRunnerGetInputName(*slot, (int)below(4) - 1); break;
  }
}

static void use_interpreter(TfLiteInterpreter* interpreter, char* own) {
  int rank, *dims = extents(&rank), index = (int)below(5) - 1;
  switch (below(14)) {
    case 0: TfLiteInterpreterResizeInputTensor(interpreter, index, dims, rank); break;
    case 1: case 2: case 3: TfLiteInterpreterAllocateTensors(interpreter); break;
    case 4: case 5: case 6: TfLiteInterpreterInvoke(interpreter); break;
    case 7: touch(TfLiteInterpreterGetInputTensor(interpreter, index), true); break;
    case 8: touch(TfLiteInterpreterGetOutputTensor(interpreter, index), false); break;
    case 9: touch(TfLiteInterpreterGetTensor(interpreter, index), false); break;
    case 10: TfLiteInterpreterResetVariableTensors(interpreter); break;
    case 11: touch(TfLiteInterpreterGetVariableTensor(interpreter, index), true); break;
    case 12: TfLiteInterpreterCancel(interpreter); break;
    default: {
      TfLiteCustomAllocation allocation = {own + below(2), below(2) ? 4000 : 16};
      if (below(20) == 0) {
        TfLiteInterpreterSetCustomAllocationForTensor(interpreter, index, &allocation, below(2));
      }
      if (below(20) == 0) TfLiteInterpreterModifyGraphWithDelegate(interpreter, xnnpack);
      if (below(20) == 0) OcellusStringDelete(OcellusInterpreterProfile(interpreter, 1));
      if (below(20) == 0) OcellusStringDelete(OcellusInterpreterAudit(interpreter));
      if (below(20) == 0) OcellusStringDelete(OcellusInterpreterReceipt(interpreter));
      if (below(20) == 0) OcellusStringDelete(OcellusInterpreterTrace(interpreter));
      if (below(20) == 0) OcellusStringDelete(OcellusInterpreterNodes(interpreter));
    }
  }
}

static void call(void) {
  uint32_t slot = below(SLOTS);
  switch (below(16)) {
    case 0:
      TfLiteModelDelete(models[slot]);
      models[slot] = below(3) ? open_model(names[below(10)]) : NULL;
      break;
    case 1: change_options(&options[slot]); break;
    case 2:
      if (!interpreters[slot]) {
        interpreters[slot] = TfLiteInterpreterCreate(models[below(SLOTS)], options[slot]);
      } else if (below(8) == 0) {
        TfLiteInterpreterDelete(interpreters[slot]);
        interpreters[slot] = NULL;
      }
      break;
    case 3: case 4: case 5: use_runner(&runners[slot], interpreters[below(SLOTS)]); break;
    default: use_interpreter(interpreters[slot], memory[slot]);
  }
}

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  long calls = count > 2 ? atol(arguments[2]) : 100000;
  state = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
  xnnpack = TfLiteXNNPackDelegateCreate(NULL);
  const char* own[] = {"Sinh", "Shout"};
  for (int i = 0; i < 2; i++) {
    operators[i] = TfLiteOperatorCreate(kTfLiteBuiltinCustom, own[i], 1, NULL);
    TfLiteOperatorSetPrepare(operators[i], prepare);
    TfLiteOperatorSetInvoke(operators[i], invoke);
  }
  for (int i = 0; i < SLOTS; i++) options[i] = make_options();
  for (long i = 0; i < calls; i++) {
    call();
    /* Interpreters without options would fill the terminal. */
    for (int slot = 0; slot < SLOTS; slot++) {
      if (!options[slot]) options[slot] = make_options();
    }
  }
  for (int i = 0; i < SLOTS; i++) {
    TfLiteInterpreterDelete(interpreters[i]);
    TfLiteSignatureRunnerDelete(runners[i]);
    TfLiteInterpreterOptionsDelete(options[i]);
    TfLiteModelDelete(models[i]);
  }
  TfLiteOperatorDelete(operators[0]);
  TfLiteOperatorDelete(operators[1]);
  TfLiteXNNPackDelegateDelete(xnnpack);
  printf("%ld calls answered\n", calls);
  return 0;
}
