/* What the official library's own tests say of its C interface, where that can be asked of any library; and
   misuse, which is answered. */

#include "check.h"

#include "ocellus_c.h"

static TfLiteInterpreterOptions* reporting(Messages* messages) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  memset(messages, 0, sizeof *messages);
  TfLiteInterpreterOptionsSetErrorReporter(options, collect, messages);
  return options;
}

static void versions(void) {
  CHECK(strlen(TfLiteVersion()) > 0);
  CHECK(strlen(TfLiteExtensionApisVersion()) > 0);
  CHECK(TfLiteSchemaVersion() == 3);
}

static void smoke(void) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  CHECK(options != NULL);
  TfLiteInterpreterOptionsSetNumThreads(options, 2);
  TfLiteInterpreter* interpreter = open_interpreter("add", options);
  CHECK(interpreter != NULL);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterGetInputTensorCount(interpreter) == 1);
  CHECK(TfLiteInterpreterGetOutputTensorCount(interpreter) == 1);
  CHECK(TfLiteInterpreterInputTensorIndices(interpreter)[0] == 0);
  CHECK(TfLiteInterpreterOutputTensorIndices(interpreter)[0] == 2);
  int dims[] = {2};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);

  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteTensorType(input) == kTfLiteFloat32);
  CHECK(TfLiteTensorNumDims(input) == 1 && TfLiteTensorDim(input, 0) == 2);
  CHECK(TfLiteTensorByteSize(input) == 8 && TfLiteTensorData(input) != NULL);
  CHECK(strcmp(TfLiteTensorName(input), "input") == 0);
  TfLiteQuantizationParams params = TfLiteTensorQuantizationParams(input);
  CHECK(params.scale == 0 && params.zero_point == 0);
  CHECK(TfLiteInterpreterGetTensor(interpreter, 0) == input);
  float values[] = {1, 3}, results[2] = {0, 0};
  CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof values) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
  CHECK(TfLiteTensorDim(output, 0) == 2 && strcmp(TfLiteTensorName(output), "output") == 0);
  CHECK(TfLiteTensorCopyToBuffer(output, results, sizeof results) == kTfLiteOk);
  CHECK(results[0] == 3 && results[1] == 9);
  /* The fields of the structure are the same facts. */
  CHECK(output->data.f[1] == 9 && output->dims->data[0] == 2 && output->bytes == 8);
  TfLiteInterpreterDelete(interpreter);
}

static void profiles(void) {
  Messages messages;
  TfLiteInterpreterOptions* options = reporting(&messages);
  TfLiteInterpreter* interpreter = open_interpreter("add", options);
  CHECK(OcellusInterpreterProfile(interpreter, 3) == NULL);
  CHECK(says(&messages, "not ready"));
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(OcellusInterpreterProfile(interpreter, 0) == NULL);
  CHECK(OcellusInterpreterProfile(NULL, 3) == NULL);
  char* profile = OcellusInterpreterProfile(interpreter, 3);
  CHECK(profile != NULL && profile[0] == '{' && profile[strlen(profile) - 1] == '}');
  CHECK(strstr(profile, "\"steps\"") != NULL && strstr(profile, "\"ADD\"") != NULL);
  OcellusStringDelete(profile);
  OcellusStringDelete(NULL);
  TfLiteInterpreterDelete(interpreter);
}

