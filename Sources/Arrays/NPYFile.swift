/// A .npy file of which only the header has been read.
package struct NPYFile {
  private let bytes: UnsafeRawBufferPointer
  private let header: NPYHeader
  private let dataOffset: Int
  package let element: NPYElement

  package var shape: [Int] { header.shape }
  /// The size of all numbers.
  package var byteCount: Int { bytes.count - dataOffset }

  /// Reads the header of a file of format version 1.0 to 3.0, which takes very little memory.
  package init(_ bytes: UnsafeRawBufferPointer) throws(NPYError) {
    self.bytes = bytes
    (header, dataOffset) = try NPYHeader.read(from: bytes)
    guard let element = NPYElement(descriptor: header.descriptor) else {
      throw NPYError(
        "arrays of '\(header.descriptor.prefix(12))' cannot be used, only numbers, bool and text")
    }
    self.element = element
    var promised = element.size
    for dimension in shape {
      let (product, overflows) = promised.multipliedReportingOverflow(by: dimension)
      guard !overflows else { throw NPYError("the shape \(shape) is too large") }
      promised = product
    }
    guard byteCount == promised else {
      throw NPYError("the header promises \(promised) bytes, and \(byteCount) follow it")
    }
  }

  /// The array, with a copy of the file's numbers.
  package var array: NPYArray {
    var numbers = Array(bytes[dataOffset...])
    if header.descriptor.first == ">" { numbers.reverseWords(of: element.wordSize) }
    if header.isFortranOrder {
      numbers = numbers.inRowMajorOrder(shape: shape, elementSize: element.size)
    }
    return NPYArray(element: element, shape: shape, bytes: numbers)
  }
}

extension [UInt8] {
  /// Reverses the bytes of each word, to convert between big-endian and little-endian.
  fileprivate mutating func reverseWords(of size: Int) {
    guard size > 1 else { return }
    for start in stride(from: 0, to: count - size + 1, by: size) {
      self[start..<start + size].reverse()
    }
  }

  /// Returns the elements of a column-major array (first index fastest) in row-major order.
  fileprivate func inRowMajorOrder(shape: [Int], elementSize: Int) -> [UInt8] {
    guard shape.count > 1, !isEmpty else { return self }
    var steps = [elementSize]
    for dimension in shape.dropLast() { steps.append(steps[steps.count - 1] * dimension) }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var index = [Int](repeating: 0, count: shape.count)
    while result.count < count {
      let source = zip(index, steps).reduce(0) { $0 + $1.0 * $1.1 }
      result += self[source..<source + elementSize]
      for axis in shape.indices.reversed() {
        index[axis] += 1
        if index[axis] < shape[axis] { break }
        index[axis] = 0
      }
    }
    return result
  }
}
