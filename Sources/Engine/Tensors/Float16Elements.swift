/// Float16 numbers that stay in the model's file.
///
/// They are read there each time, because a thousand tensors of a small file may share a large
/// table of scales.
///
/// Unchecked: its pointer leads into the model's bytes, which never change and outlive the graph.
package struct Float16Elements: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package static let none = Float16Elements(UnsafeRawBufferPointer(start: nil, count: 0))

  package var count: Int { bytes.count / MemoryLayout<Float16>.stride }

  package subscript(index: Int) -> Float {
    Float(
      bytes.loadUnaligned(
        fromByteOffset: index * MemoryLayout<Float16>.stride, as: Float16.self))
  }
}
