import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile

/// Runs a model: owns the memory of its tensors and the state that it keeps between runs.
///
/// Only one thread at a time may use an interpreter; any number of interpreters can share a model.
public final class Interpreter {
  /// The library that multiplies float matrices.
  public enum Backend: String, Sendable, CaseIterable {
    /// The engine's own kernels.
    case ocellus
    /// OpenBLAS, for comparison.
    ///
    /// Some models use the engine's own kernels even so: those that round floats to integers
    /// further on, because there a difference of one bit may become a whole quantization step, and
    /// all models with numerics other than `Numerics.fast`.
    case blas
  }

  /// The rules of float computations; of integers too, where official kernels round differently.
  public enum Numerics: Hashable, Sendable {
    /// As fast as possible, within a few units in the last place of the official results.
    ///
    /// Multiplications and additions may be fused, and 3×3 convolutions may use Winograd's method,
    /// with which an infinity or a NaN may spread one pixel beyond the windows that contain it.
    ///
    /// Models that round floats to integers on the way, such as those with quantized weights and
    /// float inputs, are computed as with `exact` even so: there a difference of one bit may become
    /// a whole quantization step.
    case fast
    /// Bit-exact with the official reference kernels, on every instruction set and with any number
    /// of threads: each multiplication and addition is rounded, in the order of the plain loop.
    ///
    /// Functions such as the hyperbolic tangent come from this machine's C library, which the
    /// official runtime calls too.
    case exact
    /// As `fast`, but the factors of matrix multiplications are rounded to bfloat16, whose eight
    /// significant bits keep two to three decimal digits.
    ///
    /// This concerns the float inputs and weights of CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED and
    /// BATCH_MATMUL; their products are exact, and are added as `float32`. Packed weights take half of
    /// the memory, and processors with Intel's AMX multiply several times as fast. Their results have
    /// the same bits on every instruction set; the page "Bfloat16 numerics" states the order of the
    /// sums.
    ///
    /// Models that round floats to integers on the way are computed as with `exact` even so.
    case bfloat16
    /// Bit-exact with what LiteRT 2.3 computes by default on a processor: the nodes that its
    /// delegate XNNPACK takes have the bits of XNNPACK's micro-kernels, integers included.
    ///
    /// The page "LiteRT's default numerics" lists what each operator computes. Nodes whose bits are
    /// not imitated are computed as with `exact`; `XNNPACKPartition` names them.
    case litert(LiteRTProcessor)
  }

  /// The settings of an interpreter.
  public struct Options: Sendable {
    /// The number of threads that share the work of large steps; results do not depend on it.
    ///
    /// The engine starts no more threads than there are processors. A model whose runs take less
    /// than two milliseconds is timed on one thread now and then, for three runs out of hundreds,
    /// and stays on one thread while that is faster. No such trials are made if the budget's time
    /// is less than ten seconds.
    public var threads: Int
    /// The limits on memory, arithmetic and time.
    public var budget: RunBudget
    /// Whether to run the reference kernel of every operator instead of tuned kernels.
    public var usesReferenceKernels: Bool
    /// The library that multiplies float matrices, where tuned kernels run.
    public var backend: Backend
    /// The precision of float computations, where tuned kernels run.
    public var numerics: Numerics
    /// The instruction set whose kernels run, by a name that `ocellus cpu` lists.
    ///
    /// `nil` takes the best one that the processor has and `OCELLUS_ISA` allows.
    public var instructionSet: String?
    /// The strategy to use for a kernel family, by the names that `ocellus kernel list` shows.
    ///
    /// A node that the strategy does not accept, or whose family is not listed here, gets the
    /// strategy with the least expected time. This is for comparisons: the results are
    /// bit-identical.
    public var strategies: [String: String] = [:]
    /// Whether strategies are chosen by measurements on this machine.
    public var tuning: Tuning
    /// Whether every node runs by itself and every result exists in memory, for observers to see.
    ///
    /// Nothing is fused, computed slice by slice or stored in another axis order. The results are
    /// bit-identical; runs take longer.
    public var runsNodesSeparately: Bool
    /// Whether intermediate results have memory of their own, for the program to read after a run.
    package var keepsIntermediateResults = false
    /// The clock of the measurements that `tuning` asks for.
    package var tuningClock = TuningClock.monotonic

