/* Operators of a program's own, in every form that they can be registered in. */

#include <math.h>

#include "check.h"

/* What the callbacks have seen. */
static struct {
  int init, prepare, invoke, free;
} calls;

/* What a callback is to do wrong. */
static enum { NOTHING, FAIL_PREPARE, FAIL_INVOKE } fault;

static void expect(const TfLiteTensor* output, float first, float second) {
  const float* results = TfLiteTensorData(output);
  CHECK(results != NULL && TfLiteTensorByteSize(output) == 8);
  if (results) CHECK(fabsf(results[0] - first) < 1e-5f && fabsf(results[1] - second) < 1e-5f);
}

/* Runs a model with an operator Sinh on two numbers. */
static void run(const char* name, TfLiteInterpreterOptions* options) {
  memset(&calls, 0, sizeof calls);
  TfLiteInterpreter* interpreter = open_interpreter(name, options);
  CHECK(interpreter != NULL);
  CHECK(calls.init <= 1 && calls.prepare == 0);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(calls.prepare >= 1);
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  for (int i = 0; i < 3; i++) {
    float values[] = {0.25f * i, -1}, doubled[] = {0.5f * i, -2};
    float* worked = strcmp(name, "sandwich") ? values : doubled;
    float kept = strcmp(name, "sandwich") ? 0 : 1;
    CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof values) == kTfLiteOk);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    expect(TfLiteInterpreterGetOutputTensor(interpreter, 0), sinhf(worked[0]) + kept * values[0],
           sinhf(worked[1]) + kept * values[1]);
  }
  CHECK(calls.invoke == 3);
  int dims[] = {5};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(TfLiteTensorDim(TfLiteInterpreterGetOutputTensor(interpreter, 0), 0) == 5);
  TfLiteInterpreterDelete(interpreter);
  CHECK(calls.free == calls.init);
}

/* ---- Functions that see structures ---- */

static void* init(TfLiteContext* context, const char* buffer, size_t length) {
  (void)context;
  calls.init++;
  CHECK(length == 0 || (length == 7 && memcmp(buffer, "options", 7) == 0));
  return &calls;
}

static void clear(TfLiteContext* context, void* data) {
  CHECK(context != NULL && data == &calls);
  calls.free++;
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteNode* node) {
  calls.prepare++;
  if (fault == FAIL_PREPARE) {
    context->ReportError(context, "prepare %s: %d %.2f %s", "fails", 1, 2.5, "times");
    return kTfLiteError;
  }
  CHECK(node->user_data == &calls);
  CHECK(node->outputs->size == 1 && node->inputs->data[node->inputs->size - 1] >= -1);
  const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  CHECK(input->type == kTfLiteFloat32 && output->type == kTfLiteFloat32);
  return context->ResizeTensor(context, output, TfLiteIntArrayCopy(input->dims));
}

static TfLiteStatus invoke(TfLiteContext* context, TfLiteNode* node) {
  calls.invoke++;
  if (fault == FAIL_INVOKE) return kTfLiteApplicationError;
  const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  for (size_t i = 0; i < input->bytes / 4; i++) output->data.f[i] = sinhf(input->data.f[i]);
  return kTfLiteOk;
}

static TfLiteRegistration registration = {.init = init, .free = clear, .prepare = prepare,
                                          .invoke = invoke};

static const TfLiteRegistration* find_custom(void* data, const char* name, int version) {
  CHECK(data == &registration && version == 1);
  return strcmp(name, "Sinh") ? NULL : &registration;
}

static const TfLiteRegistration* find_nothing(void* data, TfLiteBuiltinOperator code, int version) {
  (void)data, (void)code, (void)version;
  return NULL;
}

static const TfLiteRegistration_V3* find_v3(void* data, const char* name, int version) {
  static TfLiteRegistration_V3 old = {.init = init, .free = clear, .prepare = prepare,
                                      .invoke = invoke};
  (void)data, (void)name, (void)version;
  return &old;
}

