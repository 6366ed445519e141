/// Sixteen sums of every sixteenth element, which make results independent of the vector width.
struct StridedSums {
  private var first = FloatVector.zero
  private var second = FloatVector.zero
  private var third = FloatVector.zero
  private var fourth = FloatVector.zero

  @inline(__always)
  init() {}

  /// Adds as many whole groups of sixteen as there are.
  ///
  /// In a long run, four times as many independent sums hide the latency of additions.
  @inline(__always)
  init(ofSixteensIn run: UnsafeRawPointer, count: Int) {
    var index = 0
    if count >= 64 {
      var (two, three, four) = (StridedSums(), StridedSums(), StridedSums())
      while index &+ 64 <= count {
        add(sixteenAt: run + index &* 4)
        two.add(sixteenAt: run + (index &+ 16) &* 4)
        three.add(sixteenAt: run + (index &+ 32) &* 4)
        four.add(sixteenAt: run + (index &+ 48) &* 4)
        index &+= 64
      }
      add(two)
      three.add(four)
      add(three)
    }
    while index &+ 16 <= count {
      add(sixteenAt: run + index &* 4)
      index &+= 16
    }
  }

  @inline(__always)
  mutating func add(_ vector: FloatVector, position: Int) {
    switch position {
    case 0: first += vector
    case 1: second += vector
    case 2: third += vector
    default: fourth += vector
    }
  }

  /// Adds four vectors that start at a multiple of sixteen.
  @inline(__always)
  mutating func add(_ vectors: Quartet) {
    let vectorCount = 16 / FloatVector.scalarCount
    add(vectors.a, position: 0)
    add(vectors.b, position: 1 % vectorCount)
    add(vectors.c, position: 2 % vectorCount)
    add(vectors.d, position: 3 % vectorCount)
  }

  @inline(__always)
  private mutating func add(sixteenAt address: UnsafeRawPointer) {
    for position in 0..<16 / FloatVector.scalarCount {
      add(loadFloats(address + position &* sumVectorBytes), position: position)
    }
  }

  @inline(__always)
  private mutating func add(_ other: StridedSums) {
    first += other.first
    second += other.second
    third += other.third
    fourth += other.fourth
  }

  /// The sum of sums at a distance of eight, four, two and one.
  @inline(__always)
  var total: Float {
    let two = quarter.lowHalf + quarter.highHalf
    return two[0] + two[1]
  }

  /// The sums of sums at a distance of eight and four.
  @inline(__always)
  var quarter: SIMD4<Float> {
    let vectors = (first, second, third, fourth)
    let sixteen = withUnsafeBytes(of: vectors) { bytes in
      bytes.baseAddress.unsafelyUnwrapped.loadUnaligned(as: SIMD16<Float>.self)
    }
    let eight = sixteen.lowHalf + sixteen.highHalf
    return eight.lowHalf + eight.highHalf
  }
}
