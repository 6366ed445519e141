/// What a model's author says about it: TensorFlow Lite Metadata, schema version 1.5.0.
public struct ModelMetadata: Sendable, Hashable {
  /// The name of the model's metadata entry that holds it.
  public static let entryName = "TFLITE_METADATA"

  /// The model's name.
  public var name: String?
  /// What it does.
  public var description: String?
  /// Which version of it this is.
  public var version: String?
  /// Who made it.
  public var author: String?
  /// What may be done with it.
  public var license: String?
  /// What is said about its graphs.
  public var subgraphs: [SubgraphMetadata] = []
  /// What is said about files that are packed with it.
  public var associatedFiles: [AssociatedFileRecord] = []
  /// The oldest version of the metadata schema that knows everything used here.
  public var minimumParserVersion: String?

  /// Decodes the bytes of a model's metadata entry.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(ModelFileError) {
    var decoder = MetadataDecoder(byteCount: bytes.count)
    self = try decoder.model(.root(of: ByteReader(bytes), identifier: "M001"))
  }

  init() {}
}

extension ModelFile {
  /// What the author says about the model; nil when the model carries no such metadata.
  public func authorMetadata() throws(ModelFileError) -> ModelMetadata? {
    guard let entry = metadata.first(where: { $0.name == ModelMetadata.entryName }) else {
      return nil
    }
    do throws(ModelFileError) {
      return try ModelMetadata(decoding: entry.bytes)
    } catch {
      // Positions in the entry are none in the file.
      throw ModelFileError(error.kind, "\(entry.name): \(error.message)", path: bytes.path)
    }
  }
}
