import OcellusKernelABI

#if arch(x86_64)
  let prefersAffineTables = true

  /// Replaces bytes, at least as many as a vector has, by the values of an affine table.
  func lookUp(_ arguments: LookUpArguments, _ table: AffineTable) {
    let function = FunctionVectors(table.function)
    guard let bend = table.bend else { return replaceBytes(arguments, table) { function[$0] } }
    let functionBelow = FunctionVectors(table.functionBelow),
      bendWords = everyWord(Int16(bend) << 8)
    replaceBytes(arguments, table) { words in
      function.replaced(by: functionBelow, where: greaterWords(bendWords, words))[words]
    }
  }

  /// One affine function with its parameters repeated in every 16-bit number of a register.
  private struct FunctionVectors {
    private var multiplier, offset: SumVector

    @inline(__always)
    init(_ function: AffineTable.Function) {
      multiplier = everyWord(function.multiplier)
      offset = everyWord(function.offset)
    }

    /// Returns the sums of the function, before they are shifted.
    @inline(__always)
    subscript(arguments: SumVector) -> SumVector {
      addSaturatingWords(roundedProductsOfWords(arguments, multiplier), offset)
    }

    /// Replaces the parameters by another function's where all bits of a mask are set.
    @inline(__always)
    func replaced(by other: FunctionVectors, where isOther: SumVector) -> FunctionVectors {
      var result = self
      result.multiplier = selectBytes(isOther, other.multiplier, multiplier)
      result.offset = selectBytes(isOther, other.offset, offset)
      return result
    }
  }

  @inline(__always)
  private func replaceBytes(
    _ arguments: LookUpArguments, _ table: AffineTable, _ sums: (SumVector) -> SumVector
  ) {
    let input = UnsafeRawPointer(arguments.input)
    let output = UnsafeMutableRawPointer(arguments.output)
    let argumentSignToggle = everyByte(table.argumentSignToggle),
      entrySignToggle = everyByte(table.entrySignToggle)
    let fraction = everyByte(table.fraction), shift = Int32(table.shift)
    let minimum = everyByte(UInt8(bitPattern: table.minimum))
    let maximum = everyByte(UInt8(bitPattern: table.maximum))
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
