import OcellusAudit
import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch

/// A check of a receipt by computing again what it states.
struct ReceiptCheck {
  private let receipt: Receipt
  private let model: Model
  private let inputs: GivenInputs
  /// The folder or file with tensors that were kept.
  private let keepPath: String?
  private let options: Interpreter.Options

  /// Prepares to compute as when the receipt was made, as far as this processor and the root permit.
  ///
  /// - Throws: an error if options contradict the receipt at `path`.
  init(
    of receipt: Receipt, at path: String, modelPath: String, _ inputs: GivenInputs,
    keepPath: String?, _ options: Interpreter.Options
  ) throws {
    self.receipt = receipt
    self.inputs = try inputs.replaying(ReplayedPreparation(of: receipt, at: path))
    self.options = try Self.options(options, replaying: receipt.setting, of: path)
    self.keepPath = keepPath
    model = try Model(path: modelPath)
  }

  private static func options(
    _ given: Interpreter.Options, replaying setting: Receipt.Setting, of path: String
  ) throws(UsageError) -> Interpreter.Options {
    let official: Set = ["exact", "reference"]
    // The exact kernels and the reference kernels have the same bits.
    let isSame = official.isSuperset(of: [given.numericsName, setting.numerics])
    guard ["fast", setting.numerics].contains(given.numericsName) || isSame else {
      let option =
        switch given.numericsName {
        case "blas": "backend"
        case let name where ["exact", "reference"].contains(name): name
        default: "numerics"
        }
      throw UsageError(
        "--\(option) contradicts \(path), whose floats are '\(setting.numerics)'; leave the option out: "
          + "the receipt says how it was computed")
    }
    var options = given
    setting.apply(to: &options, among: KernelTable.available.map(\.name))
    return options
  }

  /// The setting of the runs of this check.
  private var setting: Receipt.Setting {
    .init(
      version: Program.version,
      instructionSet: options.instructionSet ?? KernelTable.available.first?.name ?? "",
      threads: options.threads, numerics: options.numericsName)
  }

  // MARK: Everything

  /// Computes everything again, from the inputs that were given or kept.
  func verdict() throws -> ReceiptVerdict {
    guard inputs.isEmpty else {
      return receipt.verdict(comparedWith: try inputs.receipt(of: model, options), of: model)
    }
    if let keepPath, model.fileHash == receipt.modelHash {
      return receipt.verdict(
        comparedWith: try recomputed(from: TensorArchive(path: keepPath)), of: model)
    }
    let withoutInput = receipt.verdictWithoutInput(of: model)
    guard receipt.pictureHashes.isEmpty, withoutInput.outcome == .undecided else {
      return withoutInput
    }
    // The inputs may have been generated when the receipt was made, too.
    let found = try inputs.receipt(of: model, options)
    return found.inputs == receipt.inputs
      ? receipt.verdict(comparedWith: found, of: model) : withoutInput
  }

  private func recomputed(from archive: TensorArchive) throws -> Receipt {
    let interpreter = try Interpreter(model, options: options)
    let entry = interpreter.main
    for (index, (stated, input)) in zip(receipt.inputs, entry.inputs).enumerated() {
      guard
        let tensor = try archive.tensor(
          input.tensorIndex, name: input.name, type: input.type, quantization: input.quantization)
      else {
        throw AuditError("\(archive.path) has no input '\(stated.name)': give it with --input FILE")
      }
      try entry.setInput(at: index, to: tensor)
    }
    var found = try ReceiptRecorder().receipt(of: interpreter)
    found.setting.version = Program.version
    // The pictures were not given: what they became was.
    found.pictureHashes = receipt.pictureHashes
    found.preparations = receipt.preparations
    return found
  }

  // MARK: Some nodes

  /// Computes some nodes again, from tensors that were kept.
  func sampled(_ count: Int, from keepPath: String) throws -> (ReceiptVerdict, nodes: [Int]) {
    guard model.fileHash == receipt.modelHash else {
      throw AuditError("this is not the model of the receipt: its SHA-256 is \(model.fileHash)")
    }
    var generator = SystemRandomNumberGenerator()
    let sample = ReceiptSample(
      of: receipt, model: model, archive: try TensorArchive(path: keepPath), options: options,
      cause: receipt.setting.roundingCause(in: setting))
    return try sample.check(count, using: &generator)
  }
}

extension GivenInputs {
  /// Runs a model on the inputs and records everything.
  func receipt(
    of model: Model, _ options: Interpreter.Options, keep: ReceiptRecorder.Keep? = nil
  ) throws -> Receipt {
    let interpreter = try Interpreter(model, options: options)
    let pictures = try set(in: interpreter.main, of: model)
    var receipt = try ReceiptRecorder(keep: keep).receipt(of: interpreter)
    receipt.setting.version = Program.version
    receipt.pictureHashes = pictures.map(\.hash)
    receipt.preparations = pictures.flatMap(\.preparations)
    return receipt
  }
}
