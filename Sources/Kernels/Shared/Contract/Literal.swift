/// An integer constant as a type, for specialization at compile time.
///
/// A literal argument at every call is not enough for variants of a large function: the optimiser
/// may merge two calls in the branches of a `switch` into one call with a variable.
protocol Literal {
  static var value: Int { get }
}

enum One: Literal {
  @inline(__always)
  static var value: Int { 1 }
}

enum Two: Literal {
  @inline(__always)
  static var value: Int { 2 }
}

enum Three: Literal {
  @inline(__always)
  static var value: Int { 3 }
}

enum Four: Literal {
  @inline(__always)
  static var value: Int { 4 }
}

enum Five: Literal {
  @inline(__always)
  static var value: Int { 5 }
}

enum Six: Literal {
  @inline(__always)
  static var value: Int { 6 }
}

enum Seven: Literal {
  @inline(__always)
  static var value: Int { 7 }
}

enum Eight: Literal {
  @inline(__always)
  static var value: Int { 8 }
}

/// A number that only the variant of the function knows.
enum AnyNumber: Literal {
  @inline(__always)
  static var value: Int { 0 }
}
