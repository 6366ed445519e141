import OcellusEngine
import Testing

@Suite struct TensorViewFillTests {
  private func filled<Element: BitwiseCopyable & FixedWidthInteger>(
    _ count: Int, with value: Element, _ control: RunControl?, as type: ElementType
  ) -> [Element] {
    var elements = [Element](repeating: 1, count: count)
    elements.withUnsafeMutableBytes {
      TensorView(type: type, shape: [count], bytes: $0, control: control)
        .fill(withInteger: Int(value))
    }
    return elements
  }

  /// A fill doubles the filled range up to a limit and then repeats it, so sizes lie around the
  /// limit.
  @Test(arguments: [1, 3, 1000, 1 << 20, 1 << 20 + 1, 3 << 20 - 5])
  func tensorsOfAllSizesAreFilled(count: Int) {
    let (bytes, words) = (
      filled(count, with: 7 as Int8, RunControl(), as: .int8),
      filled(count, with: -70_000 as Int32, RunControl(), as: .int32)
    )
    #expect(bytes == [Int8](repeating: 7, count: count))
    #expect(words == [Int32](repeating: -70_000, count: count))
    #expect(
      filled(count, with: 0 as Int64, RunControl(), as: .int64)
        == [Int64](repeating: 0, count: count))
  }

  @Test func largeFillsAreStopped() {
    let control = RunControl()
    control.cancel()
    #expect(filled(3 << 20, with: 7 as Int8, control, as: .int8).last == 1)
    #expect(filled(3 << 20, with: 0 as Int64, control, as: .int64).last == 1)
  }
}
