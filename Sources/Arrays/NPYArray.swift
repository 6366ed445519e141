/// An array of a NumPy .npy file, in C order and little-endian, whichever order the file has.
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
    // The format requires the data at a multiple of 64, and a newline at the end of the header.
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
    self = try NPYFile(file).array
  }

  /// The bytes that such files start with.
  package static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
}