static const TfLiteRegistration_V2* find_v2(void* data, const char* name, int version) {
  static TfLiteRegistration_V2 old = {.init = init, .free = clear, .prepare = prepare,
                                      .invoke = invoke};
  (void)data, (void)name, (void)version;
  return &old;
}

static const TfLiteRegistration_V1* find_v1(void* data, const char* name, int version) {
  static TfLiteRegistration_V1 old = {.init = init, .free = clear, .prepare = prepare,
                                      .invoke = invoke};
  (void)data, (void)name, (void)version;
  return &old;
}

static void structures(void) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddCustomOp(options, "Sinh", &registration, 1, 2);
  run("unresolved", options);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddCustomOp(options, "Sinh", &registration, 1, 1);
  run("sandwich", options);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolver(options, find_nothing, find_custom, &registration);
  run("unresolved", options);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverV3(options, NULL, find_v3, NULL);
  run("unresolved", options);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverV2(options, NULL, find_v2, NULL);
  run("unresolved", options);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverV1(options, NULL, find_v1, NULL);
  run("unresolved", options);
  /* What finds operators comes in place of the library's: there is no addition. */
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolver(options, find_nothing, find_custom, &registration);
  CHECK(!open_interpreter("sandwich", options));
  /* A kernel for other versions is none. */
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddCustomOp(options, "Sinh", &registration, 2, 3);
  TfLiteInterpreter* interpreter = open_interpreter("unresolved", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteUnresolvedOps);
  TfLiteInterpreterDelete(interpreter);
}

static void faults(void) {
  for (fault = FAIL_PREPARE; fault <= FAIL_INVOKE; fault++) {
    Messages messages = {0, ""};
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddCustomOp(options, "Sinh", &registration, 1, 1);
    TfLiteInterpreterOptionsSetErrorReporter(options, collect, &messages);
    TfLiteInterpreter* interpreter = open_interpreter("unresolved", options);
    TfLiteStatus status = TfLiteInterpreterAllocateTensors(interpreter);
    if (fault == FAIL_PREPARE) {
      CHECK(status == kTfLiteError);
      CHECK(says(&messages, "prepare fails: 1 2.50 times"));
      CHECK(says(&messages, "Node number 0 (Sinh) failed to prepare."));
    } else {
      CHECK(status == kTfLiteOk);
      CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
      CHECK(says(&messages, "Node number 0 (Sinh) failed to invoke."));
    }
    TfLiteInterpreterDelete(interpreter);
  }
  fault = NOTHING;
}

/* ---- An addition in place of the library's ---- */

static TfLiteStatus invoke_addition(TfLiteContext* context, TfLiteNode* node) {
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  CHECK(node->builtin_data == NULL);
  for (size_t i = 0; i < output->bytes / 4; i++) output->data.f[i] = 42;
  return kTfLiteOk;
}

static void builtin(void) {
  TfLiteRegistration addition = {.invoke = invoke_addition};
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddBuiltinOp(options, kTfLiteBuiltinAdd, &addition, 1, 9);
  TfLiteModel* model = open_model("add");
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreateWithSelectedOps(model, options);
  TfLiteModelDelete(model);
  TfLiteInterpreterOptionsDelete(options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
  CHECK(output->data.f[0] == 42 && output->data.f[191] == 42);
  TfLiteInterpreterDelete(interpreter);
}

/* ---- Functions that see nothing ---- */

static char user_data[] = "user data";

static void* opaque_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
  (void)buffer, (void)length;
  CHECK(context != NULL);
  calls.init++;
  return &calls;
}

static void opaque_free(TfLiteOpaqueContext* context, void* data) {
  CHECK(context != NULL && data == &calls);
  calls.free++;
}

