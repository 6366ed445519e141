/// An array of a NumPy .npy file, in C order and little-endian whatever the file's order was.
package struct NPYArray: Equatable, Sendable {
  package let element: NPYElement
  package let shape: [Int]
  package let bytes: [UInt8]

  package init(element: NPYElement, shape: [Int], bytes: [UInt8]) {
    self.element = element
    self.shape = shape
    self.bytes = bytes
  }
}

extension NPYArray {
  /// The array as a file of format version 1.0, as `numpy.save` writes it.
  package var file: [UInt8] {
    let dimensions = shape.map(String.init).joined(separator: ", ")
    let tuple = shape.count == 1 ? "(\(dimensions),)" : "(\(dimensions))"
    var header = "{'descr': '\(element.descriptor)', 'fortran_order': False, 'shape': \(tuple), }"
    // The format wants the data at a multiple of 64, and the header to end with a newline.
    let unpadded = Self.magic.count + 4 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    let length = header.utf8.count
    let prefix: [UInt8] = [1, 0, UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
    return Self.magic + prefix + Array(header.utf8) + bytes
  }

  /// Reads a file of format version 1.0 to 3.0.
  package init(file: [UInt8]) throws(NPYError) {
    self = try file.withUnsafeBytes { file in
      Result { () throws(NPYError) in try NPYArray(file: file) }
    }.get()
  }

  /// Reads a file of format version 1.0 to 3.0.
  package init(file: UnsafeRawBufferPointer) throws(NPYError) {
    let (header, dataOffset) = try NPYHeader.read(from: file)
    guard let element = NPYElement(descriptor: header.descriptor) else {
      throw NPYError(
        "arrays of '\(header.descriptor.prefix(12))' cannot be used, only numbers, bool and text")
    }
    var byteCount = element.size
    for dimension in header.shape {
      let (product, overflows) = byteCount.multipliedReportingOverflow(by: dimension)
      guard !overflows else { throw NPYError("the shape \(header.shape) is too large") }
      byteCount = product
    }
    guard file.count - dataOffset == byteCount else {
      throw NPYError(
        "the header promises \(byteCount) bytes, and \(file.count - dataOffset) follow it")
    }
    var bytes = Array(file[dataOffset...])
    if header.descriptor.first == ">" { bytes.reverseWords(of: element.wordSize) }
    if header.isFortranOrder {
      bytes = bytes.inRowMajorOrder(shape: header.shape, elementSize: element.size)
    }
    self.init(element: element, shape: header.shape, bytes: bytes)
  }

  /// What such files begin with.
  package static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
}

extension [UInt8] {
  /// Turns big-endian words into little-endian ones, and back.
  fileprivate mutating func reverseWords(of size: Int) {
    guard size > 1 else { return }
    for start in stride(from: 0, to: count - size + 1, by: size) {
      self[start..<start + size].reverse()
    }
  }

  /// The elements of a column-major array (first index fastest) in row-major order.
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
