import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile

/// Runs a model: owns the memory of its tensors and the state that it keeps between runs.
///
/// An interpreter belongs to one thread at a time; any number of them can share a model.
public final class Interpreter {
  /// Who multiplies matrices of floats.
  public enum Backend: String, Sendable, CaseIterable {
    /// The engine's own kernels.
    case ocellus
    /// OpenBLAS, for comparison; models that go on to round floats are run by the own kernels,
    /// because a bit may become a step there, and so is everything with `Numerics.exact`.
    case blas
  }

  /// How floats are computed; integers have one right result.
  public enum Numerics: Sendable {
    /// As fast as possible, within a few units of the last place of the official results.
    ///
    /// Products and sums may be fused, and convolutions of 3×3 windows computed by Winograd's method,
    /// where what is infinite or no number may reach one pixel more than see it.
    ///
    /// Models that round floats to integers on the way, as those with quantized weights and float
    /// inputs do, are computed as with `exact` even so, because a bit may become a step there.
    case fast
    /// With the bits of the official runtime's reference kernels, on every instruction set and
    /// number of threads: products and sums are rounded one by one, in the order of a plain loop.
    ///
    /// Functions such as the hyperbolic tangent are those of this machine's C library, which the
    /// official runtime calls too.
    case exact
  }

  /// How a model is run.
  public struct Options: Sendable {
    /// The threads that share the work of large steps; results do not depend on it.
    ///
    /// No more are started than there are processors to run them. Models whose runs take less than two
    /// milliseconds are tried without them now and then, three runs of some hundreds, and run so where that
    /// is faster; not if the budget's time is less than ten seconds.
    public var threads: Int
    /// What a run may use.
    public var budget: RunBudget
    /// Whether to run the plain-loop reference of every operator instead of tuned kernels.
    public var usesReferenceKernels: Bool
    /// Who multiplies matrices of floats, where kernels are tuned.
    public var backend: Backend
    /// How floats are computed, where kernels are tuned.
    public var numerics: Numerics
    /// The instruction set whose kernels run, by the name that `ocellus cpu` lists; `nil` for the
    /// best that the processor has and `OCELLUS_ISA` allows.
    public var instructionSet: String?
    /// Strategies to take where they accept a node, by the family that they belong to, both by the names that
    /// `ocellus kernel list` shows; elsewhere the one that is expected to take the least time is taken.
    ///
    /// For comparisons: the results are the same bits.
    public var strategies: [String: String] = [:]
    /// Whether every node runs by itself and its results exist in memory, so that an observer sees
    /// them: nothing is fused, done piece by piece or stored in another order.
    ///
    /// The results are the same bits; runs take longer.
    public var keepsNodesApart: Bool
    /// Whether results in between have memory of their own, so that the program can read them behind a run.
    package var keepsResults = false

    /// Makes options: one thread, a budget that real models stay far below, tuned kernels, fast.
    public init(
      threads: Int = 1, budget: RunBudget = RunBudget(), usesReferenceKernels: Bool = false,
      backend: Backend = .ocellus, numerics: Numerics = .fast, instructionSet: String? = nil,
      keepsNodesApart: Bool = false
    ) {
      self.threads = threads
      self.budget = budget
      self.usesReferenceKernels = usesReferenceKernels
      self.backend = backend
      self.numerics = numerics
      self.instructionSet = instructionSet
      self.keepsNodesApart = keepsNodesApart
    }
  }

  /// The model that is run.
  public let model: Model
  /// How it is run.
  public let options: Options
  /// The main subgraph, which most models have nothing beside.
  public let main: EntryPoint

  let session: Session
  private let control: RunControl
  private var signatures: [String: EntryPoint] = [:]

  /// Prepares a model to be run; memory is taken when `allocate()` or `run()` is first called.
  ///
  /// - Throws: `unsupported` when the processor is too old for any kernels, or the backend is not
  ///   installed.
  public convenience init(_ model: Model, options: Options = Options()) throws(ModelError) {
    try self.init(model, options: options, control: RunControl())
  }

