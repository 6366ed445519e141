import CTensorFlowLite
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusProfile

/// A subgraph that can be called: its tensors and the engine's entry point.
///
/// The structures go through the official library's states: resizing an input changes its shape at
/// once and takes the memory away, allocating gives memory back, and a run needs allocated tensors.
final class RunningGraph {
  let graph: GraphContext
  /// The engine's entry point, or the error that `allocate` then reports.
  private let engine: Result<EntryPoint, ModelError>
  private let entry: EntryPoint?
  private let cancellation: Cancellation?
  private(set) var isInvokable = false
  /// Whether the structure of each tensor is up to date since the last allocation.
  private var isShown: [Bool]
  /// The delegates that were applied, and whether one of them has fixed the shapes.
  private var delegates: [UnsafeMutablePointer<TfLiteDelegate>] = []
  private var isSettled = false
  /// Memory that the program provides for some tensors.
  private var customMemory: [Int: UnsafeMutableRawBufferPointer] = [:]
  /// The inputs of strings, whose bytes belong to their structures.
  private let stringInputs: [(position: Int, tensor: Int)]
  private let stringOutputs: [(position: Int, tensor: Int)]

  var tensors: TensorTable { graph.tensors }
  private var record: SubgraphRecord { graph.record }
  private var reporter: ErrorReporter { graph.reporter }

  init(
    _ graph: GraphContext, engine: Result<EntryPoint, ModelError>, cancellation: Cancellation?
  ) {
    self.graph = graph
    self.engine = engine
    entry = try? engine.get()
    self.cancellation = cancellation
    let record = graph.record
    isShown = Array(repeating: false, count: record.tensors.count)
    func strings(_ tensors: [Int]) -> [(position: Int, tensor: Int)] {
      tensors.enumerated().filter { record.tensors[$0.element].type == .string }
        .map { (position: $0.offset, tensor: $0.element) }
    }
    stringInputs = strings(record.inputs)
    stringOutputs = strings(record.outputs)
  }

  /// Returns the up-to-date structure of a tensor, or `nil` if the index is out of range.
  func tensor(at index: Int) -> UnsafeMutablePointer<TfLiteTensor>? {
    guard let tensor = tensors[index] else { return nil }
    if isInvokable, index < record.tensors.count, !isShown[index] { show(index) }
    return tensor
  }

  // MARK: Shapes

  /// Sets the shape of an input for the next allocation.
  func resize(_ index: Int, to shape: [Int], isStrict: Bool = false) -> TfLiteStatus {
    guard let tensor = tensors[index] else { return kTfLiteError }
    if isStrict, !allows(shape, for: index, now: tensor.shape) { return kTfLiteError }
    if tensor.pointee.data.data != nil, tensor.shape == shape { return kTfLiteOk }
    isInvokable = false
    return graph.resize(tensor, to: makeList(shape))
  }

  private func allows(_ shape: [Int], for index: Int, now: [Int]) -> Bool {
    let signature = record.tensors[index].shapeSignature
    if Shape(now).mayBecome(shape, signature: signature) { return true }
    let fixed = zip(shape, now).enumerated().first { axis, extents in
      extents.0 != extents.1 && signature?.dropFirst(axis).first != -1
    }
    guard shape.count == now.count, let (axis, extents) = fixed else {
      reporter.report(
        "Attempting to resize tensor \(index) of \(now.count) dimensions to \(shape.count).")
      return false
    }
    reporter.report(
      "Attempting to resize dimension \(axis) of tensor \(index) with value \(extents.1) to "
        + "\(extents.0). ResizeInputTensorStrict only allows mutating unknown dimensions "
        + "identified by -1.")
    return false
  }

  // MARK: Allocating

