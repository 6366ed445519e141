import OcellusModelFile
import OcellusPlatform

/// A subgraph of a model as it can be run: the main one, or the one that a signature names.
///
/// The entry points of an interpreter share its variables and tables, and only one thread at a time
/// may use them.
public final class EntryPoint {
  /// The signature's key; `nil` for the main subgraph.
  public let signatureKey: String?

  let session: Session
  let runner: SubgraphRunner
  private let inputNames: [Int: String]
  private let outputNames: [Int: String]
  private var pendingShapes: [Int: Shape] = [:]
  private var threadingTrial = ThreadingTrial()

  init(session: Session, runner: SubgraphRunner) {
    self.session = session
    self.runner = runner
    signatureKey = nil
    inputNames = [:]
    outputNames = [:]
  }

  init(session: Session, signature index: Int) throws(ModelError) {
    let signature = session.model.file.signatures[index]
    self.session = session
    runner = try session.entryRunner(for: signature.subgraphIndex)
    signatureKey = signature.key
    inputNames = Dictionary(
      signature.inputs.map { ($0.tensor, $0.name) }, uniquingKeysWith: { first, _ in first })
    outputNames = Dictionary(
      signature.outputs.map { ($0.tensor, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Description

  /// The inputs, in the subgraph's order.
  public var inputs: [TensorDescription] {
    runner.subgraph.inputs.map { describe($0, names: inputNames) }
  }

  /// The outputs, in the subgraph's order.
  public var outputs: [TensorDescription] {
    runner.subgraph.outputs.map { describe($0, names: outputNames) }
  }

  /// Returns one of the inputs.
  ///
  /// `inputs` describes all of them each time, which takes long in a loop over thousands.
  public func inputDescription(at index: Int) -> TensorDescription {
    describe(runner.subgraph.inputs[index], names: inputNames)
  }

  /// Returns one of the outputs.
  public func outputDescription(at index: Int) -> TensorDescription {
    describe(runner.subgraph.outputs[index], names: outputNames)
  }

  /// Returns the position of the input with a name: the signature's name for it, or the tensor's.
  public func inputIndex(named name: String) -> Int? {
    position(of: name, in: runner.subgraph.inputs, names: inputNames)
  }

  /// Returns the position of the output with a name: the signature's name for it, or the tensor's.
  public func outputIndex(named name: String) -> Int? {
    position(of: name, in: runner.subgraph.outputs, names: outputNames)
  }

  private func position(of name: String, in tensors: [Int], names: [Int: String]) -> Int? {
    let all = runner.subgraph.tensors
    return tensors.firstIndex { (names[$0] ?? all[$0].name) == name }
      ?? tensors.firstIndex { all[$0].name == name }
  }

  private func describe(_ index: Int, names: [Int: String]) -> TensorDescription {
    let tensor = runner.subgraph.tensors[index]
    return TensorDescription(
      name: tensor.name, signatureName: names[index] ?? tensor.name, tensorIndex: index,
      type: tensor.type,
      shape: pendingShapes[index] ?? runner.memory.slots[index].shape ?? tensor.shape,
      shapeSignature: tensor.shapeSignature, quantization: tensor.quantization)
  }

  // MARK: Shapes

  /// Requests another shape of an input, from the next `allocate()` or `run()` on.
  ///
  /// Several inputs may change together; `allocate()` then takes all of their shapes or none.
  ///
  /// - Throws: `mismatch` when no tensor of this graph could have the shape.
  public func resizeInput(at index: Int, to shape: Shape) throws(ModelError) {
    let tensor = try inputTensor(at: index)
    guard shape.isReasonable else {
      throw ModelError(
        .mismatch, "input \(runner.subgraph.tensors[tensor].label) cannot have the shape \(shape)")
    }
    pendingShapes[tensor] = shape
  }

  /// Whether `run()` would have to plan first.
  public var needsAllocation: Bool {
    !runner.isPlanned || !pendingShapes.isEmpty && !changedShapes.isEmpty
  }

  private var changedShapes: [Int: Shape] {
    pendingShapes.filter { runner.memory.slots[$0.key].shape != $0.value }
  }

  /// Plans the run for the inputs' shapes: infers all shapes, packs weights and lays out memory.
  ///
  /// - Throws: what does not fit, naming the node and its tensors. The requested shapes are then
  ///   dropped, and the previous plan still runs.
  public func allocate() throws(ModelError) {
    guard needsAllocation else {
      if !pendingShapes.isEmpty { pendingShapes = [:] }
      // A subgraph that calls this one and passes its own inputs may have planned it.
      return try runner.memory.placeInputs()
    }
    let changed = changedShapes
    pendingShapes = [:]
    session.meter.startPlanning()
    session.tuner?.isOpen = true
    defer { session.tuner?.isOpen = false }
    try runner.plan(inputShapes: changed, placesInputs: true)
    threadingTrial = ThreadingTrial()
  }

  // MARK: Inputs

  /// Gives access to the memory of an input, for filling it in place.
  ///
  /// The bytes are valid until `body` returns. String inputs have no memory in advance; set them
  /// with `setInput(at:bytes:)`.
  public func withInputBytes<Result>(
    at index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    try body(inputBytes(at: index))
  }

  /// Copies bytes into an input; strings must be in TensorFlow Lite's encoding.
  ///
  /// - Throws: `mismatch` when the number of bytes is not the input's.
  public func setInput(at index: Int, bytes: UnsafeRawBufferPointer) throws(ModelError) {
    let tensor = try inputTensor(at: index)
    try allocate()
    let spec = runner.subgraph.tensors[tensor]
    if spec.type.bitWidth == nil { try runner.memory.place(tensor, byteCount: bytes.count) }
    let target = try inputBytes(at: index)
    guard target.count == bytes.count else {
      throw ModelError(
        .mismatch, "input \(spec.label) takes \(target.count) bytes but was given \(bytes.count)")
    }
    target.copyMemory(from: bytes)
  }

  /// Copies bytes into an input; strings must be in TensorFlow Lite's encoding.
  ///
  /// - Throws: `mismatch` when the number of bytes is not the input's.
  public func setInput(at index: Int, bytes: [UInt8]) throws(ModelError) {
    // `withUnsafeBytes` rethrows untyped errors, so the typed error is passed out as a result.
    let result = bytes.withUnsafeBytes { bytes in
      Swift.Result { () throws(ModelError) in try setInput(at: index, bytes: bytes) }
    }
    try result.get()
  }

  /// Copies values of the input's type into an input; booleans are the bytes 0 and 1.
  ///
  /// - Throws: `mismatch` when their type or their number is not the input's.
  public func setInput<Element: TensorElement>(
    at index: Int, to values: [Element]
  ) throws(ModelError) {
    let spec = runner.subgraph.tensors[try inputTensor(at: index)]
    guard Element.isElement(of: spec.type) else {
      throw Self.wrongType(Element.elementType, of: "input \(spec.label)", spec.type)
    }
    let result = values.withUnsafeBytes { bytes in
      Swift.Result { () throws(ModelError) in try setInput(at: index, bytes: bytes) }
    }
    try result.get()
  }

  /// Fills an input with empty strings, without using more memory than they take.
  package func fillWithEmptyStrings(at index: Int) throws(ModelError) {
    let tensor = try inputTensor(at: index)
    try allocate()
    let count = runner.memory.view(tensor).elementCount
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    guard count <= Int(Int32.max) / 4 - 2 else {
      throw ModelError(
        .overBudget, "input \(runner.subgraph.tensors[tensor].label) wants \(count) strings")
    }
    let block = try runner.memory.place(tensor, byteCount: 4 * (count + 2))
    PackedStrings.encode(
      count: count, to: .init(start: block.base, count: block.byteCount)
    ) { _ in empty }
  }

  /// Returns the memory of an input, valid until the next call; strings have none in advance.
  package func inputBytes(at index: Int) throws(ModelError) -> UnsafeMutableRawBufferPointer {
    let tensor = try inputTensor(at: index)
    try allocate()
    return runner.memory.view(tensor).bytes
  }

  private func inputTensor(at index: Int) throws(ModelError) -> Int {
    guard runner.subgraph.inputs.indices.contains(index) else {
      throw ModelError(
        .mismatch, "there is no input \(index), the model has \(runner.subgraph.inputs.count)")
    }
    return runner.subgraph.inputs[index]
  }

  // MARK: Running

  /// Computes the outputs from the inputs, planning first where shapes have changed.
  public func run() throws(ModelError) {
    try allocate()
    session.meter.start()
    session.account.beginRun()
    defer { session.account.endRun() }
    if session.workers.threadCount == 1 { return try runner.run() }
    try runShared()
  }

  /// Runs on all threads, or on one where trials have found that to be faster.
  private func runShared() throws(ModelError) {
    session.workers.isSharing = threadingTrial.shares
    guard session.allowsTrials, threadingTrial.timesNextRun() else { return try runner.run() }
    let start = MonotonicTime.now
    try runner.run()
    threadingTrial.runEnded(after: MonotonicTime.now.nanoseconds - start.nanoseconds)
  }

  // MARK: Outputs

  /// Gives access to the bytes of an output, which are valid until `body` returns.
  public func withOutputBytes<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try body(UnsafeRawBufferPointer(runner.memory.view(outputTensor(at: index)).bytes))
  }

  /// Returns a copy of an output's values in the output's type; booleans are the bytes 0 and 1.
  ///
  /// - Throws: `mismatch` when the type is another one, or when no run has computed the output yet.
  public func output<Element: TensorElement>(
    at index: Int, as _: Element.Type = Element.self
  ) throws(ModelError) -> [Element] {
    let tensor = try outputTensor(at: index)
    let view = runner.memory.view(tensor)
    let label = "output \(runner.subgraph.tensors[tensor].label)"
    guard Element.isElement(of: view.type) else {
      throw Self.wrongType(Element.elementType, of: label, view.type)
    }
    guard view.bytes.count == view.type.byteCount(ofElements: view.elementCount) else {
      throw ModelError(.mismatch, "\(label) has no values before a run")
    }
    return Array(view.values(Element.self))
  }

  private static func wrongType(
    _ type: ElementType, of label: String, _ right: ElementType
  ) -> ModelError {
    let way =
      right.byteWidth == nil || right.bitWidth == 128 || right == .complex64
      ? "; read and write its bytes" : ""
    return ModelError(.mismatch, "\(label) is of type \(right.name), not \(type.name)\(way)")
  }

  private func outputTensor(at index: Int) throws(ModelError) -> Int {
    guard runner.subgraph.outputs.indices.contains(index) else {
      throw ModelError(
        .mismatch, "there is no output \(index), the model has \(runner.subgraph.outputs.count)")
    }
    return runner.subgraph.outputs[index]
  }

  // MARK: For the compatibility modules

  /// Returns the bytes of an input; `nil` unless it is planned and no change of its shape is
  /// pending.
  package func placedInputBytes(at index: Int) -> UnsafeMutableRawBufferPointer? {
    let tensor = runner.subgraph.inputs[index]
    guard runner.isPlanned, changedShapes[tensor] == nil, runner.memory.addresses[tensor] != nil
    else {
      return nil
    }
    return runner.memory.view(tensor).bytes
  }

  /// Returns the bytes of an output; `nil` before the run for outputs whose shapes depend on data.
  package func placedOutputBytes(at index: Int) -> UnsafeRawBufferPointer? {
    let tensor = runner.subgraph.outputs[index]
    guard runner.isPlanned, runner.memory.addresses[tensor] != nil else { return nil }
    return UnsafeRawBufferPointer(runner.memory.view(tensor).bytes)
  }
}
