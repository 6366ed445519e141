extension ModelFile {
  /// Reads a model, and checks every index, size and offset in it.
  ///
  /// - Parameters:
  ///   - path: The .tflite file, which is mapped and must not be truncated while the model is in
  ///     use.
  ///   - externalBufferFolder: The folder of files in which the model keeps constants; without it,
  ///     models that do so are refused.
  /// - Throws: what is wrong with the file, and its position.
  public init(
    contentsOf path: String, externalBufferFolder: String? = nil
  ) throws(ModelFileError) {
    try self.init(
      ModelBytes(path: path), externalBuffers: Self.policy(externalBufferFolder))
  }

  /// Reads a model from memory, with the same checks as from a file.
  public init(bytes: [UInt8], externalBufferFolder: String? = nil) throws(ModelFileError) {
    try self.init(ModelBytes(bytes), externalBuffers: Self.policy(externalBufferFolder))
  }

  private static func policy(_ folder: String?) -> ExternalBufferPolicy {
    folder.map { .allow(folder: $0) } ?? .refuse
  }

  /// The graphs; the first is the main one, others are called by its nodes or by signatures.
  public var graphs: [Graph] { subgraphs.indices.map { Graph(file: self, index: $0) } }

  /// The names of the model's metadata entries, such as `TFLITE_METADATA`.
  public var metadataNames: [String] { metadata.map(\.name) }

  /// Returns the bytes of a metadata entry; `nil` if there is none with this name.
  public func metadataBytes(named name: String) -> [UInt8]? {
    withExtendedLifetime(bytes) { metadata.first { $0.name == name }.map { Array($0.bytes) } }
  }

  /// Returns the names of files that are packed with the model, such as lists of labels.
  public func associatedFileNames() throws(ModelFileError) -> [String] {
    try AssociatedFiles(in: bytes).entries.map(\.name)
  }

  /// Returns a file that is packed with the model; `nil` if there is none with this name.
  public func associatedFile(named name: String) throws(ModelFileError) -> [UInt8]? {
    try AssociatedFiles(in: bytes).contents(of: name)
  }
}
