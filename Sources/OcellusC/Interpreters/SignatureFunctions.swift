// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusModelFile

// TfLiteSignatureRunner…, and the functions of interpreters that return runners.

@c @implementation public func TfLiteInterpreterGetSignatureCount(
  _ interpreter: OpaquePointer?
) -> Int32 { Int32(InterpreterObject.at(interpreter)?.model.file.signatures.count ?? 0) }

@c @implementation public func TfLiteInterpreterGetSignatureKey(
  _ interpreter: OpaquePointer?, _ position: Int32
) -> UnsafePointer<CChar>? {
  guard let keys = InterpreterObject.at(interpreter)?.signatureKeys.pointers,
    keys.indices.contains(Int(position))
  else { return nil }
  return keys[Int(position)]
}

@c @implementation public func TfLiteInterpreterGetSignatureRunner(
  _ interpreter: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> OpaquePointer? {
  guard let object = InterpreterObject.at(interpreter) else { return nil }
  let signatures = object.model.file.signatures
  guard let key else {
    // The official library takes the first signature if it belongs to the main subgraph.
    let isMain = signatures.first?.subgraphIndex == 0
    return SignatureRunner(object, position: isMain ? 0 : nil).retained()
  }
  let name = String(cString: key)
  guard let position = signatures.firstIndex(where: { $0.key == name }) else { return nil }
  return SignatureRunner(object, position: position).retained()
}

@c @implementation public func TfLiteSignatureRunnerDelete(_ runner: OpaquePointer?) {
  SignatureRunner.release(runner)
}

private func signature(
  _ runner: OpaquePointer?
) -> (graph: RunningGraph, names: SignatureNames)? { SignatureRunner.at(runner)?.signature }

/// Returns the graph and index of a tensor by name; reports an error and returns `nil` if none.
private func find(
  _ name: UnsafePointer<CChar>?, in names: KeyPath<SignatureNames, SignatureNames.List>,
  of runner: OpaquePointer?, as kind: String
) -> (graph: RunningGraph, index: Int)? {
  guard let (graph, all) = signature(runner), let name else { return nil }
  let text = String(cString: name)
  guard let index = all[keyPath: names].tensor(named: text) else {
    graph.graph.reporter.report("\(kind) name \(text) was not found")
    return nil
  }
  return (graph, index)
}

// MARK: Inputs

@c @implementation public func TfLiteSignatureRunnerGetInputCount(_ runner: OpaquePointer?) -> Int {
  signature(runner)?.names.inputs.count ?? 0
}

@c @implementation public func TfLiteSignatureRunnerGetInputName(
  _ runner: OpaquePointer?, _ position: Int32
) -> UnsafePointer<CChar>? { signature(runner)?.names.inputs.name(Int(position)) }

@c @implementation public func TfLiteSignatureRunnerGetInputTensor(
  _ runner: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<TfLiteTensor>? {
  guard let (graph, index) = find(name, in: \.inputs, of: runner, as: "Input") else { return nil }
  return graph.tensor(at: index)
}

private func resize(
  _ name: UnsafePointer<CChar>?, of runner: OpaquePointer?, to extents: UnsafePointer<Int32>?,
  _ rank: Int32, isStrict: Bool
) -> TfLiteStatus {
  guard let (graph, index) = find(name, in: \.inputs, of: runner, as: "Input"),
    let shape = shape(extents, rank, for: graph)
  else { return kTfLiteError }
  return graph.resize(index, to: shape, isStrict: isStrict)
}

@c @implementation public func TfLiteSignatureRunnerResizeInputTensor(
  _ runner: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ extents: UnsafePointer<Int32>?,
  _ rank: Int32
) -> TfLiteStatus { resize(name, of: runner, to: extents, rank, isStrict: true) }

@c @implementation public func OcellusSignatureRunnerResizeInputTensor(
  _ runner: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ extents: UnsafePointer<Int32>?,
  _ rank: Int32
) -> TfLiteStatus { resize(name, of: runner, to: extents, rank, isStrict: false) }

// MARK: Running

@c @implementation public func TfLiteSignatureRunnerAllocateTensors(
  _ runner: OpaquePointer?
) -> TfLiteStatus { signature(runner)?.graph.allocate() ?? kTfLiteError }

@c @implementation public func TfLiteSignatureRunnerInvoke(_ runner: OpaquePointer?) -> TfLiteStatus
{
  signature(runner)?.graph.invoke() ?? kTfLiteError
}

@c @implementation public func TfLiteSignatureRunnerCancel(_ runner: OpaquePointer?) -> TfLiteStatus
{
  SignatureRunner.at(runner)?.interpreter.cancel() ?? kTfLiteError
}

// MARK: Outputs

@c @implementation public func TfLiteSignatureRunnerGetOutputCount(_ runner: OpaquePointer?) -> Int
{
  signature(runner)?.names.outputs.count ?? 0
}

@c @implementation public func TfLiteSignatureRunnerGetOutputName(
  _ runner: OpaquePointer?, _ position: Int32
) -> UnsafePointer<CChar>? { signature(runner)?.names.outputs.name(Int(position)) }

@c @implementation public func TfLiteSignatureRunnerGetOutputTensor(
  _ runner: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<TfLiteTensor>? {
  guard let (graph, index) = find(name, in: \.outputs, of: runner, as: "Output") else { return nil }
  return UnsafePointer(graph.tensor(at: index))
}
