import OcellusKernelABI

#if arch(x86_64)
  let prefersAffineTables = true

  /// Replaces bytes, at least as many as a vector has, by the values of an affine table.
  func lookUp(_ arguments: LookUpArguments, _ line: AffineTable) {
    let part = FunctionVectors(line.part)
    guard let bend = line.bend else { return replaceBytes(arguments, line) { part[$0] } }
    let functionBelow = FunctionVectors(line.functionBelow), bendWords = everyWord(Int16(bend) << 8)
    replaceBytes(arguments, line) { words in
      part.replaced(by: functionBelow, where: greaterWords(bendWords, words))[words]
    }
  }

  /// One affine function with its parameters repeated in every 16-bit number of a register.
  private struct FunctionVectors {
    private var multiplier, offset: SumVector

    @inline(__always)
    init(_ part: AffineTable.Function) {
      multiplier = everyWord(part.multiplier)
      offset = everyWord(part.offset)
    }

    /// Returns the sums of the function, before they are shifted.
    @inline(__always)
    subscript(arguments: SumVector) -> SumVector {
      addSaturatingWords(roundedProductsOfWords(arguments, multiplier), offset)
    }

    /// Replaces the parameters by another function's where all bits of a mask are set.
    @inline(__always)
    func replaced(by other: FunctionVectors, where isOther: SumVector) -> FunctionVectors {
      var line = self
      line.multiplier = selectBytes(isOther, other.multiplier, multiplier)
      line.offset = selectBytes(isOther, other.offset, offset)
      return line
    }
  }

  @inline(__always)
  private func replaceBytes(
    _ arguments: LookUpArguments, _ line: AffineTable, _ sums: (SumVector) -> SumVector
  ) {
    let input = UnsafeRawPointer(arguments.input)
    let output = UnsafeMutableRawPointer(arguments.output)
    let argumentSignToggle = everyByte(line.argumentSignToggle),
      entrySignToggle = everyByte(line.entrySignToggle)
    let fraction = everyByte(line.fraction), shift = Int32(line.shift)
    let minimum = everyByte(UInt8(bitPattern: line.minimum))
    let maximum = everyByte(UInt8(bitPattern: line.maximum))
    mapElements(count: arguments.count, lanes: sumVectorBytes) { index in
      let bytes = loadSums(input + index) ^ argumentSignToggle
      let entries = bytesOfWords(
        first: shiftWordsRight(sums(wordsOfFirstBytes(bytes, fraction)), by: shift),
        last: shiftWordsRight(sums(wordsOfLastBytes(bytes, fraction)), by: shift))
      return minimumOfBytes(maximumOfBytes(entries, minimum, isSigned: true), maximum)
        ^ entrySignToggle
    } store: { result, index in
      store(result, to: output + index)
    }
  }

  @inline(__always)
  private func everyWord(_ word: Int16) -> SumVector {
    SumVector(repeating: (Int32(word) << 16) | Int32(UInt16(bitPattern: word)))
  }
#else
  // Arm looks up bytes in tables of 64 bytes per instruction, which no computation can beat.
  let prefersAffineTables = false
#endif
