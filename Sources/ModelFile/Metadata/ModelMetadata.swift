/// What a model's author says about it: TensorFlow Lite Metadata, schema version 1.5.0.
package struct ModelMetadata: Sendable, Hashable {
  /// The name of the model's metadata entry that holds it.
  package static let entryName = "TFLITE_METADATA"

  package var name: String?
  package var description: String?
  package var version: String?
  package var author: String?
  package var license: String?
  package var subgraphs: [SubgraphMetadata] = []
  package var associatedFiles: [AssociatedFileRecord] = []
  /// The oldest version of the metadata schema that knows everything used here.
  package var minimumParserVersion: String?

  /// Decodes the bytes of a model's metadata entry.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(ModelFileError) {
    var decoder = MetadataDecoder(byteCount: bytes.count)
    self = try decoder.model(.root(of: ByteReader(bytes), identifier: "M001"))
  }

  init() {}
}

extension ModelFile {
  /// What the author says about the model; nil when the model carries no such metadata.
  package func authorMetadata() throws(ModelFileError) -> ModelMetadata? {
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
