import CTensorFlowLite
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusProfile

/// A subgraph that can be called: its tensors as the program sees them, and the engine's way to run it.
///
/// The structures follow the official library's states: other extents count at once but take the memory
/// away, which allocating gives back; a run needs allocated tensors.
final class RunningGraph {
  let graph: GraphContext
  /// The engine's way to run it, or why there is none; allocating then says so.
  private let engine: Result<EntryPoint, ModelError>
  private let entry: EntryPoint?
  private let cancellation: Cancellation?
  private(set) var isInvokable = false
  /// The tensors whose structures are those of the last allocation.
  private var isShown: [Bool]
  /// The delegates that have looked at the graph, and whether one of them has settled the extents.
  private var delegates: [UnsafeMutablePointer<TfLiteDelegate>] = []
  private var isSettled = false
  /// Memory of the program's for some tensors.
  private var customMemory: [Int: UnsafeMutableRawBufferPointer] = [:]
  /// The inputs that are strings, whose bytes are the structures' own.
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

  /// A tensor as it is now; `nil` where there is none of this number.
  func tensor(at index: Int) -> UnsafeMutablePointer<TfLiteTensor>? {
    guard let tensor = tensors[index] else { return nil }
    if isInvokable, index < record.tensors.count, !isShown[index] { show(index) }
    return tensor
  }

  // MARK: Shapes

  /// Asks for other extents of an input.
  func resize(_ index: Int, to shape: [Int], isStrict: Bool = false) -> TfLiteStatus {
    guard let tensor = tensors[index] else { return kTfLiteError }
    if isStrict, !allows(shape, for: index, now: tensor.shape) { return kTfLiteError }
    if tensor.pointee.data.data != nil, tensor.shape == shape { return kTfLiteOk }
    isInvokable = false
    return graph.resize(tensor, to: shape)
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

  /// Plans for the extents that the inputs have, and shows where tensors are.
  func allocate() -> TfLiteStatus {
    if isInvokable { return kTfLiteOk }
    // Where extents had been settled, other ones are a question to every delegate again.
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
      // As in the official library, which prepares everything anew, and not only what has changed.
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

  /// Says why tensors cannot be allocated: in the official words where an operator is nobody's.
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

  /// Shows the tensors that somebody looks at as they are now.
  private func show() {
    for index in tensors.filled { show(index) }
  }

  /// Shows one tensor as it is now.
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
      // What was planned for data may have gone with the run.
      show()
      guard error.kind == .cancelled else {
        reporter.report(error.message)
        return kTfLiteError
      }
      reporter.report("Client requested cancel during Invoke()")
      return kTfLiteCancelled
    }
    takeOutputs(from: entry)
    return kTfLiteOk
  }

  /// Where the time of runs goes, in JSON; `nil`, with a report, where the graph cannot run.
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
      takeOutputs(from: entry)
      return JSONValue.object(profile.json).text
    } catch {
      show()
      reporter.report(error.message)
      return nil
    }
  }

  /// What `look` finds out about a run on the inputs as they are, in JSON; `nil`, with a report, where that cannot
  /// be told.
  func inspect(
    _ interpreter: Interpreter, for purpose: String, _ look: (Interpreter) throws -> JSONValue
  ) -> String? {
    guard let entry, isInvokable else {
      reporter.report("\(purpose) called on model that is not ready.")
      return nil
    }
    // Their nodes exist once, for the interpreter that the program has.
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

  /// Hands over what the engine has no view of: strings, and memory of the program's.
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

  private func takeOutputs(from entry: EntryPoint) {
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
      // Results whose extents the run has settled may have become larger.
      let count = min(bytes.count, memory.count)
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  // MARK: Memory of the program's

  /// The alignment that the official library asks for.
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
    // As with other extents, the next allocation checks it.
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

  /// Asks a delegate whether it can do without taking over anything.
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
