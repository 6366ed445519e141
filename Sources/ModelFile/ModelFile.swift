/// A .tflite model as checked records, its weights left where they are.
///
/// Every index, size and offset has been verified against the file before this value exists; what
/// remains for readers of the records to check is what the values mean to an operator.
public struct ModelFile: Sendable {
  /// What the bytes of a file have at their fifth place.
  package static let identifier: StaticString = "TFL3"

  /// Keeps every pointer in the records valid.
  package let bytes: ModelBytes
  /// The schema version, which is 3.
  public let version: Int
  /// What the file says the model is.
  public let description: String
  package let operatorCodes: [OperatorCodeRecord]
  /// At least one; the first is the main one.
  package let subgraphs: [SubgraphRecord]
  /// Named ways to call graphs.
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
