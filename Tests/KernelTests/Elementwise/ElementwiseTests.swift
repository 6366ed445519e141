import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct ElementwiseTests {
  /// The kernels that this machine prefers, and those for a processor without VBMI.
  static let lookUps =
    tables.map(\.elementwise.lookUp)
    + KernelChoice(features: CPUFeatures.current.subtracting(.vbmi), requested: nil).candidates
    .compactMap(\.table?.elementwise.lookUp)

  @Test(arguments: lookUps.indices)
  func lookUpReplacesEveryByte(index: Int) {
    var random = SeededGenerator(seed: 4)
    let entries = random.bytes(256, isSigned: false)
    for count in awkwardSizes + [256, 300] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let array = GuardedMemory(bytes)
      let lookUpTable = GuardedMemory(entries)
      Self.lookUps[index](
        LookUpArguments(
          input: array.start, table: lookUpTable.start, output: array.start, count: count))
      #expect(array.elements == bytes.map { entries[Int($0)] }, "\(count)")
    }
  }
}