  /// Plans for the current shapes of the inputs and updates the structures of the tensors.
  func allocate() -> TfLiteStatus {
    if isInvokable { return kTfLiteOk }
    // Delegates that fixed the shapes must accept the new shapes.
    if isSettled, delegates.contains(where: { $0.prepare(graph.context) != kTfLiteOk }) {
      return kTfLiteDelegateError
    }
    graph.failure = kTfLiteError
    do throws(ModelError) {
      let entry = try engine.get()
      for (position, index) in record.inputs.enumerated() {
        guard let tensor = tensors[index] else { continue }
        try entry.resizeInput(at: position, to: Shape(tensor.shape))
      }
      try entry.allocate()
      // Like the official library, which prepares every operator anew, not only those that changed.
      entry.resetState()
    } catch {
      return report(error)
    }
    for index in isShown.indices { isShown[index] = false }
    show()
    guard customMemoryIsLargeEnough else { return kTfLiteError }
    isInvokable = true
    return kTfLiteOk
  }

  /// Reports why tensors cannot be allocated, with the official message for an unresolved operator.
  private func report(_ error: ModelError) -> TfLiteStatus {
    guard let problem = error.problems.first(where: { graph.isMissing($0) }) else {
      reporter.report(error.message)
      return graph.failure
    }
    reporter.report(
      "Encountered unresolved custom op: \(problem.operatorName).\n"
        + "See instructions: https://www.tensorflow.org/lite/guide/ops_custom ")
    reporter.report("Node number \(problem.node) (\(problem.operatorName)) failed to prepare.")
    return kTfLiteUnresolvedOps
  }

  /// Updates the structures of all tensors that the program has asked for.
  private func show() {
    for index in tensors.filled { show(index) }
  }

  /// Updates the structure of one tensor.
  private func show(_ index: Int) {
    isShown[index] = true
    guard let entry, let tensor = tensors[index],
      tensor.pointee.allocation_type != kTfLiteMmapRo
    else { return }
    let view = entry.tensor(at: index)
    tensor.pointee.type = TfLiteType(view.type)
    tensor.setShape(view.shape.dimensions)
    guard tensor.hasFixedElements else { return }
    tensor.pointee.bytes = view.type.byteCount(ofElements: view.elementCount) ?? 0
    guard !tensor.isDynamic else { return }
    if let memory = customMemory[index] { return tensor.showIfLargeEnough(memory) }
    let hasMemory = view.bytes.count == tensor.pointee.bytes && tensor.pointee.bytes > 0
    tensor.pointee.data.data = hasMemory ? view.bytes.baseAddress : nil
  }

  // MARK: Running

  func invoke() -> TfLiteStatus {
    guard let entry, isInvokable else {
      reporter.report("Invoke called on model that is not ready.")
      return kTfLiteError
    }
    cancellation?.resume()
    do throws(ModelError) {
      try giveInputs(to: entry)
      try entry.run()
    } catch {
      // A failed run may have released memory that was planned from its data.
      show()
      guard error.kind == .cancelled else {
        reporter.report(error.message)
        return kTfLiteError
      }
      reporter.report("Client requested cancel during Invoke()")
      return kTfLiteCancelled
    }
    copyOutputs(from: entry)
    return kTfLiteOk
  }

  /// Returns the profile of runs as JSON, or reports why the graph cannot run and returns `nil`.
  func profile(_ interpreter: Interpreter, runs: Int) -> String? {
    guard let entry, isInvokable else {
      reporter.report("Profile called on model that is not ready.")
      return nil
    }
    cancellation?.resume()
    do throws(ModelError) {
      try giveInputs(to: entry)
      let options = Profile.Options(runs: runs, measuresLimits: false)
      let profile = try Profile(of: interpreter, entry, options: options)
      copyOutputs(from: entry)
      return JSONValue.object(profile.json).text
    } catch {
      show()
      reporter.report(error.message)
      return nil
    }
  }