static void audits(void) {
  Messages messages;
  TfLiteInterpreterOptions* options = reporting(&messages);
  TfLiteInterpreter* interpreter = open_interpreter("add", options);
  CHECK(OcellusInterpreterAudit(interpreter) == NULL);
  CHECK(says(&messages, "not ready"));
  CHECK(OcellusInterpreterReceipt(interpreter) == NULL && says(&messages, "not ready"));
  CHECK(OcellusInterpreterTrace(interpreter) == NULL && says(&messages, "not ready"));
  CHECK(OcellusInterpreterAudit(NULL) == NULL && OcellusInterpreterReceipt(NULL) == NULL);
  CHECK(OcellusInterpreterTrace(NULL) == NULL && OcellusInterpreterNodes(NULL) == NULL);
  char* nodes = OcellusInterpreterNodes(interpreter);
  CHECK(nodes != NULL && strstr(nodes, "\"op_name\": \"ADD\"") != NULL);
  OcellusStringDelete(nodes);
  int dims[] = {2};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  float values[] = {1, 3}, results[2] = {0, 0};
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof values) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  values[0] = 2;
  CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof values) == kTfLiteOk);
  char* audit = OcellusInterpreterAudit(interpreter);
  CHECK(audit != NULL && strstr(audit, "\"ocellus-audit\"") != NULL);
  /* Two numbers, and the larger of their sums with themselves. */
  CHECK(strstr(audit, "\"shape\": [2]") != NULL && strstr(audit, "\"maximum\": 9") != NULL);
  CHECK(strstr(audit, "have the same bits as model@reference") != NULL);
  OcellusStringDelete(audit);
  char* receipt = OcellusInterpreterReceipt(interpreter);
  CHECK(receipt != NULL && strstr(receipt, "\"ocellus-receipt\"") != NULL);
  CHECK(strstr(receipt, "\"version\": \"0") != NULL);
  OcellusStringDelete(receipt);
  char* trace = OcellusInterpreterTrace(interpreter);
  CHECK(trace != NULL && strstr(trace, "\"ocellus-trace\"") != NULL);
  OcellusStringDelete(trace);
  /* The interpreter still has the results of its own run. */
  const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
  CHECK(TfLiteTensorCopyToBuffer(output, results, sizeof results) == kTfLiteOk);
  CHECK(results[0] == 3 && results[1] == 9);
  TfLiteInterpreterDelete(interpreter);
}

static void quantization(void) {
  TfLiteInterpreter* interpreter = open_interpreter("add_quantized", NULL);
  int dims[] = {2};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteTensorQuantizationParams(input).scale == 0.003922f);
  CHECK(input->quantization.type == kTfLiteAffineQuantization);
  const TfLiteAffineQuantization* affine = input->quantization.params;
  CHECK(affine->scale->size == 1 && affine->scale->data[0] == 0.003922f);
  CHECK(affine->zero_point->data[0] == 0);
  uint8_t values[] = {1, 3}, results[2] = {0, 0};
  CHECK(TfLiteTensorCopyFromBuffer(input, values, 2) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), results, 2) ==
        kTfLiteOk);
  CHECK(results[0] == 3 && results[1] == 9);
  TfLiteInterpreterDelete(interpreter);
}

static void models(void) {
  Messages messages = {0, ""};
  char garbage[20];
  memset(garbage, 'c', sizeof garbage);
  CHECK(!TfLiteModelCreateWithErrorReporter(garbage, sizeof garbage, collect, &messages));
  CHECK(messages.count == 1);
  CHECK(strcmp(messages.text, "The model is not a valid Flatbuffer buffer") == 0);
  memset(&messages, 0, sizeof messages);
  CHECK(!TfLiteModelCreateFromFileWithErrorReporter("invalid/path/%s.tflite", collect, &messages));
  CHECK(says(&messages, "Could not open 'invalid/path/%s.tflite'."));
  CHECK(!TfLiteModelCreateWithErrorReporter(NULL, 0, collect, &messages));
  CHECK(!TfLiteModelCreateFromFileWithErrorReporter(NULL, collect, &messages));
  /* A model in memory, at every alignment. */
  char path[1024];
  snprintf(path, sizeof path, "%s/add.tflite", model_folder);
  FILE* file = fopen(path, "rb");
  static _Alignas(64) char bytes[1 << 16];
  for (size_t offset = 0; offset < 5; offset++) {
    rewind(file);
    size_t size = fread(bytes + offset, 1, sizeof bytes - offset, file);
    TfLiteModel* model = TfLiteModelCreate(bytes + offset, size);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
    TfLiteModelDelete(model);
    CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
  }
  fclose(file);
}

