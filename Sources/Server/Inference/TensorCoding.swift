import OcellusEngine
import OcellusJSON

/// The conversions of tensors between the engine's bytes, JSON and the protocol's bytes.
enum TensorCoding {
  // MARK: From the protocol

  /// Converts elements in JSON, which may be nested as the shape is.
  static func bytes(
    of data: JSONValue, _ type: TensorType, count: Int, _ name: String
  ) throws(HTTPError) -> [UInt8] {
    var elements: [JSONValue] = []
    elements.reserveCapacity(min(count, 1 << 20))
    try flatten(data, into: &elements, limit: count, name)
    guard elements.count == count else {
      throw HTTPError(
        400, "input '\(name)' has \(elements.count) elements, and its shape has \(count)")
    }
    if type == .bytes {
      var strings: [[UInt8]] = []
      for element in elements {
        guard let text = element.string else { throw wrong(element, type, name) }
        strings.append(Array(text.utf8))
      }
      return packed(strings)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * (type.width ?? 0))
    for element in elements { try append(element, type, to: &bytes, name) }
    return bytes
  }

  private static func flatten(
    _ value: JSONValue, into elements: inout [JSONValue], limit: Int, _ name: String
  ) throws(HTTPError) {
    guard let array = value.array else {
      elements.append(value)
      return
    }
    for element in array {
      guard elements.count <= limit else { return }
      try flatten(element, into: &elements, limit: limit, name)
    }
  }

  private static func append(
    _ element: JSONValue, _ type: TensorType, to bytes: inout [UInt8], _ name: String
  ) throws(HTTPError) {
    func add<Number: FixedWidthInteger>(_: Number.Type) -> Bool {
      guard let number = element.integer.flatMap({ Number(exactly: $0) }) else { return false }
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
      return true
    }
    let isRight: Bool
    switch type {
    case .bool:
      let truth: Bool? =
        if case .bool(let truth) = element { truth } else {
          element.integer.flatMap { [0: false, 1: true][$0] }
        }
      if let truth { bytes.append(truth ? 1 : 0) }
      isRight = truth != nil
    case .uint8: isRight = add(UInt8.self)
    case .uint16: isRight = add(UInt16.self)
    case .uint32: isRight = add(UInt32.self)
    case .uint64: isRight = add(UInt64.self)
    case .int8: isRight = add(Int8.self)
    case .int16: isRight = add(Int16.self)
    case .int32: isRight = add(Int32.self)
    case .int64: isRight = add(Int64.self)
    case .float32:
      if let number = element.number {
        withUnsafeBytes(of: Float(number).bitPattern.littleEndian) { bytes += $0 }
      }
      isRight = element.number != nil
    case .float64:
      if let number = element.number {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
      }
      isRight = element.number != nil
    case .float16, .bfloat16, .bytes: isRight = false
    }
    guard isRight else { throw wrong(element, type, name) }
  }

  private static func wrong(_ element: JSONValue, _ type: TensorType, _ name: String) -> HTTPError {
    let way = type.hasJSON ? "" : "; send it as binary data"
    return HTTPError(
      400, "input '\(name)': \(element.text.prefix(60)) is not of type \(type.rawValue)\(way)")
  }

  /// Converts strings in the protocol's bytes: the length of each in four bytes, then its bytes.
  static func strings(
    in bytes: ArraySlice<UInt8>, count: Int, _ name: String
  ) throws(HTTPError) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= 4, strings.count < count else { break }
      let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= length else {
        throw HTTPError(400, "input '\(name)' ends within string \(strings.count)")
      }
      strings.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    guard strings.count == count, rest.isEmpty else {
      throw HTTPError(400, "input '\(name)' does not have the \(count) strings of its shape")
    }
    return strings
  }

  /// Packs strings as the engine has them: their count, the offsets of each and of the end, the bytes.
  static func packed(_ strings: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ number: Int) {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { bytes += $0 }
    }
    add(strings.count)
    var offset = 4 * (strings.count + 2)
    for string in strings {
      add(offset)
      offset += string.count
    }
    add(offset)
    for string in strings { bytes += string }
    return bytes
  }

  // MARK: To the protocol

  /// Takes the engine's strings apart.
  static func unpacked(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    func number(_ index: Int) -> Int {
      bytes[4 * index..<4 * index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= 4 else { return [] }
    // The engine checks the offsets of what it has computed.
    return (0..<number(0)).map { bytes[number($0 + 1)..<number($0 + 2)] }
  }

  /// Returns a tensor in the protocol's bytes.
  static func data(of value: TensorValue, _ type: TensorType) -> [UInt8] {
    guard type == .bytes else { return value.bytes }
    var data: [UInt8] = []
    for string in unpacked(value.bytes) {
      withUnsafeBytes(of: UInt32(string.count).littleEndian) { data += $0 }
      data += string
    }
    return data
  }

  /// Returns the elements of a tensor in JSON.
  static func json(of value: TensorValue, _ type: TensorType) -> JSONValue {
    func numbers<Element: BitwiseCopyable>(
      _: Element.Type, _ convert: (Element) -> JSONValue
    ) -> JSONValue {
      value.bytes.withUnsafeBytes { bytes in
        let width = MemoryLayout<Element>.size
        return .array(
          (0..<bytes.count / width).map {
            convert(bytes.loadUnaligned(fromByteOffset: width * $0, as: Element.self))
          })
      }
    }
    switch type {
    case .bool: return numbers(UInt8.self) { .bool($0 != 0) }
    case .uint8: return numbers(UInt8.self) { .integer(Int($0)) }
    case .uint16: return numbers(UInt16.self) { .integer(Int($0)) }
    case .uint32: return numbers(UInt32.self) { .integer(Int($0)) }
    case .uint64:
      return numbers(UInt64.self) { Int(exactly: $0).map { .integer($0) } ?? .number(Double($0)) }
    case .int8: return numbers(Int8.self) { .integer(Int($0)) }
    case .int16: return numbers(Int16.self) { .integer(Int($0)) }
    case .int32: return numbers(Int32.self) { .integer(Int($0)) }
    case .int64: return numbers(Int64.self) { .integer(Int($0)) }
    case .float32: return numbers(Float.self) { .number(Double($0)) }
    case .float64: return numbers(Double.self) { .number($0) }
    case .float16, .bfloat16: return .array([])
    case .bytes: return .strings(unpacked(value.bytes).map { String(decoding: $0, as: UTF8.self) })
    }
  }
}
