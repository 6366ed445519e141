import OcellusEngine
import Testing

/// The generators, checked against the known answers in the Random123 library's `kat_vectors`.
@Suite struct PhiloxTests {
  @Test func philox() {
    #expect(
      Philox.block(key: .zero, counter: .zero)
        == [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8])
    #expect(
      Philox.block(key: .init(repeating: .max), counter: .init(repeating: .max))
        == [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD])
  }

  @Test func threefry() {
    #expect(Threefry.block(key: .zero, counter: .zero) == [0x6B20_0159, 0x99BA_4EFE])
    #expect(
      Threefry.block(key: .init(repeating: .max), counter: .init(repeating: .max))
        == [0x1CB9_96FC, 0xBB00_2BE7])
  }
}
