/// An author's description of a model: TensorFlow Lite Metadata, schema version 1.5.0.
public struct ModelMetadata: Sendable, Hashable {
  /// The name of the model's metadata entry that holds the description.
  public static let entryName = "TFLITE_METADATA"

  /// The model's name.
  public var name: String?
  /// The description of what the model does.
  public var description: String?
  /// The version of the model.
  public var version: String?
  /// The author of the model.
  public var author: String?
  /// The license of the model.
  public var license: String?
  /// The descriptions of the model's graphs.
  public var subgraphs: [SubgraphMetadata] = []
  /// The descriptions of the files that are packed with the model.
  public var associatedFiles: [AssociatedFileRecord] = []
  /// The oldest version of the metadata schema that has everything used here.
  public var minimumParserVersion: String?

  /// Decodes the bytes of a model's metadata entry.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(ModelFileError) {
    var decoder = MetadataDecoder(byteCount: bytes.count)
    self = try decoder.model(.root(of: ByteReader(bytes), identifier: "M001"))
  }

  init() {}
}

extension ModelFile {
  /// Returns the author's description of the model; `nil` if the model has none.
  public func authorMetadata() throws(ModelFileError) -> ModelMetadata? {
    guard let entry = metadata.first(where: { $0.name == ModelMetadata.entryName }) else {
      return nil
    }
    do throws(ModelFileError) {
      return try ModelMetadata(decoding: entry.bytes)
    } catch {
      // Positions in the entry are not positions in the file.
      throw ModelFileError(error.kind, "\(entry.name): \(error.message)", path: bytes.path)
    }
  }
}
