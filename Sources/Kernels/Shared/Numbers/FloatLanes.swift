/// A vector of floats, or several of them, as the argument of a long function.
///
/// Each step of a long function depends on the one before. Processors fill the gaps with
/// instructions of the next vectors, but do not look a dozen steps ahead, and the compiler keeps
/// the written order. So each step is written for as many vectors as hide the latency of the
/// instructions.
protocol FloatLanes {
  init(repeating value: Float)
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
  /// Applies a step to every vector.
  func map(_ step: (FloatVector) -> FloatVector) -> Self
  /// Applies a step to every vector and its counterpart.
  func zip(_ other: Self, _ step: (FloatVector, FloatVector) -> FloatVector) -> Self
  /// Applies a step to every vector and its counterparts in two others.
  func zip(
    _ second: Self, _ third: Self, _ step: (FloatVector, FloatVector, FloatVector) -> FloatVector
  ) -> Self
}

extension FloatVector: FloatLanes {
  @inline(__always)
  func map(_ step: (FloatVector) -> FloatVector) -> FloatVector { step(self) }

  @inline(__always)
  func zip(_ other: Self, _ step: (FloatVector, FloatVector) -> FloatVector) -> Self {
    step(self, other)
  }

  @inline(__always)
  func zip(
    _ second: Self, _ third: Self, _ step: (FloatVector, FloatVector, FloatVector) -> FloatVector
  ) -> Self { step(self, second, third) }
}

/// Several vectors that are contiguous in memory.
protocol FloatGroup: FloatLanes {
  static var vectorCount: Int { get }
  init(at address: UnsafeRawPointer)
  func write(to address: UnsafeMutableRawPointer)
}

/// Four vectors.
struct Quartet: FloatGroup {
  var a, b, c, d: FloatVector

  @inline(__always)
  static var vectorCount: Int { 4 }

  @inline(__always)
  init(_ a: FloatVector, _ b: FloatVector, _ c: FloatVector, _ d: FloatVector) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
  }

  @inline(__always)
  init(repeating value: Float) {
    let vector = FloatVector(repeating: value)
    self.init(vector, vector, vector, vector)
  }

  @inline(__always)
  init(at address: UnsafeRawPointer) {
    self.init(
      loadFloats(address), loadFloats(address + sumVectorBytes),
      loadFloats(address + 2 &* sumVectorBytes), loadFloats(address + 3 &* sumVectorBytes))
  }

  @inline(__always)
  func write(to address: UnsafeMutableRawPointer) {
    store(a, to: address)
    store(b, to: address + sumVectorBytes)
    store(c, to: address + 2 &* sumVectorBytes)
    store(d, to: address + 3 &* sumVectorBytes)
  }

  @inline(__always)
  static func + (x: Quartet, y: Quartet) -> Quartet {
    Quartet(x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d)
  }

  @inline(__always)
  static func - (x: Quartet, y: Quartet) -> Quartet {
    Quartet(x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d)
  }

  @inline(__always)
  static func * (x: Quartet, y: Quartet) -> Quartet {
    Quartet(x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d)
  }

  @inline(__always)
  static func / (x: Quartet, y: Quartet) -> Quartet {
    Quartet(x.a / y.a, x.b / y.b, x.c / y.c, x.d / y.d)
  }

  @inline(__always)
  func map(_ step: (FloatVector) -> FloatVector) -> Quartet {
    Quartet(step(a), step(b), step(c), step(d))
  }

  @inline(__always)
  func zip(_ o: Quartet, _ step: (FloatVector, FloatVector) -> FloatVector) -> Quartet {
    Quartet(step(a, o.a), step(b, o.b), step(c, o.c), step(d, o.d))
  }

  @inline(__always)
  func zip(
    _ o: Quartet, _ p: Quartet, _ step: (FloatVector, FloatVector, FloatVector) -> FloatVector
  ) -> Quartet {
    Quartet(step(a, o.a, p.a), step(b, o.b, p.b), step(c, o.c, p.c), step(d, o.d, p.d))
  }
}