  /// Returns the JSON that `look` makes from a run on the current inputs, or reports an error.
  func inspect(
    _ interpreter: Interpreter, for purpose: String, _ look: (Interpreter) throws -> JSONValue
  ) -> String? {
    guard let entry, isInvokable else {
      reporter.report("\(purpose) called on model that is not ready.")
      return nil
    }
    // The program's kernels keep one state per node, so a second interpreter must not run them.
    guard !graph.hasKernels else {
      reporter.report("\(purpose) called on an interpreter with operators of the program's.")
      return nil
    }
    cancellation?.resume()
    do {
      try giveInputs(to: entry)
      return try look(interpreter).text
    } catch {
      reporter.report("\(error)")
      return nil
    }
  }

  /// Copies the inputs that the engine has no view of: strings, and memory of the program.
  private func giveInputs(to entry: EntryPoint) throws(ModelError) {
    for (position, index) in stringInputs {
      guard let tensor = tensors[index] else { continue }
      if tensor.memory.isEmpty {
        try entry.fillWithEmptyStrings(at: position)
      } else {
        try entry.setInput(at: position, bytes: UnsafeRawBufferPointer(tensor.memory))
      }
    }
    if customMemory.isEmpty { return }
    for (index, memory) in customMemory where !record.outputs.contains(index) {
      let bytes = entry.tensor(at: index).bytes
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<bytes.count]))
    }
  }

  private func copyOutputs(from entry: EntryPoint) {
    if !entry.hasFixedResults || graph.hasKernels { show() }
    for (_, index) in stringOutputs {
      let bytes = entry.tensor(at: index).bytes
      guard let tensor = tensors[index], TfLiteTensorRealloc(bytes.count, tensor) == kTfLiteOk
      else { continue }
      tensor.memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
    }
    if customMemory.isEmpty { return }
    for (index, memory) in customMemory {
      let bytes = entry.tensor(at: index).bytes
      // Results whose shapes the run has determined may have become larger than the memory.
      let count = min(bytes.count, memory.count)
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  // MARK: Memory of the program

  /// The alignment that the official library requires.
  private static let alignment = 64

  func setCustomMemory(
    _ allocation: TfLiteCustomAllocation, for index: Int, skipsAlignmentCheck: Bool
  ) -> TfLiteStatus {
    guard let tensor = tensors[index], let data = allocation.data, tensor.hasFixedElements,
      [kTfLiteArenaRw, kTfLiteArenaRwPersistent, kTfLiteCustom].contains(
        tensor.pointee.allocation_type)
    else { return kTfLiteError }
    guard skipsAlignmentCheck || Int(bitPattern: data) % Self.alignment == 0 else {
      return kTfLiteError
    }
    let memory = UnsafeMutableRawBufferPointer(start: data, count: allocation.bytes)
    customMemory[index] = memory
    tensor.pointee.allocation_type = kTfLiteCustom
    tensor.showIfLargeEnough(memory)
    // As after a resize, the next allocation checks the memory's size.
    isInvokable = false
    return kTfLiteOk
  }

  private var customMemoryIsLargeEnough: Bool {
    for (index, memory) in customMemory {
      let byteCount = entry?.tensor(at: index).bytes.count ?? 0
      guard memory.count >= byteCount else {
        reporter.report("Custom allocation is too small for tensor idx: \(index)")
        return false
      }
    }
    return true
  }

  // MARK: Delegates

  /// Asks a delegate to accept the graph without taking over any nodes.
  func apply(_ delegate: UnsafeMutablePointer<TfLiteDelegate>?) -> TfLiteStatus {
    guard let delegate else {
      reporter.report("Null delegate.")
      return kTfLiteDelegateError
    }
    guard delegate.prepare(graph.context) == kTfLiteOk else { return kTfLiteDelegateError }
    delegates.append(delegate)
    if delegate.allowsDynamicTensors { return kTfLiteOk }
    guard allocate() == kTfLiteOk else { return kTfLiteDelegateError }
    guard entry?.hasFixedResults == true else {
      reporter.report(
        "Attempting to use a delegate that only supports static-sized tensors with a graph that "
          + "has dynamic-sized tensors.")
      return kTfLiteApplicationError
    }
    isSettled = true
    return kTfLiteOk
  }
}