static void states(void) {
  Messages messages;
  TfLiteInterpreter* interpreter = open_interpreter("add", reporting(&messages));
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(messages.count == 1);
  CHECK(strcmp(messages.text, "Invoke called on model that is not ready.") == 0);
  CHECK(TfLiteTensorData(input) == NULL && TfLiteTensorByteSize(input) == 1 * 8 * 8 * 3 * 4);
  static char zeros[768];
  CHECK(TfLiteTensorCopyFromBuffer(input, zeros, sizeof zeros) == kTfLiteError);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorCopyFromBuffer(input, zeros, sizeof zeros) == kTfLiteOk);
  CHECK(TfLiteTensorCopyFromBuffer(input, NULL, sizeof zeros) == kTfLiteError);
  CHECK(TfLiteTensorCopyFromBuffer(input, zeros, 767) == kTfLiteError);
  /* The same extents change nothing; others take the memory away until they are allocated. */
  int same[] = {1, 8, 8, 3}, other[] = {3};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, same, 4) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, other, 1) == kTfLiteOk);
  CHECK(TfLiteTensorData(input) == NULL && TfLiteTensorByteSize(input) == 12);
  CHECK(TfLiteTensorNumDims(TfLiteInterpreterGetOutputTensor(interpreter, 0)) == 4);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  /* A scalar, and nothing at all. */
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, NULL, 0) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorByteSize(input) == 4 && TfLiteTensorNumDims(input) == 0);
  int nothing[] = {0}, negative[] = {-1}, huge[] = {1 << 30, 1 << 30, 1 << 30};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, nothing, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorData(input) == NULL && TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorCopyFromBuffer(input, NULL, 0) == kTfLiteOk);
  messages.text[0] = 0;
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, negative, 1) == kTfLiteError);
  CHECK(says(&messages, "BytesRequired number of bytes overflowed"));
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, huge, 3) == kTfLiteError);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, NULL, 1) == kTfLiteError);
  CHECK(says(&messages, "ResizeInputTensor was given a NULL shape."));
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, same, -4) == kTfLiteError);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 1, same, 4) == kTfLiteError);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, -1, same, 4) == kTfLiteError);
  /* Extents that the graph cannot have are found when they are allocated, and can be taken back. */
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, huge, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteError);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteError);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, same, 4) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
}

static void signatures(void) {
  Messages messages;
  TfLiteInterpreter* interpreter = open_interpreter("multi_signatures", reporting(&messages));
  CHECK(TfLiteInterpreterGetSignatureCount(interpreter) == 2);
  CHECK(strcmp(TfLiteInterpreterGetSignatureKey(interpreter, 0), "add") == 0);
  CHECK(strcmp(TfLiteInterpreterGetSignatureKey(interpreter, 1), "sub") == 0);
  CHECK(!TfLiteInterpreterGetSignatureKey(interpreter, -1));
  CHECK(!TfLiteInterpreterGetSignatureKey(interpreter, 2));
  CHECK(!TfLiteInterpreterGetSignatureRunner(interpreter, "foo"));
  const char* keys[] = {"add", "sub"};
  float expected[2][2] = {{4, 6}, {0, 2}};
  TfLiteSignatureRunner* runner = NULL;
  for (int signature = 0; signature < 2; signature++) {
    runner = TfLiteInterpreterGetSignatureRunner(interpreter, keys[signature]);
    CHECK(runner != NULL);
    CHECK(TfLiteSignatureRunnerGetInputCount(runner) == 1);
    CHECK(strcmp(TfLiteSignatureRunnerGetInputName(runner, 0), "x") == 0);
    CHECK(!TfLiteSignatureRunnerGetInputName(runner, -1));
    CHECK(!TfLiteSignatureRunnerGetInputName(runner, 1));
    CHECK(TfLiteSignatureRunnerGetOutputCount(runner) == 1);
    CHECK(strcmp(TfLiteSignatureRunnerGetOutputName(runner, 0), "output_0") == 0);
    CHECK(!TfLiteSignatureRunnerGetOutputName(runner, 1));
    CHECK(TfLiteSignatureRunnerInvoke(runner) == kTfLiteError);
    int dims[] = {2}, flat[] = {1, 2};
    CHECK(TfLiteSignatureRunnerResizeInputTensor(runner, "x", flat, 2) == kTfLiteError);
    CHECK(TfLiteSignatureRunnerResizeInputTensor(runner, "x", dims, 1) == kTfLiteOk);
    CHECK(TfLiteSignatureRunnerResizeInputTensor(runner, "y", dims, 1) == kTfLiteError);
    CHECK(says(&messages, "Input name y was not found"));
    CHECK(TfLiteSignatureRunnerAllocateTensors(runner) == kTfLiteOk);
    TfLiteTensor* input = TfLiteSignatureRunnerGetInputTensor(runner, "x");
    CHECK(!TfLiteSignatureRunnerGetInputTensor(runner, "foo"));
    const TfLiteTensor* output = TfLiteSignatureRunnerGetOutputTensor(runner, "output_0");
    CHECK(!TfLiteSignatureRunnerGetOutputTensor(runner, "foo"));
    CHECK(says(&messages, "Output name foo was not found"));
    float values[] = {2, 4}, results[2];
    CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof values) == kTfLiteOk);
    CHECK(TfLiteSignatureRunnerInvoke(runner) == kTfLiteOk);
    CHECK(TfLiteTensorCopyToBuffer(output, results, sizeof results) == kTfLiteOk);
    CHECK(memcmp(results, expected[signature], sizeof results) == 0);
    if (signature == 0) TfLiteSignatureRunnerDelete(runner);
  }
  /* A runner may be deleted after its interpreter, and answers until then. */
  TfLiteInterpreterDelete(interpreter);
  CHECK(TfLiteSignatureRunnerInvoke(runner) == kTfLiteError);
  CHECK(TfLiteSignatureRunnerGetInputCount(runner) == 0);
  CHECK(!TfLiteSignatureRunnerGetInputTensor(runner, "x"));
  TfLiteSignatureRunnerDelete(runner);
}