static TfLiteStatus opaque_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  calls.prepare++;
  CHECK(TfLiteOpaqueNodeGetUserData(node) == &calls);
  CHECK(TfLiteOpaqueNodeNumberOfOutputs(node) == 1 && TfLiteOpaqueNodeGetInput(context, node, 7) == NULL);
  const void* options = NULL;
  int size = -1, count = 0, scratch = -1;
  CHECK(TfLiteOpaqueNodeGetCustomInitialData(node, &options, &size) == kTfLiteOk);
  CHECK(size == 0 || memcmp(options, "options", 7) == 0);
  const int* numbers = NULL;
  CHECK(TfLiteOpaqueContextGetInputs(context, &numbers, &count) == kTfLiteOk && count == 1);
  CHECK(TfLiteOpaqueContextGetNumNodes(context) >= 1);
  CHECK(strcmp(TfLiteOpaqueContextGetName(context), "main") == 0);

  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
  CHECK(TfLiteOpaqueTensorType(input) == kTfLiteFloat32 && TfLiteOpaqueTensorNumDims(input) == 1);
  TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
  shape->data[0] = TfLiteOpaqueTensorDim(input, 0);
  /* Working memory is a tensor more. */
  TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
  TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
  TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteDynamic);
  CHECK(TfLiteOpaqueContextAddTensor(context, builder, &scratch) == kTfLiteError);
  TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
  CHECK(TfLiteOpaqueContextAddTensor(context, builder, &scratch) == kTfLiteOk);
  TfLiteOpaqueTensorBuilderDelete(builder);
  CHECK(TfLiteOpaqueNodeSetTemporaries(node, &scratch, 1) == kTfLiteOk);
  CHECK(TfLiteOpaqueNodeTemporaries(node, &numbers, &count) == kTfLiteOk && numbers[0] == scratch);
  CHECK(TfLiteOpaqueContextResizeTensor(context,
                                        TfLiteOpaqueContextGetOpaqueTensor(context, scratch),
                                        TfLiteIntArrayCopy(shape)) == kTfLiteOk);
  return TfLiteOpaqueContextResizeTensor(context, output, shape);
}

static TfLiteStatus opaque_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  calls.invoke++;
  const int* numbers = NULL;
  int count = 0;
  CHECK(TfLiteOpaqueNodeTemporaries(node, &numbers, &count) == kTfLiteOk && count == 1);
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
  float* work = TfLiteOpaqueTensorData(TfLiteOpaqueContextGetOpaqueTensor(context, numbers[0]));
  size_t size = TfLiteOpaqueTensorByteSize(input);
  CHECK(TfLiteOpaqueTensorCopyToBuffer(input, work, size) == kTfLiteOk);
  for (size_t i = 0; i < size / 4; i++) work[i] = sinhf(work[i]);
  return TfLiteOpaqueTensorCopyFromBuffer(output, work, size);
}

static void* init_with_data(void* data, TfLiteOpaqueContext* context, const char* buffer,
                            size_t length) {
  CHECK(data == user_data);
  return opaque_init(context, buffer, length);
}

static TfLiteStatus invoke_with_data(void* data, TfLiteOpaqueContext* context,
                                     TfLiteOpaqueNode* node) {
  CHECK(data == user_data);
  return opaque_invoke(context, node);
}

static const TfLiteOperator* find_object(void* object, const char* name, int version) {
  (void)name, (void)version;
  return object;
}

