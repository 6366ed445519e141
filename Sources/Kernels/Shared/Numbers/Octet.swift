/// Eight vectors of doubles, for functions of a `Quartet`.
struct Octet {
  var a, b, c, d, e, f, g, h: DoubleVector

  @inline(__always)
  init(
    _ a: DoubleVector, _ b: DoubleVector, _ c: DoubleVector, _ d: DoubleVector, _ e: DoubleVector,
    _ f: DoubleVector, _ g: DoubleVector,
    _ h: DoubleVector
  ) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    (self.e, self.f, self.g, self.h) = (e, f, g, h)
  }

  @inline(__always)
  func map(_ step: (DoubleVector) -> DoubleVector) -> Octet {
    Octet(step(a), step(b), step(c), step(d), step(e), step(f), step(g), step(h))
  }

  @inline(__always)
  func zip(_ o: Octet, _ step: (DoubleVector, DoubleVector) -> DoubleVector) -> Octet {
    Octet(
      step(a, o.a), step(b, o.b), step(c, o.c), step(d, o.d), step(e, o.e), step(f, o.f),
      step(g, o.g), step(h, o.h))
  }

  @inline(__always)
  func zip(
    _ o: Octet, _ p: Octet, _ step: (DoubleVector, DoubleVector, DoubleVector) -> DoubleVector
  ) -> Octet {
    Octet(
      step(a, o.a, p.a), step(b, o.b, p.b), step(c, o.c, p.c), step(d, o.d, p.d),
      step(e, o.e, p.e), step(f, o.f, p.f), step(g, o.g, p.g), step(h, o.h, p.h))
  }
}

extension Octet {
  /// Applies a step to both halves of a float vector, for each of four vectors.
  @inline(__always)
  func mapPairs(
    _ step: (DoubleVector, DoubleVector) -> (low: DoubleVector, high: DoubleVector)
  ) -> Octet {
    let (ab, cd, ef, gh) = (step(a, b), step(c, d), step(e, f), step(g, h))
    return Octet(ab.low, ab.high, cd.low, cd.high, ef.low, ef.high, gh.low, gh.high)
  }

  /// Widens four vectors of floats to doubles.
  @inline(__always)
  init(halvesOf x: Quartet) {
    self.init(
      doublesOfLowHalf(x.a), doublesOfHighHalf(x.a), doublesOfLowHalf(x.b), doublesOfHighHalf(x.b),
      doublesOfLowHalf(x.c), doublesOfHighHalf(x.c), doublesOfLowHalf(x.d), doublesOfHighHalf(x.d))
  }
}

extension Quartet {
  /// Narrows doubles to four vectors of floats.
  @inline(__always)
  init(halves x: Octet) {
    self.init(floats(x.a, x.b), floats(x.c, x.d), floats(x.e, x.f), floats(x.g, x.h))
  }
}