/* A subgraph that a signature names keeps its tensors while another one calls it with other extents. */
static void branches(void) {
  TfLiteInterpreter* interpreter = open_interpreter("branching", NULL);
  TfLiteSignatureRunner* branch = TfLiteInterpreterGetSignatureRunner(interpreter, "branch");
  TfLiteSignatureRunner* main = TfLiteInterpreterGetSignatureRunner(interpreter, "main");
  int two[] = {2}, many[] = {100000};
  CHECK(TfLiteSignatureRunnerResizeInputTensor(branch, "x", two, 1) == kTfLiteOk);
  CHECK(TfLiteSignatureRunnerAllocateTensors(branch) == kTfLiteOk);
  TfLiteTensor* input = TfLiteSignatureRunnerGetInputTensor(branch, "x");
  const TfLiteTensor* output = TfLiteSignatureRunnerGetOutputTensor(branch, "y");
  float values[] = {-1, -2}, results[2];
  memcpy(TfLiteTensorData(input), values, sizeof values);
  CHECK(TfLiteSignatureRunnerResizeInputTensor(main, "x", many, 1) == kTfLiteOk);
  CHECK(TfLiteSignatureRunnerAllocateTensors(main) == kTfLiteOk);
  *(bool*)TfLiteTensorData(TfLiteSignatureRunnerGetInputTensor(main, "condition")) = true;
  TfLiteTensor* large = TfLiteSignatureRunnerGetInputTensor(main, "x");
  for (int i = 0; i < many[0]; i++) ((float*)TfLiteTensorData(large))[i] = -3;
  CHECK(TfLiteSignatureRunnerInvoke(main) == kTfLiteOk);
  CHECK(((float*)TfLiteTensorData(TfLiteSignatureRunnerGetOutputTensor(main, "y")))[99999] == 3);
  CHECK(TfLiteTensorDim(input, 0) == 2 && memcmp(TfLiteTensorData(input), values, 8) == 0);
  CHECK(TfLiteSignatureRunnerInvoke(branch) == kTfLiteOk);
  CHECK(TfLiteTensorCopyToBuffer(output, results, sizeof results) == kTfLiteOk);
  CHECK(results[0] == 1 && results[1] == 2);
  TfLiteSignatureRunnerDelete(branch);
  TfLiteSignatureRunnerDelete(main);
  TfLiteInterpreterDelete(interpreter);
}

/* Extents that the model does not leave open may change where somebody insists. */
static void insisting(void) {
  TfLiteInterpreter* interpreter = open_interpreter("no_signatures", NULL);
  TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, NULL);
  int three[] = {3};
  for (int i = 0; i < 2; i++) {
    const char* name = i ? "x2" : "x1";
    CHECK(TfLiteSignatureRunnerResizeInputTensor(runner, name, three, 1) == kTfLiteError);
    CHECK(OcellusSignatureRunnerResizeInputTensor(runner, name, three, 1) == kTfLiteOk);
  }
  CHECK(OcellusSignatureRunnerResizeInputTensor(runner, "x3", three, 1) == kTfLiteError);
  CHECK(OcellusSignatureRunnerResizeInputTensor(NULL, "x1", three, 1) == kTfLiteError);
  CHECK(TfLiteSignatureRunnerAllocateTensors(runner) == kTfLiteOk);
  CHECK(TfLiteTensorDim(TfLiteSignatureRunnerGetOutputTensor(runner, "Identity"), 0) == 3);
  TfLiteSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
}

