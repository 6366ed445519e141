/// A metadata entry of a model: named bytes, such as `TFLITE_METADATA`.
///
/// Sendable although it points into the model: that memory never changes.
package struct MetadataRecord: @unchecked Sendable {
  package var name: String
  package var bytes: UnsafeRawBufferPointer

  package init(name: String, bytes: UnsafeRawBufferPointer) {
    self.name = name
    self.bytes = bytes
  }
}
