import OcellusEngine
import Testing

@Suite struct Fingerprint64Tests {
  /// The values come from the documentation of BigQuery's FARM_FINGERPRINT, which is this function.
  @Test(
    arguments: [
      ("1footrue", -1_541_654_101_129_638_711), ("2applefalse", 2_794_438_866_806_483_259),
      ("3true", -4_880_158_226_897_771_312),
    ] as [(String, Int64)])
  func documentedValues(text: String, fingerprint: Int64) {
    let bytes = Array(text.utf8)
    let value = bytes.withUnsafeBytes { Fingerprint64($0).value }
    #expect(Int64(bitPattern: value) == fingerprint)
  }

  @Test func nothingHasAFingerprint() {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(Fingerprint64(nothing).value == 0x9AE1_6A3B_2F90_404F)
  }
}