/* Tuning accepts any time that is one, and a file has to be one of measured strategies. */
static void tuning(void) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  CHECK(OcellusInterpreterOptionsSetTuning(options, -1, NULL) == kTfLiteError);
  CHECK(OcellusInterpreterOptionsSetTuning(options, NAN, NULL) == kTfLiteError);
  CHECK(OcellusInterpreterOptionsSetTuning(NULL, 1, NULL) == kTfLiteError);
  CHECK(OcellusInterpreterOptionsSetTuning(options, INFINITY, NULL) == kTfLiteOk);
  TfLiteInterpreter* interpreter = open_interpreter("chain", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  options = TfLiteInterpreterOptionsCreate();
  CHECK(OcellusInterpreterOptionsSetTuning(options, 0, "/dev/null") == kTfLiteOk);
  CHECK(open_interpreter("chain", options) == NULL);
}

/* Every result in between is there behind a run, where that was asked for. */
static void kept_results(void) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  OcellusInterpreterOptionsSetKeepsTensors(options, true);
  TfLiteInterpreter* interpreter = open_interpreter("chain", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  float values[] = {1, 3};
  TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), values, 8);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  for (int i = 0; i <= 4; i++) {
    const float* result = TfLiteTensorData(TfLiteInterpreterGetTensor(interpreter, i));
    CHECK(result != NULL && result[0] == 1 << i && result[1] == 3 << i);
  }
  TfLiteInterpreterDelete(interpreter);
}

static void no_signatures(void) {
  TfLiteInterpreter* interpreter = open_interpreter("no_signatures", NULL);
  CHECK(TfLiteInterpreterGetSignatureCount(interpreter) == 0);
  CHECK(!TfLiteInterpreterGetSignatureRunner(interpreter, "foo"));
  TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, NULL);
  CHECK(runner != NULL && TfLiteSignatureRunnerGetInputCount(runner) == 2);
  CHECK(strcmp(TfLiteSignatureRunnerGetInputName(runner, 0), "x1") == 0);
  CHECK(TfLiteSignatureRunnerAllocateTensors(runner) == kTfLiteOk);
  float x1[] = {-8, 0.5f}, x2[] = {-1, 1.5f}, results[2];
  TfLiteTensorCopyFromBuffer(TfLiteSignatureRunnerGetInputTensor(runner, "x1"), x1, sizeof x1);
  TfLiteTensorCopyFromBuffer(TfLiteSignatureRunnerGetInputTensor(runner, "x2"), x2, sizeof x2);
  CHECK(TfLiteSignatureRunnerInvoke(runner) == kTfLiteOk);
  TfLiteTensorCopyToBuffer(TfLiteSignatureRunnerGetOutputTensor(runner, "Identity"), results,
                           sizeof results);
  CHECK(results[0] == -9 && results[1] == 2);
  TfLiteSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
}

static void variables(void) {
  TfLiteInterpreter* interpreter = open_interpreter("variable", NULL);
  CHECK(TfLiteInterpreterGetVariableTensorCount(interpreter) == 1);
  CHECK(!TfLiteInterpreterGetVariableTensor(interpreter, 1));
  CHECK(!TfLiteInterpreterGetVariableTensor(interpreter, -1));
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  TfLiteTensor* state = TfLiteInterpreterGetVariableTensor(interpreter, 0);
  CHECK(state->is_variable && TfLiteTensorData(state) != NULL);
  float values[] = {1, 2}, added[] = {10, 20};
  const float* results = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
  TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), values, 8);
  CHECK(TfLiteTensorCopyFromBuffer(state, added, 8) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk && results[1] == 22);
  CHECK(TfLiteInterpreterResetVariableTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk && results[1] == 2);
  TfLiteInterpreterDelete(interpreter);
}

