import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile

/// Runs a model: owns the memory of its tensors and the state that it keeps between runs.
///
/// An interpreter belongs to one thread at a time; any number of them can share a model.
public final class Interpreter {
  /// How a model is run.
  public struct Options: Sendable {
    /// The threads that share the work of large steps; results do not depend on it.
    public var threads: Int
    /// What a run may use.
    public var budget: RunBudget
    /// Whether to run the plain-loop reference of every operator instead of tuned kernels.
    public var usesReferenceKernels: Bool

    /// Makes options: one thread, a budget that real models stay far below, tuned kernels.
    public init(
      threads: Int = 1, budget: RunBudget = RunBudget(), usesReferenceKernels: Bool = false
    ) {
      self.threads = threads
      self.budget = budget
      self.usesReferenceKernels = usesReferenceKernels
    }
  }

  /// The model that is run.
  public let model: Model
  /// How it is run.
  public let options: Options
  /// The main subgraph, which most models have nothing beside.
  public let main: EntryPoint

  let session: Session
  private let control = RunControl()
  private var signatures: [String: EntryPoint] = [:]

  /// Prepares a model to be run; memory is taken when `allocate()` or `run()` is first called.
  public init(_ model: Model, options: Options = Options()) throws(ModelError) {
    self.model = model
    self.options = options
    session = Session(
      model: model, options: options, control: control,
      kernels: options.usesReferenceKernels ? nil : KernelTable.available.first)
    main = EntryPoint(session: session, runner: try session.runner(for: 0))
  }

  /// The way to run the subgraph of a signature.
  ///
  /// - Throws: `mismatch`, naming the keys that there are.
  public func signature(_ key: String) throws(ModelError) -> EntryPoint {
    if let known = signatures[key] { return known }
    guard let index = model.file.signatures.firstIndex(where: { $0.key == key }) else {
      let keys = model.signatureKeys.map { "'\($0)'" }.joined(separator: ", ")
      throw ModelError(.mismatch, "there is no signature '\(key)'; the model has: [\(keys)]")
    }
    let entry = try EntryPoint(session: session, signature: index)
    signatures[key] = entry
    return entry
  }

  /// Stops the run in progress, from any thread; it throws `cancelled`.
  ///
  /// Later runs stop as well until `resume()` is called.
  public var cancellation: Cancellation { Cancellation(control: control) }

  /// Sets variables, tables and random numbers back to how they were before the first run.
  public func resetState() {
    session.resetState()
  }

  /// Bytes that tensors and working memory take at the moment.
  public var memoryInUse: Int { session.account.used }
}

/// Stops an interpreter's run from another thread.
public struct Cancellation: Sendable {
  let control: RunControl

  /// Makes the run in progress, and all later ones, throw `cancelled`.
  public func cancel() { control.cancel() }

  /// Lets runs go on again.
  public func resume() { control.clear() }
}

extension Interpreter {
  /// The inputs of the main subgraph.
  public var inputs: [TensorDescription] { main.inputs }

  /// The outputs of the main subgraph.
  public var outputs: [TensorDescription] { main.outputs }

  /// Asks for another shape of an input; see `EntryPoint.resizeInput(at:to:)`.
  public func resizeInput(at index: Int, to shape: Shape) throws(ModelError) {
    try main.resizeInput(at: index, to: shape)
  }

  /// Plans the run for the inputs' shapes; see `EntryPoint.allocate()`.
  public func allocate() throws(ModelError) { try main.allocate() }

  /// Copies values into an input.
  public func setInput<Element: BitwiseCopyable>(
    at index: Int, to values: [Element]
  ) throws(ModelError) {
    try main.setInput(at: index, to: values)
  }

  /// Computes the outputs from the inputs.
  public func run() throws(ModelError) { try main.run() }

  /// The values of an output, copied.
  public func output<Element: BitwiseCopyable>(
    at index: Int, as type: Element.Type = Element.self
  ) throws(ModelError) -> [Element] {
    try main.output(at: index, as: type)
  }
}
