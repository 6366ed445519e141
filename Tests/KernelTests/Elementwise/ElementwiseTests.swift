import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ElementwiseTests {
  @Test(arguments: tables.indices)
  func lookUpReplacesEveryByte(table: Int) {
    var random = SeededGenerator(seed: 4)
    let entries = random.bytes(256, isSigned: false)
    for count in awkwardSizes + [256, 300] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let array = GuardedMemory(bytes), lookUpTable = GuardedMemory(entries)
      tables[table].elementwise.lookUp(
        LookUpArguments(
          input: array.start, table: lookUpTable.start, output: array.start, count: count))
      #expect(array.elements == bytes.map { entries[Int($0)] }, "\(count)")
    }
  }
}