static void custom_memory(void) {
  static _Alignas(64) float input[194], output[192];
  Messages messages;
  TfLiteInterpreter* interpreter = open_interpreter("add", reporting(&messages));
  TfLiteCustomAllocation in = {input, 768}, out = {output, 768}, small = {output, 12};
  TfLiteCustomAllocation crooked = {input + 1, 768}, missing = {NULL, 768};
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, NULL, 0) == kTfLiteError);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 9, &in, 0) == kTfLiteError);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &missing, 0) == kTfLiteError);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &crooked, 0) == kTfLiteError);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(
            interpreter, 0, &crooked, kTfLiteCustomAllocationFlagsSkipAlignCheck) == kTfLiteOk);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &in, 0) == kTfLiteOk);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 2, &small, 0) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteError);
  CHECK(says(&messages, "Custom allocation is too small for tensor idx: 2"));
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 2, &out, 0) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorData(TfLiteInterpreterGetInputTensor(interpreter, 0)) == input);
  for (int i = 0; i < 192; i++) input[i] = i;
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(output[191] == 3 * 191);
  TfLiteInterpreterDelete(interpreter);
}

static void dynamic(void) {
  TfLiteInterpreter* interpreter = open_interpreter("dynamic", NULL);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  bool truths[][4] = {{0, 1, 0, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 1}};
  int counts[] = {2, 4, 0, 1};
  for (int run = 0; run < 4; run++) {
    TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), truths[run], 4);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    CHECK(TfLiteTensorDim(output, 0) == counts[run]);
    CHECK(TfLiteTensorByteSize(output) == 8 * (size_t)counts[run]);
    CHECK(counts[run] == 0 || ((const int64_t*)TfLiteTensorData(output))[0] == (run == 0 ? 1 : run == 1 ? 0 : 3));
  }
  TfLiteInterpreterDelete(interpreter);
}

static void unsupported(void) {
  Messages messages;
  CHECK(!open_interpreter("unknown_operator", reporting(&messages)));
  CHECK(says(&messages, "Op builtin_code out of range: 250."));
  TfLiteInterpreter* interpreter = open_interpreter("unresolved", reporting(&messages));
  CHECK(interpreter != NULL);
  CHECK(TfLiteTensorByteSize(TfLiteInterpreterGetInputTensor(interpreter, 0)) == 8);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteUnresolvedOps);
  CHECK(says(&messages, "Encountered unresolved custom op: Sinh."));
  CHECK(says(&messages, "Node number 0 (Sinh) failed to prepare."));
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  TfLiteInterpreterDelete(interpreter);
  /* Without the library's operators there is no addition. */
  TfLiteModel* model = open_model("add");
  TfLiteInterpreterOptions* options = reporting(&messages);
  CHECK(!TfLiteInterpreterCreateWithSelectedOps(model, options));
  CHECK(says(&messages, "Didn't find op for builtin opcode 'ADD' version '1'."));
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
}

static void cancellation(void) {
  TfLiteInterpreter* interpreter = open_interpreter("add", NULL);
  CHECK(TfLiteInterpreterCancel(interpreter) == kTfLiteError);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  CHECK(TfLiteInterpreterOptionsEnableCancellation(options, true) == kTfLiteOk);
  interpreter = open_interpreter("add", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterCancel(interpreter) == kTfLiteOk);
  /* Only a run in flight is stopped, and there was none. */
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
}

static int prepared;

static TfLiteStatus accept(TfLiteContext* context, TfLiteDelegate* delegate) {
  TfLiteIntArray* plan = NULL;
  CHECK(context->GetExecutionPlan(context, &plan) == kTfLiteOk && plan->size == 2);
  TfLiteNode* node = NULL;
  TfLiteRegistration* registration = NULL;
  CHECK(context->GetNodeAndRegistration(context, 0, &node, &registration) == kTfLiteOk);
  CHECK(registration->builtin_code == kTfLiteBuiltinAdd && node->inputs->size == 2);
  CHECK(context->GetNodeAndRegistration(context, 9, &node, &registration) == kTfLiteError);
  CHECK(delegate->data_ == &prepared);
  prepared++;
  return kTfLiteOk;
}

static TfLiteStatus refuse(TfLiteContext* context, TfLiteDelegate* delegate) {
  (void)context, (void)delegate;
  return kTfLiteError;
}

