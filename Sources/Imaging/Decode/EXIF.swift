/// A reader of EXIF blocks, which reads only the orientation.
enum EXIF {
  /// The tag of the orientation in the first image file directory.
  private static let orientationTag: UInt16 = 0x0112

  /// Returns the orientation in an EXIF block, which is a small TIFF file; `nil` if it has none.
  static func orientation(in block: UnsafeRawBufferPointer) throws(ImageError) -> Orientation? {
    let order: ByteCursor.ByteOrder
    if block.starts(with: "II*\0".utf8) {
      order = .littleEndian
    } else if block.starts(with: "MM\0*".utf8) {
      order = .bigEndian
    } else {
      throw ImageError(.malformed, "it begins with neither II nor MM")
    }
    var header = ByteCursor(block, order: order, at: 4)
    let directoryOffset: UInt32 = try header.read()
    guard Int(directoryOffset) < block.count else {
      throw ImageError(.malformed, "its directory would begin at byte \(directoryOffset)")
    }
    var directory = ByteCursor(block, order: order, at: Int(directoryOffset))
    for _ in 0..<(try directory.read(UInt16.self)) {
      let tag: UInt16 = try directory.read()
      let type: UInt16 = try directory.read()
      let count: UInt32 = try directory.read()
      guard tag == orientationTag else {
        try directory.skip(4)
        continue
      }
      guard count == 1 else { throw ImageError(.malformed, "it has \(count) orientations") }
      return try orientation(of: try value(&directory, type: type))
    }
    return nil
  }

  /// Returns the orientation in an EXIF block; for a broken block, adds a warning and returns `up`.
  static func orientation(
    in block: UnsafeRawBufferPointer, warnings: inout [String]
  ) -> Orientation {
    do {
      return try orientation(in: block) ?? .up
    } catch {
      warnings.append("the EXIF block is broken, and ignored: \(error.message)")
      return .up
    }
  }

  /// Reads the value of a directory entry, which is stored at the start of its four-byte field.
  private static func value(_ entry: inout ByteCursor, type: UInt16) throws(ImageError) -> Int {
    switch type {
    case 1: return Int(try entry.read(UInt8.self))
    case 3: return Int(try entry.read(UInt16.self))
    case 4: return Int(try entry.read(UInt32.self))
    default: throw ImageError(.malformed, "its orientation is not a number, but of type \(type)")
    }
  }

  private static func orientation(of value: Int) throws(ImageError) -> Orientation {
    // Cameras write 0 if they do not know the orientation.
    if value == 0 { return .up }
    guard let orientation = Orientation(rawValue: value) else {
      throw ImageError(.malformed, "its orientation is \(value), which is not one of 1 to 8")
    }
    return orientation
  }
}
