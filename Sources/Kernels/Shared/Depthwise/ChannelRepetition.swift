import OcellusKernelABI

func repeatChannels(_ arguments: ChannelRepetitionArguments) {
  switch arguments.elementBytes {
  case 1: repeatElements(arguments) { Int32(loadByte($0)) &* 0x0101_0101 }
  case 2: repeatElements(arguments) { (Int32(loadInt16($0)) & 0xFFFF) &* 0x0001_0001 }
  default: repeatElements(arguments) { loadInt32($0) }
  }
}

/// Repeats every element with as few stores as possible.
///
/// Stores may exceed the copies of an element, and the next ones replace the excess. The last
/// elements are copied exactly.
@inline(__always)
private func repeatElements(
  _ arguments: ChannelRepetitionArguments, _ fourBytes: (UnsafeRawPointer) -> Int32
) {
  let runBytes = arguments.repetitions &* arguments.elementBytes
  let end = arguments.output + arguments.count &* runBytes
  var source = arguments.input
  var target = arguments.output
  let storedBytes = runBytes <= 16 ? 16 : roundUp(runBytes, to: sumVectorBytes)
  while end - target >= storedBytes {
    let bytes = fourBytes(source)
    if runBytes <= 16 {
      let pair = Int64(bytes) &<< 32 | (Int64(bytes) & 0xFFFF_FFFF)
      store(pair, to: target)
      store(pair, to: target + 8)
    } else {
      let vector = SumVector(repeating: bytes)
      var offset = 0
      while offset < runBytes {
        store(vector, to: target + offset)
        offset &+= sumVectorBytes
      }
    }
    source += arguments.elementBytes
    target += runBytes
  }
  while target < end {
    for _ in 0..<arguments.repetitions {
      copyBytes(source, to: target, count: arguments.elementBytes)
      target += arguments.elementBytes
    }
    source += arguments.elementBytes
  }
}