static TfLiteStatus take_over(TfLiteContext* context, TfLiteDelegate* delegate) {
  TfLiteIntArray* plan = NULL;
  context->GetExecutionPlan(context, &plan);
  TfLiteRegistration registration;
  memset(&registration, 0, sizeof registration);
  return context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, plan, delegate);
}

static TfLiteInterpreter* delegated(TfLiteDelegate* delegate, Messages* messages) {
  TfLiteInterpreterOptions* options = reporting(messages);
  TfLiteInterpreterOptionsAddDelegate(options, delegate);
  return open_interpreter("add", options);
}

static void delegates(void) {
  Messages messages;
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.data_ = &prepared;
  delegate.Prepare = accept;
  TfLiteInterpreter* interpreter = delegated(&delegate, &messages);
  CHECK(prepared == 1);
  /* It settles extents, so that tensors are allocated already, until somebody changes them. */
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  int dims[] = {2};
  CHECK(TfLiteInterpreterModifyGraphWithDelegate(interpreter, &delegate) == kTfLiteOk);
  CHECK(prepared == 2);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk && prepared == 4);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);

  delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  interpreter = delegated(&delegate, &messages);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(TfLiteInterpreterModifyGraphWithDelegate(interpreter, NULL) == kTfLiteDelegateError);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);

  delegate.Prepare = refuse;
  CHECK(!delegated(&delegate, &messages));
  delegate.Prepare = take_over;
  CHECK(!delegated(&delegate, &messages));
  CHECK(says(&messages, "Delegates cannot take over nodes"));
  delegate.Prepare = NULL;
  CHECK(!delegated(&delegate, &messages));

  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  options.num_threads = 2;
  TfLiteDelegate* xnnpack = TfLiteXNNPackDelegateCreate(&options);
  CHECK(TfLiteXNNPackDelegateGetOptions(xnnpack)->num_threads == 2);
  interpreter = delegated(xnnpack, &messages);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  TfLiteXNNPackDelegateDelete(xnnpack);
}

static void lists_and_tensors(void) {
  TfLiteIntArray* a = TfLiteIntArrayCreate(3);
  for (int i = 0; i < 3; i++) a->data[i] = i;
  TfLiteIntArray* b = TfLiteIntArrayCopy(a);
  int plain[] = {0, 1, 2};
  CHECK(TfLiteIntArrayGetSizeInBytes(3) == 16);
  CHECK(TfLiteIntArrayEqual(a, b) && TfLiteIntArrayEqual(NULL, NULL));
  CHECK(!TfLiteIntArrayEqual(a, NULL) && !TfLiteIntArrayEqual(NULL, a));
  CHECK(TfLiteIntArrayEqualsArray(a, 3, plain) && !TfLiteIntArrayEqualsArray(a, 2, plain));
  CHECK(TfLiteIntArrayEqualsArray(NULL, 0, NULL) && !TfLiteIntArrayEqualsArray(NULL, 1, plain));
  b->data[1] = 5;
  CHECK(!TfLiteIntArrayEqual(a, b));
  CHECK(!TfLiteIntArrayCopy(NULL) && !TfLiteFloatArrayCopy(NULL) && !TfLiteIntArrayCreate(-1));
  TfLiteIntArrayFree(b);

  TfLiteTensor tensor;
  memset(&tensor, 0, sizeof tensor);
  tensor.allocation_type = kTfLiteDynamic;
  CHECK(TfLiteTensorRealloc(8, &tensor) == kTfLiteOk && tensor.bytes == 8);
  memcpy(tensor.data.raw, "1234567", 8);
  CHECK(TfLiteTensorRealloc(64, &tensor) == kTfLiteOk && !strcmp(tensor.data.raw, "1234567"));
  CHECK(TfLiteTensorResizeMaybeCopy(128, &tensor, false) == kTfLiteOk && tensor.bytes == 128);
  TfLiteTensorReset(kTfLiteInt32, "name", a, (TfLiteQuantizationParams){2, 1}, NULL, 0,
                    kTfLiteDynamic, NULL, false, &tensor);
  CHECK(tensor.data.raw == NULL && tensor.dims == a && tensor.params.scale == 2);
  TfLiteTensor copy = tensor;
  copy.dims = NULL;
  CHECK(TfLiteTensorCopy(&tensor, &copy) == kTfLiteOk && TfLiteIntArrayEqual(copy.dims, a));
  copy.bytes = 4;
  CHECK(TfLiteTensorCopy(&tensor, &copy) == kTfLiteError);
  CHECK(TfLiteTensorCopy(NULL, &copy) == kTfLiteOk);
  TfLiteTensorFree(&copy);
  TfLiteTensorFree(&tensor);
  CHECK(tensor.dims == NULL);
  CHECK(strcmp(TfLiteTypeGetName(kTfLiteBFloat16), "BFLOAT16") == 0);
  CHECK(strcmp(TfLiteTypeGetName((TfLiteType)99), "Unknown type") == 0);
}

