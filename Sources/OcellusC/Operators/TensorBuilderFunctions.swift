// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles

/// The object behind a `TfLiteOpaqueTensorBuilder`: a tensor that an operator or delegate will add.
final class TensorBuilder: Handle {
  var tensor = TfLiteTensor()
}

/// Changes a builder and returns it.
private func change(
  _ builder: OpaquePointer?, _ body: (inout TfLiteTensor) -> Void
) -> OpaquePointer? {
  if let builder = TensorBuilder.at(builder) { body(&builder.tensor) }
  return builder
}

@c @implementation public func TfLiteOpaqueTensorBuilderCreate() -> OpaquePointer? {
  TensorBuilder().retained()
}

@c @implementation public func TfLiteOpaqueTensorBuilderDelete(_ builder: OpaquePointer?) {
  TensorBuilder.release(builder)
}

@c @implementation public func TfLiteOpaqueTensorBuilderSetType(
  _ builder: OpaquePointer?, _ type: TfLiteType
) -> OpaquePointer? { change(builder) { $0.type = type } }

@c @implementation public func TfLiteOpaqueTensorBuilderSetData(
  _ builder: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> OpaquePointer? { change(builder) { $0.data.data = data } }

@c @implementation public func TfLiteOpaqueTensorBuilderSetAllocationType(
  _ builder: OpaquePointer?, _ type: TfLiteAllocationType
) -> OpaquePointer? { change(builder) { $0.allocation_type = type } }

@c @implementation public func TfLiteOpaqueTensorBuilderSetQuantizationParams(
  _ builder: OpaquePointer?, _ params: TfLiteQuantizationParams
) -> OpaquePointer? { change(builder) { $0.params = params } }

@c @implementation public func TfLiteOpaqueTensorBuilderSetQuantization(
  _ builder: OpaquePointer?, _ quantization: TfLiteQuantization
) -> OpaquePointer? { change(builder) { $0.quantization = quantization } }

@c @implementation public func TfLiteOpaqueContextAddTensor(
  _ context: OpaquePointer?, _ builder: OpaquePointer?, _ index: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let graph = GraphContext.at(opaque: context), let builder = TensorBuilder.at(builder),
    let index
  else { return kTfLiteError }
  let wanted = builder.tensor
  if wanted.allocation_type == kTfLiteDynamic, wanted.data.data == nil {
    graph.reporter.report(
      "For tensors of allocation type 'kTfLiteDynamic' 'data' must be provided.")
    return kTfLiteError
  }
  if [kTfLiteArenaRw, kTfLiteArenaRwPersistent].contains(wanted.allocation_type),
    wanted.data.data != nil
  {
    graph.reporter.report(
      "For tensors of allocation type 'kTfLiteArenaRw' or 'kTfLiteArenaRwPersistent' 'data' must "
        + "not be provided.")
    return kTfLiteError
  }
  guard graph.addTensors(1, index) == kTfLiteOk, let tensor = graph.tensors[Int(index.pointee)]
  else { return kTfLiteError }
  tensor.pointee.type = wanted.type
  tensor.pointee.data = wanted.data
  tensor.pointee.allocation_type = wanted.allocation_type
  tensor.pointee.params = wanted.params
  tensor.pointee.quantization = wanted.quantization
  builder.tensor.quantization = TfLiteQuantization()
  return kTfLiteOk
}
