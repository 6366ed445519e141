package import OcellusModelFile
import OcellusPlatform

/// A model that was read and checked: immutable, and shared by any number of interpreters.
///
/// Weights are used directly from the mapped file. Packed weights and folded constants are stored
/// here once, however many interpreters run the model.
public final class Model: Sendable {
  /// The settings for reading a model.
  public struct Options: Sendable {
    /// Custom operators that you implement, by the names that the model gives them.
    public var customOperators: [CustomOperator]
    /// The folder from which files that the model names may be read; `nil` refuses them.
    public var externalBufferFolder: String?
    /// The SHA-256 digest that the file must have, in hexadecimal digits; `nil` accepts any file.
    public var sha256: String?

    /// Makes options; by default no custom operators, no external files, and any digest.
    public init(
      customOperators: [CustomOperator] = [], externalBufferFolder: String? = nil,
      sha256: String? = nil
    ) {
      self.customOperators = customOperators
      self.externalBufferFolder = externalBufferFolder
      self.sha256 = sha256
    }
  }

  package let file: ModelFile
  package let graph: Graph
  let packedWeights: PackedWeights
  let foldedConstants = FoldedConstants()
  let tunedStrategies = TunedStrategies()

  /// Reads the model file at `path`, which stays mapped while the model is in use.
  ///
  /// - Throws: what is wrong with the file, or one error that lists everything in it that is not
  ///   supported.
  public convenience init(path: String, options: Options = Options()) throws(ModelError) {
    try self.init(Self.map(path), options: options)
  }

  /// Reads a model from memory, and copies the bytes.
  public convenience init(bytes: [UInt8], options: Options = Options()) throws(ModelError) {
    try self.init(ModelBytes(bytes), options: options)
  }

  package convenience init(
    _ bytes: ModelBytes, options: Options = Options()
  ) throws(ModelError) {
    try self.init(Self.read(bytes, options: options), options: options)
  }

  package convenience init(
    _ file: ModelFile, options: Options = Options()
  ) throws(ModelError) {
    try self.init(
      file, registry: OperatorRegistry(adding: options.customOperators.map(\.definition)))
  }

  package init(_ file: ModelFile, registry: OperatorRegistry) throws(ModelError) {
    self.file = file
    var builder = GraphBuilder(file, registry: registry)
    graph = try builder.build()
    packedWeights = PackedWeights(weightByteCount: graph.weightByteCount)
  }

  private static func map(_ path: String) throws(ModelError) -> ModelBytes {
    do { return try ModelBytes(path: path) } catch { throw ModelError(error) }
  }

  private static func read(
    _ bytes: ModelBytes, options: Options
  ) throws(ModelError) -> ModelFile {
    try check(bytes, against: options.sha256)
    do {
      return try ModelFile(
        bytes, externalBuffers: options.externalBufferFolder.map { .allow(folder: $0) } ?? .refuse)
    } catch {
      throw ModelError(error)
    }
  }

  private static func check(
    _ bytes: ModelBytes, against demanded: String?
  ) throws(ModelError) {
    guard let demanded else { return }
    let digest = SHA256.hash(bytes.buffer).hexadecimal
    guard digest == demanded.lowercased() else {
      throw ModelError(
        .mismatch, "this is another model: its SHA-256 digest is \(digest), not \(demanded)")
    }
  }

  /// The model's description of itself, from the file.
  public var description: String { file.description }

  /// The keys of the model's signatures, in the order of the file.
  public var signatureKeys: [String] { file.signatures.map(\.key) }

  /// The keys of signatures that cannot be run, though the model can.
  ///
  /// `Interpreter.signature(_:)` throws the reason for such a key.
  public var unusableSignatureKeys: [String] {
    file.signatures.filter { graph.subgraphs[$0.subgraphIndex] == nil }.map(\.key)
  }

  /// The names of the subgraphs, or else the keys of the signatures that run them.
  ///
  /// A subgraph with neither has an empty name.
  package var subgraphNames: [String] {
    file.subgraphs.enumerated().map { index, subgraph in
      subgraph.name.isEmpty
        ? file.signatures.first { $0.subgraphIndex == index }?.key ?? "" : subgraph.name
    }
  }
}
