/// A .tflite model as checked records that refer to the weights in the file.
///
/// Every index, size and offset has been verified against the file before this value exists.
/// Readers of the records only have to check what the values mean to an operator.
public struct ModelFile: Sendable {
  /// The file identifier in bytes 4 to 7.
  package static let identifier: StaticString = "TFL3"

  /// The bytes, which keep every pointer in the records valid.
  package let bytes: ModelBytes
  /// The schema version, which is 3.
  public let version: Int
  /// The model's description of itself, from the file.
  public let description: String
  package let operatorCodes: [OperatorCodeRecord]
  /// At least one subgraph; the first is the main one.
  package let subgraphs: [SubgraphRecord]
  /// The named entry points of the model, each running one graph.
  public let signatures: [SignatureRecord]
  package let metadata: [MetadataRecord]

  package init(
    _ bytes: ModelBytes, externalBuffers policy: ExternalBufferPolicy = .refuse
  ) throws(ModelFileError) {
    do throws(ModelFileError) {
      var decoder = try ModelDecoder(bytes, policy: policy)
      version = try decoder.version()
      description = try decoder.description()
      operatorCodes = try decoder.operatorCodes()
      subgraphs = try decoder.subgraphs(operatorCodes: operatorCodes)
      signatures = try decoder.signatures(of: subgraphs)
      metadata = try decoder.metadata()
      self.bytes = decoder.owner(keeping: bytes)
    } catch {
      throw error.inFile(bytes.path)
    }
  }

  package init(
    path: String, externalBuffers policy: ExternalBufferPolicy = .refuse
  ) throws(ModelFileError) {
    try self.init(ModelBytes(path: path), externalBuffers: policy)
  }
}
