/// Writes FlatBuffers.
///
/// Parents are written before their children, since references point forward.
package struct FlatBufferBuilder {
  private var bytes: [UInt8] = []
  private var vtables: [[UInt16]: Int] = [:]

  /// Returns the file whose root table has these fields.
  package static func file(identifier: StaticString, root: FlatFields) -> [UInt8] {
    var builder = FlatBufferBuilder()
    builder.append(UInt32(0))
    identifier.withUTF8Buffer { builder.bytes.append(contentsOf: $0) }
    let table = builder.write(root)
    builder.patchReference(at: 0, to: table)
    return builder.bytes
  }

  // MARK: Tables

  private mutating func write(_ fields: FlatFields) -> Int {
    // Large fields come first, so no field needs padding before it.
    let ordered = fields.sorted { ($1.value.inlineSize, $0.key) < ($0.value.inlineSize, $1.key) }
    let size = ordered.reduce(4) { $0 + $1.value.inlineSize }
    let vtable = writeVTable(ordered, tableSize: size)
    let largest = ordered.first?.value.inlineSize ?? 4
    // The fields follow the 4-byte offset of the vtable.
    pad(toMultipleOf: max(4, largest), ahead: 4)
    let table = bytes.count
    append(Int32(table - vtable))
    var references: [(position: Int, value: FlatValue)] = []
    for (_, value) in ordered {
      if value.isReference { references.append((bytes.count, value)) }
      appendInline(value)
    }
    for (position, value) in references {
      patchReference(at: position, to: write(value))
    }
    return table
  }

  private mutating func writeVTable(
    _ ordered: [(key: Int, value: FlatValue)], tableSize: Int
  ) -> Int {
    let slots = (ordered.map(\.key).max() ?? -1) + 1
    var vtable = [UInt16(4 + 2 * slots), UInt16(tableSize)] + Array(repeating: 0, count: slots)
    var distance = 4
    for (field, value) in ordered {
      vtable[2 + field] = UInt16(distance)
      distance += value.inlineSize
    }
    if let known = vtables[vtable] { return known }
    pad(toMultipleOf: 2)
    let position = bytes.count
    vtables[vtable] = position
    for entry in vtable { append(entry) }
    return position
  }

  private mutating func appendInline(_ value: FlatValue) {
    switch value {
    case .bool(let value): bytes.append(value ? 1 : 0)
    case .int8(let value): append(value)
    case .uint8(let value): append(value)
    case .int32(let value): append(value)
    case .uint32(let value): append(value)
    case .int64(let value): append(value)
    case .uint64(let value): append(value)
    case .float(let value): append(value.bitPattern)
    default: append(UInt32(0))
    }
  }

  // MARK: Targets of references

  private mutating func write(_ value: FlatValue) -> Int {
    switch value {
    case .table(let fields): return write(fields)
    case .tables(let tables): return write(tables.map { .table($0) })
    case .strings(let strings): return write(strings.map { .string($0) })
    case .string(let string):
      let position = beginVector(count: string.utf8.count, alignment: 4)
      bytes.append(contentsOf: string.utf8)
      bytes.append(0)
      return position
    case .bytes(let elements, let alignment):
      let position = beginVector(count: elements.count, alignment: alignment)
      bytes.append(contentsOf: elements)
      return position
    case .bools(let elements): return write(elements.map { UInt8($0 ? 1 : 0) })
    case .uint16s(let elements): return write(elements)
    case .int32s(let elements): return write(elements)
    case .uint32s(let elements): return write(elements)
    case .int64s(let elements): return write(elements)
    case .floats(let elements): return write(elements.map(\.bitPattern))
    case .bool, .int8, .uint8, .int32, .uint32, .int64, .uint64, .float:
      preconditionFailure("scalars are written where they stand")
    }
  }

  private mutating func write<Element: FixedWidthInteger>(_ elements: [Element]) -> Int {
    let position = beginVector(count: elements.count, alignment: MemoryLayout<Element>.size)
    for element in elements { append(element) }
    return position
  }

  /// Writes a vector of references.
  private mutating func write(_ values: [FlatValue]) -> Int {
    let position = beginVector(count: values.count, alignment: 4)
    let references = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4 * values.count))
    for (index, value) in values.enumerated() {
      patchReference(at: references + 4 * index, to: write(value))
    }
    return position
  }

  /// Writes the length, after padding that aligns the elements after it.
  private mutating func beginVector(count: Int, alignment: Int) -> Int {
    pad(toMultipleOf: max(4, alignment), ahead: 4)
    let position = bytes.count
    append(UInt32(count))
    return position
  }

  // MARK: Bytes

  private mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Pads until the position `ahead` bytes from here is a multiple of `alignment`.
  private mutating func pad(toMultipleOf alignment: Int, ahead: Int = 0) {
    while (bytes.count + ahead) % alignment != 0 { bytes.append(0) }
  }

  private mutating func patchReference(at position: Int, to target: Int) {
    let distance = UInt32(target - position)
    for byte in 0..<4 { bytes[position + byte] = UInt8(truncatingIfNeeded: distance >> (8 * byte)) }
  }
}

extension FlatValue {
  /// The number of bytes that the value takes inside its table.
  fileprivate var inlineSize: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int64, .uint64: 8
    default: 4
    }
  }

  /// Whether the table stores a reference to the value.
  fileprivate var isReference: Bool {
    switch self {
    case .bool, .int8, .uint8, .int32, .uint32, .int64, .uint64, .float: false
    default: true
    }
  }
}
