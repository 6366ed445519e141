// Vectors that take each step of a long computation side by side.
//
// Every step waits for the one before. Processors find other work in the vectors that follow, but do not look
// as far ahead as a dozen steps need; and the compiler leaves the order as it is written.

/// Four vectors.
struct Quartet<Vector> {
  var a, b, c, d: Vector

  @inline(__always)
  init(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
  }
}

/// Eight vectors.
struct Octet<Vector> {
  var a, b, c, d, e, f, g, h: Vector

  @inline(__always)
  init(
    _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ e: Vector, _ f: Vector, _ g: Vector,
    _ h: Vector
  ) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    (self.e, self.f, self.g, self.h) = (e, f, g, h)
  }

  @inline(__always)
  func map(_ step: (Vector) -> Vector) -> Octet {
    Octet(step(a), step(b), step(c), step(d), step(e), step(f), step(g), step(h))
  }

  @inline(__always)
  func zip(_ o: Octet, _ step: (Vector, Vector) -> Vector) -> Octet {
    Octet(
      step(a, o.a), step(b, o.b), step(c, o.c), step(d, o.d), step(e, o.e), step(f, o.f),
      step(g, o.g), step(h, o.h))
  }

  @inline(__always)
  func zip(_ o: Octet, _ p: Octet, _ step: (Vector, Vector, Vector) -> Vector) -> Octet {
    Octet(
      step(a, o.a, p.a), step(b, o.b, p.b), step(c, o.c, p.c), step(d, o.d, p.d),
      step(e, o.e, p.e), step(f, o.f, p.f), step(g, o.g, p.g), step(h, o.h, p.h))
  }
}

extension Octet<DoubleVector> {
  /// The low and the high half of each of four vectors.
  @inline(__always)
  init(halvesOf x: Quartet<FloatVector>) {
    self.init(
      doublesOfLowHalf(x.a), doublesOfHighHalf(x.a), doublesOfLowHalf(x.b), doublesOfHighHalf(x.b),
      doublesOfLowHalf(x.c), doublesOfHighHalf(x.c), doublesOfLowHalf(x.d), doublesOfHighHalf(x.d))
  }
}