/// Eight vectors, for instruction sets with enough registers.
struct TwoQuartets: FloatGroup {
  var first, second: Quartet

  @inline(__always)
  static var vectorCount: Int { 8 }

  @inline(__always)
  init(_ first: Quartet, _ second: Quartet) { (self.first, self.second) = (first, second) }

  @inline(__always)
  init(repeating value: Float) {
    let quartet = Quartet(repeating: value)
    self.init(quartet, quartet)
  }

  @inline(__always)
  init(at address: UnsafeRawPointer) {
    self.init(Quartet(at: address), Quartet(at: address + 4 &* sumVectorBytes))
  }

  @inline(__always)
  func write(to address: UnsafeMutableRawPointer) {
    first.write(to: address)
    second.write(to: address + 4 &* sumVectorBytes)
  }

  @inline(__always)
  static func + (x: Self, y: Self) -> Self { Self(x.first + y.first, x.second + y.second) }

  @inline(__always)
  static func - (x: Self, y: Self) -> Self { Self(x.first - y.first, x.second - y.second) }

  @inline(__always)
  static func * (x: Self, y: Self) -> Self { Self(x.first * y.first, x.second * y.second) }

  @inline(__always)
  static func / (x: Self, y: Self) -> Self { Self(x.first / y.first, x.second / y.second) }

  @inline(__always)
  func map(_ step: (FloatVector) -> FloatVector) -> Self {
    Self(first.map(step), second.map(step))
  }

  @inline(__always)
  func zip(_ o: Self, _ step: (FloatVector, FloatVector) -> FloatVector) -> Self {
    Self(first.zip(o.first, step), second.zip(o.second, step))
  }

  @inline(__always)
  func zip(
    _ o: Self, _ p: Self, _ step: (FloatVector, FloatVector, FloatVector) -> FloatVector
  ) -> Self {
    Self(first.zip(o.first, p.first, step), second.zip(o.second, p.second, step))
  }
}

// Extends functions of one vector to several.

extension FusedMultiplyAdd {
  @inline(__always)
  static func multiplyAdd<Lanes: FloatLanes>(_ sum: Lanes, _ a: Lanes, _ b: Lanes) -> Lanes {
    sum.zip(a, b, multiplyAdd)
  }
}

@inline(__always)
func minimum<Lanes: FloatLanes>(_ a: Lanes, _ b: Lanes) -> Lanes { a.zip(b, minimum) }

@inline(__always)
func maximum<Lanes: FloatLanes>(_ a: Lanes, _ b: Lanes) -> Lanes { a.zip(b, maximum) }

@inline(__always)
func scaled<Lanes: FloatLanes>(_ x: Lanes, byPowersOfTwo exponents: Lanes) -> Lanes {
  x.zip(exponents, scaled)
}

/// Selects lanes of `a` where the sign bit of the choice is set, else those of `b`.
@inline(__always)
func select<Lanes: FloatLanes>(_ choice: Lanes, _ a: Lanes, _ b: Lanes) -> Lanes {
  choice.zip(a, b) { select(integerBits($0), $1, $2) }
}

/// Returns `-x`.
@inline(__always)
func negated<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x.map { unsafeBitCast(integerBits($0) ^ signBits, to: FloatVector.self) }
}

/// Returns `-|x|`.
@inline(__always)
func negativeMagnitude<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x.map { unsafeBitCast(integerBits($0) | signBits, to: FloatVector.self) }
}

/// Returns `|x|` with the signs of another vector.
@inline(__always)
func withSigns<Lanes: FloatLanes>(of signs: Lanes, _ x: Lanes) -> Lanes {
  x.zip(signs) {
    unsafeBitCast(
      (integerBits($0) & ~signBits) | (integerBits($1) & signBits), to: FloatVector.self)
  }
}

/// Moves the lowest bits of floats to the exponents of floats.
@inline(__always)
func asExponents<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x.map { unsafeBitCast(integerBits($0) &<< SumVector(repeating: 23), to: FloatVector.self) }
}
