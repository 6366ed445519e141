/// Writes FlexBuffers: children before their parents, and each number in the smallest width.
struct FlexEncoder {
  private static let widths = [1, 2, 4, 8]

  private var bytes: [UInt8] = []

  /// A value that can be an element of a vector.
  private enum Slot {
    case number(FlexType, bits: UInt64, width: Int)
    case reference(FlexType, target: Int, childWidth: Int)
  }

  static func encode(_ value: FlexValue) -> [UInt8] {
    var encoder = FlexEncoder()
    let slot = encoder.write(value)
    let width = encoder.width(of: [slot], prefixes: 0)
    encoder.pad(to: width)
    encoder.append(slot, width)
    encoder.bytes.append(encoder.packed(slot, in: width))
    encoder.bytes.append(UInt8(width))
    return encoder.bytes
  }

  private mutating func write(_ value: FlexValue) -> Slot {
    switch value {
    case .null: return .number(.null, bits: 0, width: 1)
    case .bool(let value): return .number(.bool, bits: value ? 1 : 0, width: 1)
    case .int(let value):
      return .number(.int, bits: UInt64(bitPattern: value), width: Self.width(of: value))
    case .uint(let value): return .number(.uint, bits: value, width: Self.width(of: value))
    case .float(let value): return Self.slot(of: value)
    case .string(let text): return write(.string, Array(text.utf8), terminated: true)
    case .blob(let bytes): return write(.blob, bytes, terminated: false)
    case .vector(let elements): return write(vector: elements)
    case .map(let values): return write(map: values)
    }
  }

  // MARK: Targets of references

  private mutating func write(_ type: FlexType, _ content: [UInt8], terminated: Bool) -> Slot {
    let width = Self.width(of: UInt64(content.count))
    pad(to: width)
    append(UInt64(content.count), width)
    let target = bytes.count
    bytes.append(contentsOf: content)
    if terminated { bytes.append(0) }
    return .reference(type, target: target, childWidth: width)
  }

  private mutating func write(vector elements: [FlexValue]) -> Slot {
    let slots = elements.map { write($0) }
    let width = width(of: slots, prefixes: 1)
    pad(to: width)
    return write(.vector, slots, width)
  }

  private mutating func write(map values: [String: FlexValue]) -> Slot {
    let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let keys = sorted.map { key, _ -> Slot in
      let target = bytes.count
      bytes.append(contentsOf: key.utf8)
      bytes.append(0)
      return .reference(.key, target: target, childWidth: 1)
    }
    let slots = sorted.map { write($0.value) }
    let keysWidth = width(of: keys, prefixes: 1)
    pad(to: keysWidth)
    append(UInt64(keys.count), keysWidth)
    let keysTarget = bytes.count
    for key in keys { append(key, keysWidth) }

    let keysSlot = Slot.reference(.keyVector, target: keysTarget, childWidth: keysWidth)
    let width = width(of: [keysSlot] + slots, prefixes: 2)
    pad(to: width)
    append(keysSlot, width)
    append(UInt64(keysWidth), width)
    return write(.map, slots, width)
  }

  private mutating func write(_ type: FlexType, _ slots: [Slot], _ width: Int) -> Slot {
    append(UInt64(slots.count), width)
    let target = bytes.count
    for slot in slots { append(slot, width) }
    for slot in slots { bytes.append(packed(slot, in: width)) }
    return .reference(type, target: target, childWidth: width)
  }

  // MARK: Widths

  /// Returns the smallest width for slots that follow `prefixes` other numbers, one of them the
  /// count.
  private func width(of slots: [Slot], prefixes: Int) -> Int {
    Self.widths.first { width in
      let start = (bytes.count + width - 1) / width * width
      let fits = slots.enumerated().allSatisfy { index, slot in
        switch slot {
        case .number(_, _, let needed): return needed <= width
        case .reference(_, let target, _):
          let position = start + (prefixes + index) * width
          return Self.width(of: UInt64(position - target)) <= width
        }
      }
      return fits && Self.width(of: UInt64(slots.count)) <= width
    } ?? 8
  }

  private static func width(of value: UInt64) -> Int {
    widths.first { $0 == 8 || value >> UInt64(8 * $0) == 0 } ?? 8
  }

  private static func width(of value: Int64) -> Int {
    widths.first { $0 == 8 || value == (value << (64 - 8 * $0)) >> (64 - 8 * $0) } ?? 8
  }

  private static func slot(of value: Double) -> Slot {
    let single = Float(value)
    return Double(single) == value
      ? .number(.float, bits: UInt64(single.bitPattern), width: 4)
      : .number(.float, bits: value.bitPattern, width: 8)
  }

  // MARK: Bytes

  /// Appends a slot; a float that is wider in its vector than it needs has other bits there.
  private mutating func append(_ slot: Slot, _ width: Int) {
    switch slot {
    case .number(.float, let bits, 4) where width == 8:
      append(Double(Float(bitPattern: UInt32(bits))).bitPattern, width)
    case .number(_, let bits, _): append(bits, width)
    case .reference(_, let target, _): append(UInt64(bytes.count - target), width)
    }
  }

  private mutating func append(_ value: UInt64, _ width: Int) {
    for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
  }

  private mutating func pad(to width: Int) {
    while bytes.count % width != 0 { bytes.append(0) }
  }

  private func packed(_ slot: Slot, in width: Int) -> UInt8 {
    switch slot {
    case .number(let type, _, _): type.packed(childWidth: width)
    case .reference(let type, _, let childWidth): type.packed(childWidth: childWidth)
    }
  }
}