    /// Makes options; by default one thread, a budget far above real models' needs, and fast tuned
    /// kernels.
    public init(
      threads: Int = 1, budget: RunBudget = RunBudget(), usesReferenceKernels: Bool = false,
      backend: Backend = .ocellus, numerics: Numerics = .fast, instructionSet: String? = nil,
      runsNodesSeparately: Bool = false, tuning: Tuning = .off
    ) {
      self.threads = threads
      self.budget = budget
      self.usesReferenceKernels = usesReferenceKernels
      self.backend = backend
      self.numerics = numerics
      self.instructionSet = instructionSet
      self.runsNodesSeparately = runsNodesSeparately
      self.tuning = tuning
    }
  }

  /// The model that this interpreter runs.
  public let model: Model
  /// The settings of this interpreter.
  public let options: Options
  /// The main subgraph; most models have no other entry point.
  public let main: EntryPoint

  let session: Session
  private let control: RunControl
  private var signatures: [String: EntryPoint] = [:]

  /// Prepares to run a model; memory is allocated by the first call of `allocate()` or `run()`.
  ///
  /// - Throws: `unsupported` when the processor is too old for all kernels, or the backend is not
  ///   installed.
  public convenience init(_ model: Model, options: Options = Options()) throws(ModelError) {
    try self.init(model, options: options, control: RunControl())
  }

  /// Makes an interpreter that whatever stops `other` stops as well; only one of the two runs at a
  /// time.
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
    try best.require(options.numerics)
    guard options.backend == .blas, options.numerics != .bfloat16 else { return best }
    guard let library = OpenBLAS.installed else {
      throw ModelError(
        .unsupported,
        "there is no \(OpenBLAS.fileName) on this machine: Debian has it in libopenblas0")
    }
    switch model.graph.numerics(options) {
    case .fast: return best.multiplyingFloats(with: library)
    case .exact, .litert: return best
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

  /// The instruction set whose kernels run, such as `avx512`; `reference` for the reference
  /// kernels.
  public var instructionSet: String { session.kernels?.table.name ?? "reference" }

  /// Returns the entry point of a signature.
  ///
  /// - Throws: `mismatch`, listing the existing keys, when there is none with this key.
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

  /// A handle that stops the run in progress, from any thread; the run throws `cancelled`.
  ///
  /// Later runs stop as well until `resume()` is called.
  public var cancellation: Cancellation { Cancellation(control: control) }

  /// Resets variables, tables and random numbers to their state before the first run.
  public func resetState() {
    session.resetState()
  }

  /// The number of bytes that tensors and working memory take at the moment.
  public var memoryInUse: Int { session.account.used }

  /// The most bytes that tensors and working memory have taken so far.
  package var peakMemoryInUse: Int { session.account.peakUsed }
}

/// Stops an interpreter's run from another thread.
public struct Cancellation: Sendable {
  let control: RunControl

  /// Makes the run in progress, and all later ones, throw `cancelled`.
  ///
  /// A layer that keeps state between runs may have processed only half of this run's input, so its
  /// state is valid again only after `Interpreter.resetState()`. Every variable has either its old
  /// value or its new one.
  public func cancel() { control.cancel() }

  /// Allows runs again.
  public func resume() { control.clear() }
}

extension Interpreter {
  /// The inputs of the main subgraph.
  public var inputs: [TensorDescription] { main.inputs }

  /// The outputs of the main subgraph.
  public var outputs: [TensorDescription] { main.outputs }

  /// Requests another shape of an input; see `EntryPoint.resizeInput(at:to:)`.
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

  /// Returns a copy of an output's values; see `EntryPoint.output(at:as:)`.
  public func output<Element: TensorElement>(
    at index: Int, as type: Element.Type = Element.self
  ) throws(ModelError) -> [Element] {
    try main.output(at: index, as: type)
  }
}

extension Interpreter {
  /// Whether the engine was compiled with optimization, unlike in debug builds and in the quick one of
  /// `make detect`, where the kernels alone are.
  package static var isOptimized: Bool {
    var isOptimized = true
    assert({ isOptimized = false }() == ())
    return isOptimized
  }
}