  /// Another interpreter, which whatever stops `other` stops as well: one of the two runs at a time.
  package convenience init(
    _ model: Model, options: Options, stoppedWith other: Interpreter
  ) throws(ModelError) {
    try self.init(model, options: options, control: other.control)
  }

  private init(_ model: Model, options: Options, control: RunControl) throws(ModelError) {
    self.model = model
    self.options = options
    self.control = control
    session = try Session(
      model: model, options: options, control: control,
      kernels: try Self.kernels(for: model, options))
    main = EntryPoint(session: session, runner: try session.entryRunner(for: 0))
  }

  private static func kernels(
    for model: Model, _ options: Options
  ) throws(ModelError) -> KernelTable? {
    if options.usesReferenceKernels { return nil }
    let best = try kernels(named: options.instructionSet)
    try requireStrategies(options.strategies, among: best.families)
    guard options.backend == .blas else { return best }
    guard let library = OpenBLAS.installed else {
      throw ModelError(
        .unsupported,
        "there is no \(OpenBLAS.fileName) on this machine: Debian has it in libopenblas0")
    }
    switch model.graph.numerics(options) {
    case .fast: return best.multiplyingFloats(with: library)
    case .exact: return best
    }
  }

  private static func requireStrategies(
    _ strategies: [String: String], among families: [KernelFamilySummary]
  ) throws(ModelError) {
    for (name, strategy) in strategies.sorted(by: { $0.key < $1.key }) {
      guard let family = families.first(where: { $0.name == name }) else {
        let known = families.map(\.name).joined(separator: ", ")
        throw ModelError(
          .unsupported, "there is no family of kernels '\(name)': there are \(known)")
      }
      guard family.strategies.contains(strategy) else {
        let known = family.strategies.joined(separator: ", ")
        throw ModelError(
          .unsupported,
          "\(name) has no strategy '\(strategy)' on this instruction set: it has \(known)")
      }
    }
  }

  private static func kernels(named name: String?) throws(ModelError) -> KernelTable {
    let available = KernelTable.available
    guard let best = available.first else {
      throw ModelError(.unsupported, KernelTable.absence)
    }
    guard let name else { return best }
    guard let table = available.first(where: { $0.name == name }) else {
      let names = available.map(\.name).joined(separator: ", ")
      throw ModelError(
        .unsupported, "there are no kernels '\(name)' for this processor; there are: \(names)")
    }
    return table
  }

  /// The instruction set whose kernels run: `avx512`, say, or `reference` for plain loops.
  public var instructionSet: String { session.kernels?.table.name ?? "reference" }

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

  /// The most bytes that tensors and working memory have taken so far.
  package var mostMemoryInUse: Int { session.account.mostUsed }
}

/// Stops an interpreter's run from another thread.
public struct Cancellation: Sendable {
  let control: RunControl

  /// Makes the run in progress, and all later ones, throw `cancelled`.
  ///
  /// A layer that remembers what it saw may have taken in half of this run's input: what it remembers is worth
  /// something again after `Interpreter.resetState()`. Variables have their old value or the new one.
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

  /// Copies bytes into an input; see `EntryPoint.setInput(at:bytes:)`.
  public func setInput(at index: Int, bytes: [UInt8]) throws(ModelError) {
    try main.setInput(at: index, bytes: bytes)
  }

  /// Copies values into an input; see `EntryPoint.setInput(at:to:)`.
  public func setInput<Element: TensorElement>(
    at index: Int, to values: [Element]
  ) throws(ModelError) {
    try main.setInput(at: index, to: values)
  }

  /// Computes the outputs from the inputs.
  public func run() throws(ModelError) { try main.run() }

  /// The values of an output, copied; see `EntryPoint.output(at:as:)`.
  public func output<Element: TensorElement>(
    at index: Int, as type: Element.Type = Element.self
  ) throws(ModelError) -> [Element] {
    try main.output(at: index, as: type)
  }
}
