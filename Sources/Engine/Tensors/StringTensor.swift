package import OcellusModelFile

/// The strings of a tensor, after checking that each one lies inside the tensor's bytes.
///
/// The encoding is TensorFlow Lite's: the count, the offset of each string and of the end, and then
/// the bytes, which need not be UTF-8.
package struct StringTensor {
  private let strings: PackedStrings?

  /// The number of strings.
  package let count: Int

  /// Checks the bytes of a tensor.
  ///
  /// - Throws: `malformed` if the bytes are not strings, if there are not as many as the shape has
  ///   elements, or if the run is stopped before all have been checked.
  package init(_ tensor: TensorView) throws(ModelFileError) {
    count = tensor.elementCount
    // A tensor without elements may never have been written.
    guard count > 0 || tensor.bytes.count > 0 else {
      strings = nil
      return
    }
    let strings = try PackedStrings(validating: UnsafeRawBufferPointer(tensor.bytes)) {
      tensor.control?.isOver == true
    }
    guard strings.count == count else {
      throw ModelFileError(
        .malformed, "a string tensor of \(count) elements holds \(strings.count) strings")
    }
    self.strings = strings
  }

  /// The bytes of one string, valid as long as the tensor's.
  package subscript(index: Int) -> UnsafeRawBufferPointer {
    strings?[index] ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