static void null_pointers(void) {
  TfLiteModelDelete(NULL);
  TfLiteInterpreterOptionsDelete(NULL);
  TfLiteInterpreterDelete(NULL);
  TfLiteSignatureRunnerDelete(NULL);
  TfLiteOperatorDelete(NULL);
  TfLiteTensorFree(NULL);
  TfLiteSparsityFree(NULL);
  CHECK(!TfLiteInterpreterOptionsCopy(NULL));
  TfLiteInterpreterOptionsSetNumThreads(NULL, 2);
  TfLiteInterpreterOptionsAddDelegate(NULL, NULL);
  TfLiteInterpreterOptionsAddOperator(NULL, NULL);
  TfLiteInterpreterOptionsSetErrorReporter(NULL, NULL, NULL);
  CHECK(TfLiteInterpreterOptionsEnableCancellation(NULL, true) == kTfLiteError);
  CHECK(!TfLiteInterpreterCreate(NULL, NULL));
  CHECK(TfLiteInterpreterAllocateTensors(NULL) == kTfLiteError);
  CHECK(TfLiteInterpreterInvoke(NULL) == kTfLiteError);
  CHECK(TfLiteInterpreterCancel(NULL) == kTfLiteError);
  CHECK(TfLiteInterpreterGetInputTensorCount(NULL) == 0);
  CHECK(!TfLiteInterpreterGetInputTensor(NULL, 0) && !TfLiteInterpreterGetOutputTensor(NULL, 0));
  CHECK(!TfLiteInterpreterGetTensor(NULL, 0));
  CHECK(!TfLiteInterpreterInputTensorIndices(NULL) && !TfLiteInterpreterOutputTensorIndices(NULL));
  CHECK(!TfLiteInterpreterGetSignatureRunner(NULL, "key"));
  CHECK(TfLiteInterpreterGetSignatureCount(NULL) == 0);
  CHECK(TfLiteSignatureRunnerInvoke(NULL) == kTfLiteError);
  CHECK(TfLiteTensorType(NULL) == kTfLiteNoType && TfLiteTensorNumDims(NULL) == -1);
  CHECK(!TfLiteTensorData(NULL) && !TfLiteTensorName(NULL) && TfLiteTensorByteSize(NULL) == 0);
  CHECK(TfLiteTensorCopyFromBuffer(NULL, "", 1) == kTfLiteError);
  CHECK(TfLiteTensorCopyToBuffer(NULL, NULL, 1) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetNumNodes(NULL) == 0 && TfLiteOpaqueNodeNumberOfInputs(NULL) == 0);
  TfLiteOpaqueContextReportError(NULL, "%d", 1);
  TfLiteInterpreter* interpreter = open_interpreter("add", NULL);
  CHECK(!TfLiteInterpreterGetInputTensor(interpreter, 1));
  CHECK(!TfLiteInterpreterGetInputTensor(interpreter, -1));
  CHECK(!TfLiteInterpreterGetOutputTensor(interpreter, 99));
  CHECK(!TfLiteInterpreterGetTensor(interpreter, 3) && !TfLiteInterpreterGetTensor(interpreter, -1));
  CHECK(TfLiteInterpreterGetInputTensorIndex(interpreter, 1) == -1);
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteTensorDim(input, 4) == 0 && TfLiteTensorDim(input, -1) == 0);
  TfLiteInterpreterDelete(interpreter);
}

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  versions();
  smoke();
  profiles();
  audits();
  quantization();
  models();
  states();
  signatures();
  branches();
  insisting();
  tuning();
  kept_results();
  no_signatures();
  variables();
  custom_memory();
  dynamic();
  unsupported();
  cancellation();
  delegates();
  lists_and_tensors();
  null_pointers();
  return finish("interface_test");
}
