/// Reads the references, vectors and strings of FlatBuffers.
extension ByteReader {
  /// Returns the target of the reference at `position`.
  func flatReference(at position: Int) throws(ModelFileError) -> Int {
    let distance = Int(try load(at: position, as: UInt32.self))
    // Zero would refer to itself, and no FlatBuffer is larger than `Int32.max`.
    guard distance > 0, distance <= Int(Int32.max), position + distance < count else {
      throw .malformed("reference \(distance) bytes forward leaves the file", at: position)
    }
    return position + distance
  }

  /// Returns the position and count of a vector's elements, which are all inside the file.
  func flatVector<Element>(
    at position: Int, of type: Element.Type
  ) throws(ModelFileError) -> (start: Int, count: Int) {
    guard position % 4 == 0 else { throw .malformed("misaligned vector", at: position) }
    let length = Int(try load(at: position, as: UInt32.self))
    let start = position + 4
    guard length <= (count - start) / MemoryLayout<Element>.size else {
      throw .malformed("vector of \(length) elements leaves the file", at: position)
    }
    return (start, length)
  }

  /// Returns the string at `position` up to its first zero byte.
  func flatString(at position: Int) throws(ModelFileError) -> String {
    let (start, count) = try flatVector(at: position, of: UInt8.self)
    return try flatString(from: start, count: count)
  }

  /// Returns the string of `count` bytes from `start`, up to its first zero byte.
  func flatString(from start: Int, count: Int) throws(ModelFileError) -> String {
    guard try load(at: start + count, as: UInt8.self) == 0 else {
      throw .malformed("string without its final zero byte", at: start)
    }
    // The zero byte after the string makes it a C string.
    guard let first = try slice(at: start, count: count).baseAddress else { return "" }
    return String(cString: first.assumingMemoryBound(to: UInt8.self))
  }
}
