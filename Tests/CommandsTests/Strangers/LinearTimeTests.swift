import Testing

/// Readers of untrusted input take time linear in its length.
@Suite struct LinearTimeTests {
  @Test(arguments: StrangersReader.all)
  func readersTakeTimeAsBytes(reader: StrangersReader) {
    var faults: [String] = []
    for pattern in reader.patterns {
      // A reader that is slow for one pattern is slow for many.
      guard faults.count < 5 else { break }
      if let excess = CostGrowth.excess(of: reader.read, input: pattern.bytes) {
        faults.append("\(pattern): \(excess)")
      }
    }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  /// The measurement itself finds quadratic and exponential readers, and accepts linear ones.
  @Test func slowReadersAreFound() {
    var sink = 0
    // Every sixteenth byte, because tests are not optimized.
    func passOver(_ bytes: ArraySlice<UInt8>) {
      var index = bytes.startIndex
      while index < bytes.endIndex {
        sink &+= Int(bytes[index])
        index += 16
      }
    }
    let make: (Int) -> [UInt8] = { [UInt8](repeating: 1, count: $0) }
    #expect(CostGrowth.excess(of: { passOver($0[...]) }, input: make) == nil)
    let quadratic: ([UInt8]) -> Void = { bytes in
      for start in bytes.indices { passOver(bytes[start...]) }
    }
    #expect(CostGrowth.excess(of: quadratic, input: make) != nil)
    let exponential: ([UInt8]) -> Void = { bytes in
      for _ in 0..<(1 << min(bytes.count, 40)) where sink != .min { sink &+= 1 }
    }
    #expect(CostGrowth.excess(of: exponential, input: make) != nil)
  }
}
