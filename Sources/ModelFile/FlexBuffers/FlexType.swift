/// The types of FlexBuffers, with the format's raw values.
enum FlexType: UInt8 {
  case null = 0
  case int = 1
  case uint = 2
  case float = 3
  case key = 4
  case string = 5
  case indirectInt = 6
  case indirectUInt = 7
  case indirectFloat = 8
  case map = 9
  case vector = 10
  case intVector = 11
  case uintVector = 12
  case floatVector = 13
  case keyVector = 14
  case stringVector = 15
  case intPair = 16
  case uintPair = 17
  case floatPair = 18
  case intTriple = 19
  case uintTriple = 20
  case floatTriple = 21
  case intQuadruple = 22
  case uintQuadruple = 23
  case floatQuadruple = 24
  case blob = 25
  case bool = 26
  case boolVector = 36

  /// The type of all elements of a typed vector; `nil` for other types.
  var element: FlexType? {
    switch self {
    case .intVector, .intPair, .intTriple, .intQuadruple: .int
    case .uintVector, .uintPair, .uintTriple, .uintQuadruple: .uint
    case .floatVector, .floatPair, .floatTriple, .floatQuadruple: .float
    case .keyVector: .key
    case .stringVector: .string
    case .boolVector: .bool
    default: nil
    }
  }

  /// The length of a vector that does not store its length.
  var fixedCount: Int? {
    switch self {
    case .intPair, .uintPair, .floatPair: 2
    case .intTriple, .uintTriple, .floatTriple: 3
    case .intQuadruple, .uintQuadruple, .floatQuadruple: 4
    default: nil
    }
  }

  /// Packs a value's type, and the width of what it refers to, into a byte.
  func packed(childWidth: Int) -> UInt8 {
    rawValue << 2 | UInt8(childWidth.trailingZeroBitCount)
  }
}
