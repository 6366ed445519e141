import OcellusKernelABI

#if !LONG_TABLES
  /// Replaces bytes, of which there are at least as many as in a vector, by differences.
  func lookUp(_ arguments: LookUpArguments, _ table: DifferenceTable) {
    let differences = Differences(table)
    guard let bend = table.bend else {
      return replaceBytes(arguments) { bytes in
        let bytes = differences.shifted(bytes)
        return differences.entries(bytes, differences.lower[bytes & everyByte(15)])
      }
    }
    let below = ShortTable(table.lowerBelowBend)
    let bendBytes = everyByte(UInt8(bitPattern: bend))
    replaceBytes(arguments) { bytes in
      let bytes = differences.shifted(bytes)
      let isBelow = greaterBytes(bendBytes, bytes)
      let places = bytes & everyByte(15)
      let (lower, other) = (differences.lower[places], below[places])
      return differences.entries(
        bytes,
        ShortTable(
          wholes: lower.wholes ^ ((lower.wholes ^ other.wholes) & isBelow),
          fractions: lower.fractions ^ ((lower.fractions ^ other.fractions) & isBelow)))
    }
  }

  @inline(__always)
  private func replaceBytes(_ arguments: LookUpArguments, _ entries: (SumVector) -> SumVector) {
    let input = UnsafeRawPointer(arguments.input)
    let output = UnsafeMutableRawPointer(arguments.output)
    mapElements(count: arguments.count, lanes: sumVectorBytes) { index in
      entries(loadSums(input + index))
    } store: { result, index in
      store(result, to: output + index)
    }
  }

  /// Numbers in fixed point: sixteen to choose from in every part of 16 bytes, or those chosen.
  private struct ShortTable {
    var wholes, fractions: SumVector

    @inline(__always)
    init(wholes: SumVector, fractions: SumVector) {
      self.wholes = wholes
      self.fractions = fractions
    }

    @inline(__always)
    init(_ part: DifferenceTable.Part) {
      wholes = repeated(unsafeBitCast(part.wholes, to: SIMD4<Int32>.self))
      fractions = repeated(unsafeBitCast(part.fractions, to: SIMD4<Int32>.self))
    }

    /// The numbers at places from 0 to 15.
    @inline(__always)
    subscript(places: SumVector) -> ShortTable {
      ShortTable(wholes: shuffled(wholes, by: places), fractions: shuffled(fractions, by: places))
    }
  }

  /// A table of differences in registers.
  private struct Differences {
    let upper, lower: ShortTable
    private let argumentFlip, firstByte, lastByte, shift: SumVector
    private let minimum, maximum, entryFlip: SumVector

    @inline(__always)
    init(_ table: DifferenceTable) {
      upper = ShortTable(table.upper)
      lower = ShortTable(table.lower)
      argumentFlip = everyByte(table.argumentFlip)
      firstByte = everyByte(UInt8(bitPattern: table.firstByte))
      lastByte = everyByte(UInt8(bitPattern: table.lastByte))
      shift = everyByte(UInt8(bitPattern: table.shift))
      minimum = everyByte(UInt8(bitPattern: table.minimum))
      maximum = everyByte(UInt8(bitPattern: table.maximum))
      entryFlip = everyByte(table.entryFlip)
    }

    @inline(__always)
    func shifted(_ bytes: SumVector) -> SumVector {
      let bytes = clampBytes(bytes ^ argumentFlip, firstByte, lastByte)
      return subtractSaturatingBytes(bytes, shift)
    }

    /// The entries of shifted bytes, whose lower bits have these numbers.
    @inline(__always)
    func entries(_ bytes: SumVector, _ lower: ShortTable) -> SumVector {
      let upper = upper[(bytes &>> SumVector(repeating: 4)) & everyByte(15)]
      // All bits are set, which is -1, where the fractions' difference is negative.
      let borrow = greaterBytes(lower.fractions, upper.fractions)
      let differences = subtractSaturatingBytes(
        upper.wholes, subtractSaturatingBytes(lower.wholes, borrow))
      return clampBytes(differences, minimum, maximum) ^ entryFlip
    }
  }

  @inline(__always)
  private func clampBytes(_ x: SumVector, _ low: SumVector, _ high: SumVector) -> SumVector {
    minimumOfBytes(maximumOfBytes(x, low, isSigned: true), high)
  }
#endif
