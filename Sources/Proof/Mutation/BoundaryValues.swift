import OcellusModelFile

/// Numbers that are likely to expose errors in arithmetic, for each kind of field.
enum BoundaryValues {
  /// Returns numbers for a field of a kind, or for the elements of a list of this kind.
  static func values(of kind: FlatKind) -> [FlatValue] {
    switch kind {
    case .bool, .bools: [.bool(false), .bool(true)]
    case .int8: small(Int8.self).map { .int8($0) }
    case .uint8, .bytes: small(UInt8.self).map { .uint8($0) }
    case .uint16s: integers(UInt16.self).map { .int32(Int32($0)) }
    case .int32, .int32s: integers(Int32.self).map { .int32($0) }
    case .uint32, .uint32s: integers(UInt32.self).map { .uint32($0) }
    case .int64, .int64s: integers(Int64.self).map { .int64($0) }
    case .uint64: integers(UInt64.self).map { .uint64($0) }
    case .float, .floats: floats.map { .float($0) }
    case .string: texts.map { .string($0) }
    }
  }

  /// Words for the bytes of constants, whose type is not known there.
  static let words: [UInt32] =
    Set(integers(Int32.self).map { UInt32(bitPattern: $0) } + floats.map(\.bitPattern)).sorted()

  /// Values for the options of custom operators.
  static let flexValues: [FlexValue] =
    integers(Int64.self).map { .int($0) } + floats.map { .float(Double($0)) }
    + [.null, .bool(true), .uint(.max), .float(1e300), .string("x"), .vector([]), .map([:])]

  static let floats: [Float] = [
    0, -0.0, 1, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, 1e-30, 1e30,
  ]

  private static let texts = [
    "", "x", "..", "\u{202E}\n", String(repeating: "x", count: 1000),
  ]

  /// Returns all small values and the extremes, since bytes are usually enumerations.
  private static func small<Number: FixedWidthInteger>(_: Number.Type) -> [Number] {
    Array(
      Set((0...24).map { Number($0) } + [.max, .max - 1, .min, Number(truncatingIfNeeded: -1)])
    )
    .sorted()
  }

  private static func integers<Number: FixedWidthInteger>(_: Number.Type) -> [Number] {
    let others = [0, 1, -1, 2, -2, 1 << 16, 1 << 31, -(1 << 31) - 1, 1 << 32]
    let extremes: [Number] = [.max, .max - 1, .min, .min + 1, .max / 2]
    return Set(others.map { Number(truncatingIfNeeded: $0) } + extremes).sorted()
  }
}

extension FlatValue {
  /// The number of elements of a list; `nil` for other values.
  var elementCount: Int? {
    switch self {
    case .bytes(let list, _): list.count
    case .bools(let list): list.count
    case .uint16s(let list): list.count
    case .int32s(let list): list.count
    case .uint32s(let list): list.count
    case .int64s(let list): list.count
    case .floats(let list): list.count
    case .tables(let list): list.count
    default: nil
    }
  }

  /// Creates an empty list; `nil` for a kind that is not a list.
  init?(emptyListOf kind: FlatKind) {
    switch kind {
    case .bytes: self = .bytes([])
    case .bools: self = .bools([])
    case .uint16s: self = .uint16s([])
    case .int32s: self = .int32s([Int32]())
    case .uint32s: self = .uint32s([])
    case .int64s: self = .int64s([])
    case .floats: self = .floats([])
    default: return nil
    }
  }

  /// Returns the list shortened, or lengthened by repeating its last element.
  func resized(to count: Int) -> FlatValue {
    switch self {
    case .bytes(let list, let alignment): .bytes(list.resized(to: count, 0), alignment: alignment)
    case .bools(let list): .bools(list.resized(to: count, false))
    case .uint16s(let list): .uint16s(list.resized(to: count, 0))
    case .int32s(let list): .int32s(list.resized(to: count, 0))
    case .uint32s(let list): .uint32s(list.resized(to: count, 0))
    case .int64s(let list): .int64s(list.resized(to: count, 0))
    case .floats(let list): .floats(list.resized(to: count, 0))
    case .tables(let list): .tables(list.resized(to: count, [:]))
    default: self
    }
  }

  /// Returns the list with one element replaced, or with one appended.
  func replacing(_ position: Int, by number: FlatValue) -> FlatValue {
    let longer = position == elementCount ? resized(to: position + 1) : self
    switch (longer, number) {
    case (.bytes(let list, let alignment), .uint8(let byte)):
      return .bytes(list.replacing(position, by: byte), alignment: alignment)
    case (.bools(let list), .bool(let flag)): return .bools(list.replacing(position, by: flag))
    case (.uint16s(let list), .int32(let number)):
      return .uint16s(list.replacing(position, by: UInt16(truncatingIfNeeded: number)))
    case (.int32s(let list), .int32(let number)):
      return .int32s(list.replacing(position, by: number))
    case (.uint32s(let list), .uint32(let number)):
      return .uint32s(list.replacing(position, by: number))
    case (.int64s(let list), .int64(let number)):
      return .int64s(list.replacing(position, by: number))
    case (.floats(let list), .float(let number)):
      return .floats(list.replacing(position, by: number))
    default: return self
    }
  }

  /// Returns the bytes with one 32-bit word replaced.
  func replacingWord(_ position: Int, by word: UInt32) -> FlatValue {
    guard case .bytes(var list, let alignment) = self, 4 * position + 4 <= list.count else {
      return self
    }
    for byte in 0..<4 {
      list[4 * position + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte))
    }
    return .bytes(list, alignment: alignment)
  }
}

extension Array {
  fileprivate func resized(to count: Int, _ filling: Element) -> Self {
    guard count > self.count else { return Self(prefix(count)) }
    return self + Self(repeating: last ?? filling, count: count - self.count)
  }

  fileprivate func replacing(_ position: Int, by element: Element) -> Self {
    guard indices.contains(position) else { return self }
    var list = self
    list[position] = element
    return list
  }
}