static void opaque(void) {
  TfLiteOperator* sinh_operator =
      TfLiteOperatorCreateWithData(kTfLiteBuiltinCustom, "Sinh", 1, user_data);
  CHECK(TfLiteOperatorGetBuiltInCode(sinh_operator) == kTfLiteBuiltinCustom);
  CHECK(strcmp(TfLiteOperatorGetCustomName(sinh_operator), "Sinh") == 0);
  CHECK(TfLiteOperatorGetVersion(sinh_operator) == 1);
  CHECK(TfLiteOperatorGetUserData(sinh_operator) == user_data);
  TfLiteOperatorSetInit(sinh_operator, opaque_init);
  TfLiteOperatorSetFree(sinh_operator, opaque_free);
  TfLiteOperatorSetPrepare(sinh_operator, opaque_prepare);
  TfLiteOperatorSetInvoke(sinh_operator, opaque_invoke);
  for (int with_data = 0; with_data < 2; with_data++) {
    const char* models[] = {"unresolved", "sandwich"};
    for (int model = 0; model < 2; model++) {
      TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
      TfLiteInterpreterOptionsAddOperator(options, sinh_operator);
      run(models[model], options);
    }
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetOpResolverExternal(options, NULL, find_object, sinh_operator);
    run("unresolved", options);
    options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(options, NULL, find_object, NULL,
                                                              NULL, sinh_operator);
    run("unresolved", options);
    CHECK(TfLiteOperatorSetInitWithData(sinh_operator, init_with_data) == kTfLiteOk);
    CHECK(TfLiteOperatorSetInvokeWithData(sinh_operator, invoke_with_data) == kTfLiteOk);
  }
  TfLiteOperatorDelete(sinh_operator);
}

/* ---- Strings, whose results have their extents from the run ---- */

static TfLiteStatus prepare_shout(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, 0));
  return kTfLiteOk;
}

static TfLiteStatus shout(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
  int count = TfLiteOpaqueTensorGetStringCount(input);
  char texts[8][32];
  const char* pointers[8];
  int lengths[8];
  for (int i = 0; i < count && i < 8; i++) {
    const char* text = NULL;
    if (TfLiteOpaqueTensorGetString(input, i, &text, &lengths[i]) != kTfLiteOk) return kTfLiteError;
    memcpy(texts[i], text, lengths[i]);
    texts[i][lengths[i]++] = '!';
    pointers[i] = texts[i];
  }
  TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
  shape->data[0] = count;
  if (TfLiteOpaqueContextResizeTensor(context, output, shape) != kTfLiteOk) return kTfLiteError;
  return TfLiteOpaqueTensorWriteStrings(output, pointers, count, lengths);
}

static void strings(void) {
  TfLiteOperator* object = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Shout", 1, NULL);
  TfLiteOperatorSetPrepare(object, prepare_shout);
  TfLiteOperatorSetInvoke(object, shout);
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, object);
  TfLiteInterpreter* interpreter = open_interpreter("strings", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  TfLiteOpaqueTensor* input = (TfLiteOpaqueTensor*)TfLiteInterpreterGetInputTensor(interpreter, 0);
  const TfLiteOpaqueTensor* output =
      (const TfLiteOpaqueTensor*)TfLiteInterpreterGetOutputTensor(interpreter, 0);
  const char* words[] = {"ocelli", "eyes"};
  int lengths[] = {6, 4}, length = 0;
  const char* text = NULL;
  for (int run = 0; run < 3; run++) {
    CHECK(TfLiteOpaqueTensorWriteStrings(input, words, 2, lengths) == kTfLiteOk);
    CHECK(TfLiteOpaqueTensorGetStringCount(input) == 2);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    CHECK(TfLiteOpaqueTensorGetStringCount(output) == 1);
    CHECK(TfLiteOpaqueTensorGetString(output, 0, &text, &length) == kTfLiteOk);
    CHECK(length == 5 && memcmp(text, "eyes!", 5) == 0);
    CHECK(TfLiteOpaqueTensorGetString(output, 1, &text, &length) == kTfLiteError);
  }
  /* Bytes that are no strings are an error. */
  memset(TfLiteOpaqueTensorData(input), 0xff, 8);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorWriteString(input, "only", 4) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  TfLiteInterpreterDelete(interpreter);
  TfLiteOperatorDelete(object);
}

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  structures();
  faults();
  builtin();
  opaque();
  strings();
  return finish("operators_test");
}
