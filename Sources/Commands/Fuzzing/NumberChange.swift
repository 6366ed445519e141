import OcellusModelFile
import OcellusPlatform

/// One change of one field of a model.
struct NumberChange {
  enum Kind: Equatable {
    /// The field is left out.
    case absent
    /// The field is another number, one of `TellingNumbers`.
    case number(Int)
    /// The list has so many elements.
    case count(Int)
    /// An element of the list is another number.
    case element(Int, number: Int)
    /// A word of the bytes is another one.
    case word(Int, number: Int)
    /// A value of a custom operator's options is another one.
    case flexValue(key: Int, number: Int)
    /// The table is an empty one, with this tag.
    case member(Int)
  }

  /// Which of the mutator's models it is a change of.
  let variant: Int
  let path: FlatPath
  let field: TableSchema.Field
  let kind: Kind

  /// Makes the change.
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
    case .number(let number): return valueKind.map { TellingNumbers.values(of: $0)[number] }
    case .count(let count): return list.resized(to: count)
    case .element(let position, let number):
      return valueKind.map {
        list.replacing(position, by: TellingNumbers.values(of: $0)[number])
      }
    case .word(let position, let number):
      return list.replacingWord(position, by: TellingNumbers.words[number])
    case .flexValue(let key, let number):
      return value?.replacingFlexValue(key, by: TellingNumbers.flexValues[number])
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

  /// What is changed, such as `subgraphs[0].tensors[1].quantization.zero_point[0] = int64(-1)`.
  var description: String {
    let name = path.prefix + field.name
    switch kind {
    case .absent: return "\(name) left out"
    case .number(let number):
      return "\(name) = \(valueKind.map { text(TellingNumbers.values(of: $0)[number]) } ?? "")"
    case .count(let count): return "\(name) of \(count) elements"
    case .element(let position, let number):
      let value = valueKind.map { text(TellingNumbers.values(of: $0)[number]) } ?? ""
      return "\(name)[\(position)] = \(value)"
    case .word(let position, let number):
      return "\(name), word \(position) = 0x\(String(TellingNumbers.words[number], radix: 16))"
    case .flexValue(let key, let number):
      return "\(name), value \(key) = \(TellingNumbers.flexValues[number])"
    case .member(let tag): return "\(name) = empty table of kind \(tag)"
    }
  }

  private func text(_ value: FlatValue) -> String { "\(value)".shortened }
}

extension FlatValue {
  /// The values by name that FlexBuffers bytes hold, in the order of the names.
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
