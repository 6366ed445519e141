/// Reads FlexBuffers, whose references point backwards, and checks every step.
struct FlexDecoder {
  private static let maximumDepth = 64

  private let reader: ByteReader
  // Values may be shared, so that a few bytes can describe an endless value; unshared, no value has
  // more elements and characters than bytes.
  private var elementsLeft: Int

  /// A stored value: its position, width in bytes and type.
  private struct Slot {
    var position: Int
    var width: Int
    var type: FlexType
    /// The width of the elements, or of the length, of the value that this one refers to.
    var childWidth: Int
  }

  static func root(of bytes: UnsafeRawBufferPointer) throws(ModelFileError) -> FlexValue {
    var decoder = FlexDecoder(reader: ByteReader(bytes), elementsLeft: 64 + 4 * bytes.count)
    let width = Int(try decoder.reader.load(at: bytes.count - 1, as: UInt8.self))
    let packed = try decoder.reader.load(at: bytes.count - 2, as: UInt8.self)
    let slot = try decoder.slot(at: bytes.count - 2 - width, width: width, packed: packed)
    return try decoder.value(slot, depth: 0)
  }

  private func slot(at position: Int, width: Int, packed: UInt8) throws(ModelFileError) -> Slot {
    guard let type = FlexType(rawValue: packed >> 2) else {
      throw .malformed("FlexBuffers type \(packed >> 2)", at: position)
    }
    return Slot(position: position, width: width, type: type, childWidth: 1 << (packed & 3))
  }

  private mutating func value(_ slot: Slot, depth: Int) throws(ModelFileError) -> FlexValue {
    guard depth < Self.maximumDepth else {
      throw .tooLarge("FlexBuffers nested more than \(Self.maximumDepth) deep", at: slot.position)
    }
    let (position, width) = (slot.position, slot.width)
    switch slot.type {
    case .null: return .null
    case .bool: return .bool(try unsigned(at: position, width) != 0)
    case .int: return .int(try signed(at: position, width))
    case .uint: return .uint(try unsigned(at: position, width))
    case .float: return .float(try float(at: position, width))
    case .indirectInt: return .int(try signed(at: target(of: slot), slot.childWidth))
    case .indirectUInt: return .uint(try unsigned(at: target(of: slot), slot.childWidth))
    case .indirectFloat: return .float(try float(at: target(of: slot), slot.childWidth))
    case .key: return .string(try key(at: target(of: slot)))
    case .string: return .string(try text(slot))
    case .blob: return .blob(Array(try bytes(slot)))
    case .map: return .map(try map(slot, depth: depth))
    default: return .vector(try elements(slot, depth: depth))
    }
  }

  // MARK: Vectors and maps

  private mutating func elements(
    _ slot: Slot, depth: Int
  ) throws(ModelFileError) -> [FlexValue] {
    let (start, width) = (try target(of: slot), slot.childWidth)
    let count =
      if let fixed = slot.type.fixedCount { fixed } else { try length(before: start, width) }
    try charge(count, at: start)
    // The types of the elements, one byte each, follow the elements.
    let types = start + count * width
    var elements: [FlexValue] = []
    for index in 0..<count {
      var element: Slot
      if let type = slot.type.element {
        element = Slot(position: start + index * width, width: width, type: type, childWidth: 1)
      } else {
        let packed = try reader.load(at: types + index, as: UInt8.self)
        element = try self.slot(at: start + index * width, width: width, packed: packed)
      }
      elements.append(try value(element, depth: depth + 1))
    }
    return elements
  }

  private mutating func map(
    _ slot: Slot, depth: Int
  ) throws(ModelFileError) -> [String: FlexValue] {
    let (start, width) = (try target(of: slot), slot.childWidth)
    // The width of the keys and the reference to them precede the length.
    let keysWidth = Int(clamping: try unsigned(at: start - 2 * width, width))
    let keys = try target(at: start - 3 * width, width)
    let values = try elements(slot, depth: depth)
    guard try length(before: keys, keysWidth) == values.count else {
      throw .malformed("FlexBuffers map of \(values.count) values has other keys", at: start)
    }
    var map: [String: FlexValue] = [:]
    for (index, value) in values.enumerated() {
      let key = try key(at: target(at: keys + index * keysWidth, keysWidth))
      map[key] = value
    }
    return map
  }

  // MARK: Bytes

  private mutating func bytes(_ slot: Slot) throws(ModelFileError) -> UnsafeRawBufferPointer {
    let start = try target(of: slot)
    let count = try length(before: start, slot.childWidth)
    try charge(count, at: start)
    return try reader.slice(at: start, count: count)
  }

  private mutating func text(_ slot: Slot) throws(ModelFileError) -> String {
    let characters = try bytes(slot)
    return String(decoding: characters, as: UTF8.self)
  }

  /// Returns a string that ends at a zero byte.
  private mutating func key(at position: Int) throws(ModelFileError) -> String {
    let rest = try reader.slice(at: position, count: reader.count - position)
    guard let end = rest.firstIndex(of: 0) else {
      throw .malformed("FlexBuffers key without end", at: position)
    }
    try charge(end, at: position)
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private mutating func charge(_ count: Int, at position: Int) throws(ModelFileError) {
    guard count <= elementsLeft else {
      throw .tooLarge("FlexBuffers expand to too many elements", at: position)
    }
    elementsLeft -= count
  }

  // MARK: Numbers

  private func target(of slot: Slot) throws(ModelFileError) -> Int {
    try target(at: slot.position, slot.width)
  }

  /// Returns the target of the backward reference at `position`.
  private func target(at position: Int, _ width: Int) throws(ModelFileError) -> Int {
    let distance = Int(clamping: try unsigned(at: position, width))
    guard distance <= position else {
      throw .malformed("FlexBuffers reference \(distance) bytes backward", at: position)
    }
    return position - distance
  }

  /// Returns the length of a vector, which precedes it and cannot exceed the buffer's size.
  private func length(before start: Int, _ width: Int) throws(ModelFileError) -> Int {
    let length = try unsigned(at: start - width, width)
    guard length <= reader.count else {
      throw .malformed("FlexBuffers vector of \(length) elements", at: start)
    }
    return Int(length)
  }

  private func unsigned(at position: Int, _ width: Int) throws(ModelFileError) -> UInt64 {
    switch width {
    case 1: return UInt64(try reader.load(at: position, as: UInt8.self))
    case 2: return UInt64(try reader.load(at: position, as: UInt16.self))
    case 4: return UInt64(try reader.load(at: position, as: UInt32.self))
    case 8: return try reader.load(at: position, as: UInt64.self)
    default: throw .malformed("FlexBuffers number of \(width) bytes", at: position)
    }
  }

  private func signed(at position: Int, _ width: Int) throws(ModelFileError) -> Int64 {
    let shift = 64 - 8 * width
    return Int64(bitPattern: try unsigned(at: position, width) << shift) >> shift
  }

  private func float(at position: Int, _ width: Int) throws(ModelFileError) -> Double {
    let bits = try unsigned(at: position, width)
    switch width {
    case 4: return Double(Float(bitPattern: UInt32(bits)))
    case 8: return Double(bitPattern: bits)
    default: throw .malformed("FlexBuffers float of \(width) bytes", at: position)
    }
  }
}
