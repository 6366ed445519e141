extension ModelFile {
  /// Reads a model, and checks all of it: every index, size and offset.
  ///
  /// - Parameters:
  ///   - path: The .tflite file, which is mapped and must not be cut short meanwhile.
  ///   - externalBufferFolder: Where constants may lie that the model keeps in files of their own; models
  ///     that have any are refused without it.
  /// - Throws: what is wrong, and at which byte.
  public init(
    contentsOf path: String, externalBufferFolder: String? = nil
  ) throws(ModelFileError) {
    try self.init(
      ModelBytes(path: path), externalBuffers: Self.policy(externalBufferFolder))
  }

  /// Reads a model from memory, as from a file.
  public init(bytes: [UInt8], externalBufferFolder: String? = nil) throws(ModelFileError) {
    try self.init(ModelBytes(bytes), externalBuffers: Self.policy(externalBufferFolder))
  }

  private static func policy(_ folder: String?) -> ExternalBufferPolicy {
    folder.map { .allow(folder: $0) } ?? .refuse
  }

  /// The graphs; the first is the main one, others are called by its nodes or by signatures.
  public var graphs: [Graph] { subgraphs.indices.map { Graph(file: self, index: $0) } }

  /// The names of bytes that the model carries along, such as `TFLITE_METADATA`.
  public var metadataNames: [String] { metadata.map(\.name) }

  /// Bytes that the model carries along under a name; `nil` where there are none.
  public func metadataBytes(named name: String) -> [UInt8]? {
    withExtendedLifetime(bytes) { metadata.first { $0.name == name }.map { Array($0.bytes) } }
  }

  /// The names of files that are packed with the model, such as lists of labels.
  public func associatedFileNames() throws(ModelFileError) -> [String] {
    try AssociatedFiles(in: bytes).entries.map(\.name)
  }

  /// A file that is packed with the model; `nil` where there is none of this name.
  public func associatedFile(named name: String) throws(ModelFileError) -> [UInt8]? {
    try AssociatedFiles(in: bytes).contents(of: name)
  }
}
