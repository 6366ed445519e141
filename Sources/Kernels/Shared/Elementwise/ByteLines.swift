import OcellusKernelABI

#if arch(x86_64)
  let prefersLines = true

  /// Replaces bytes, of which there are at least as many as in a vector, by their places on a line.
  func lookUp(_ arguments: LookUpArguments, _ line: ByteLine) {
    let part = Line(line.part)
    guard let bend = line.bend else { return replaceBytes(arguments, line) { part[$0] } }
    let partBelow = Line(line.partBelow), bendWords = everyWord(Int16(bend) << 8)
    replaceBytes(arguments, line) { words in
      part.replaced(by: partBelow, where: greaterWords(bendWords, words))[words]
    }
  }

  /// One line in each 16-bit number, in registers.
  private struct Line {
    private var multiplier, offset: SumVector

    @inline(__always)
    init(_ part: ByteLine.Part) {
      multiplier = everyWord(part.multiplier)
      offset = everyWord(part.offset)
    }

    /// The sums of arguments, before they are shifted.
    @inline(__always)
    subscript(arguments: SumVector) -> SumVector {
      addSaturatingWords(roundedProductsOfWords(arguments, multiplier), offset)
    }

    /// Another line where all bits are set.
    @inline(__always)
    func replaced(by other: Line, where isOther: SumVector) -> Line {
      var line = self
      line.multiplier = selectBytes(isOther, other.multiplier, multiplier)
      line.offset = selectBytes(isOther, other.offset, offset)
      return line
    }
  }

  @inline(__always)
  private func replaceBytes(
    _ arguments: LookUpArguments, _ line: ByteLine, _ sums: (SumVector) -> SumVector
  ) {
    let input = UnsafeRawPointer(arguments.input)
    let output = UnsafeMutableRawPointer(arguments.output)
    let argumentFlip = everyByte(line.argumentFlip), entryFlip = everyByte(line.entryFlip)
    let fraction = everyByte(line.fraction), shift = Int32(line.shift)
    let minimum = everyByte(UInt8(bitPattern: line.minimum))
    let maximum = everyByte(UInt8(bitPattern: line.maximum))
    mapElements(count: arguments.count, lanes: sumVectorBytes) { index in
      let bytes = loadSums(input + index) ^ argumentFlip
      let entries = bytesOfWords(
        first: shiftWordsRight(sums(wordsOfFirstBytes(bytes, fraction)), by: shift),
        last: shiftWordsRight(sums(wordsOfLastBytes(bytes, fraction)), by: shift))
      return minimumOfBytes(maximumOfBytes(entries, minimum, isSigned: true), maximum) ^ entryFlip
    } store: { result, index in
      store(result, to: output + index)
    }
  }

  @inline(__always)
  private func everyWord(_ word: Int16) -> SumVector {
    SumVector(repeating: (Int32(word) << 16) | Int32(UInt16(bitPattern: word)))
  }
#else
  // On Arm an instruction looks bytes up in tables of 64, and without vectors of bytes nothing is faster.
  let prefersLines = false
#endif
