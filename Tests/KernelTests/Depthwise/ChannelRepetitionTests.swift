import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ChannelRepetitionTests {
  @Test(arguments: tables.indices)
  func everyElementComesSeveralTimes(table: Int) {
    var random = SeededGenerator(seed: 1)
    for elementBytes in [1, 2, 4] {
      for repetitions in awkwardSizes {
        for count in [1, 2, 7, 40] {
          let elements = random.bytes(count * elementBytes, isSigned: false)
          let input = GuardedMemory(elements)
          let output = GuardedMemory<UInt8>(
            count: elements.count * repetitions, filledWith: 0xAA)
          tables[table].repeatChannels(
            ChannelRepetitionArguments(
              input: input.start, elementBytes: elementBytes, count: count,
              repetitions: repetitions, output: output.start))
          let want = (0..<count).flatMap { index in
            let element = elements[index * elementBytes..<(index + 1) * elementBytes]
            return (0..<repetitions).flatMap { _ in element }
          }
          #expect(
            output.elements == want, "\(count) of \(elementBytes) bytes × \(repetitions)")
        }
      }
    }
  }
}
