import OcellusModelFile
import OcellusPlatform

/// A change of one field of a model.
struct NumberChange {
  enum Kind: Equatable {
    /// The field is removed.
    case absent
    /// The field becomes a number, given as an index in `BoundaryValues`.
    case number(Int)
    /// The list is resized.
    case count(Int)
    /// An element of the list becomes another number.
    case element(Int, number: Int)
    /// A 32-bit word of the bytes is replaced.
    case word(Int, number: Int)
    /// A value in the options of a custom operator is replaced.
    case flexValue(key: Int, number: Int)
    /// The union member becomes an empty table with this tag.
    case member(Int)
  }

  /// The index of the mutator's variant that is changed.
  let variant: Int
  let path: FlatPath
  let field: TableSchema.Field
  let kind: Kind

  /// Applies the change.
  func apply(to root: inout FlatFields) {
    root.change(at: path) { fields in
      if case .union(let tag, _) = field.content, case .member(let member) = kind {
        fields[tag] = .uint8(UInt8(truncatingIfNeeded: member))
      }
      fields[field.position] = changed(fields[field.position])
    }
  }

  private func changed(_ value: FlatValue?) -> FlatValue? {
    let list = value ?? valueKind.flatMap { FlatValue(emptyListOf: $0) } ?? .tables([])
    switch kind {
    case .absent: return nil
    case .number(let number): return valueKind.map { BoundaryValues.values(of: $0)[number] }
    case .count(let count): return list.resized(to: count)
    case .element(let position, let number):
      return valueKind.map {
        list.replacing(position, by: BoundaryValues.values(of: $0)[number])
      }
    case .word(let position, let number):
      return list.replacingWord(position, by: BoundaryValues.words[number])
    case .flexValue(let key, let number):
      return value?.replacingFlexValue(key, by: BoundaryValues.flexValues[number])
    case .member: return .table([:])
    }
  }

  private var valueKind: FlatKind? {
    switch field.content {
    case .value(let kind): kind
    case .flexBuffer: .bytes
    default: nil
    }
  }

  /// A description, such as `subgraphs[0].tensors[1].quantization.zero_point[0] = int64(-1)`.
  var description: String {
    let name = path.prefix + field.name
    switch kind {
    case .absent: return "\(name) left out"
    case .number(let number):
      return "\(name) = \(valueKind.map { text(BoundaryValues.values(of: $0)[number]) } ?? "")"
    case .count(let count): return "\(name) of \(count) elements"
    case .element(let position, let number):
      let value = valueKind.map { text(BoundaryValues.values(of: $0)[number]) } ?? ""
      return "\(name)[\(position)] = \(value)"
    case .word(let position, let number):
      return "\(name), word \(position) = 0x\(String(BoundaryValues.words[number], radix: 16))"
    case .flexValue(let key, let number):
      return "\(name), value \(key) = \(BoundaryValues.flexValues[number])"
    case .member(let tag): return "\(name) = empty table of kind \(tag)"
    }
  }

  private func text(_ value: FlatValue) -> String { "\(value)".shortened }
}

extension FlatValue {
  /// The entries of a map in FlexBuffers format; `nil` if the bytes are not one.
  var flexMap: [String: FlexValue]? {
    guard case .bytes(let bytes, _) = self else { return nil }
    let value = bytes.withUnsafeBytes { try? FlexValue(decoding: $0) }
    guard case .map(let map) = value else { return nil }
    return map
  }

  fileprivate func replacingFlexValue(_ key: Int, by value: FlexValue) -> FlatValue {
    guard var map = flexMap, map.count > key else { return self }
    map[map.keys.sorted()[key]] = value
    return .bytes(FlexValue.map(map).encoded)
  }
}
