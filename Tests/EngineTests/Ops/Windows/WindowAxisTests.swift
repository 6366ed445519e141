import OcellusEngine
import Testing

@Suite struct WindowAxisTests {
  /// Five elements and three taps with a stride of 2 need one element of padding on each side.
  @Test func sameWindowsHangOverBothEdges() throws {
    let axis = try #require(WindowAxis(.same, input: 5, tapCount: 3, stride: 2))
    #expect(axis.outputExtent == 3)
    #expect(axis.leadingPadding == 1)
    #expect((0..<3).map { axis.origin(of: $0) } == [-1, 1, 3])
    #expect((0..<3).map { axis.taps(at: $0) } == [1..<3, 0..<3, 0..<2])
  }

  /// An odd element of padding goes behind the input.
  @Test func theLargerHalfOfThePaddingIsBehind() throws {
    let axis = try #require(WindowAxis(.same, input: 4, tapCount: 4, stride: 1))
    #expect(axis.leadingPadding == 1)
    #expect(axis.taps(at: 3) == 0..<2)
  }

  @Test func validWindowsStayInside() throws {
    let axis = try #require(WindowAxis(.valid, input: 7, tapCount: 3, stride: 2, dilation: 2))
    #expect(axis.outputExtent == 2)
    #expect((0..<2).map { axis.taps(at: $0) } == [0..<3, 0..<3])
  }

  /// For six elements, the taps lie at -4, 1 and 6.
  @Test func dilatedTapsSkipWhatIsOutside() throws {
    let axis = try #require(WindowAxis(.same, input: 6, tapCount: 3, stride: 1, dilation: 5))
    #expect(axis.leadingPadding == 5)
    #expect(axis.origin(of: 1) == -4)
    #expect(axis.taps(at: 1) == 1..<2)
    #expect(axis.taps(at: 0) == 1..<3)
  }

  /// `outputs(coveringInput:)` equals a search over all windows for a tap on the element.
  @Test(arguments: [PaddingScheme.same, .valid], [1, 2, 3])
  func windowsAreFoundFromTheirElements(padding: PaddingScheme, stride: Int) throws {
    for tapCount in 1...4 {
      let axis = try #require(WindowAxis(padding, input: 9, tapCount: tapCount, stride: stride))
      for index in 0..<9 {
        let covering = (0..<axis.outputExtent).filter { output in
          axis.taps(at: output).contains(index - axis.origin(of: output))
        }
        #expect(Array(axis.outputs(coveringInput: index)) == covering)
      }
    }
  }

  /// The official kernels divide towards zero, so a window that is slightly too large has no
  /// output, and only a larger one is refused.
  @Test func aWindowThatIsTooLargeHasNoOutputOrNoPlace() throws {
    #expect(WindowAxis(.valid, input: 3, tapCount: 5, stride: 3)?.outputExtent == 0)
    #expect(WindowAxis(.valid, input: 3, tapCount: 5, stride: 1) == nil)
  }

  @Test(arguments: [
    (0, 1, 1), (1, 0, 1), (1, 1, 0), (-1, 1, 1), (1, -2, 1), (1, 1, Int(Int32.min)),
  ])
  func numbersBelowOneAreRefused(tapCount: Int, stride: Int, dilation: Int) {
    #expect(
      WindowAxis(.same, input: 8, tapCount: tapCount, stride: stride, dilation: dilation) == nil)
  }

  @Test func theLargestNumbersOfAFileDoNotOverflow() throws {
    let most = Int(Int32.max)
    let axis = try #require(
      WindowAxis(.same, input: most, tapCount: most, stride: 1, dilation: most))
    #expect(axis.outputExtent == most)
    #expect(axis.taps(at: 0).count == 1)
    #expect(WindowAxis(.valid, input: most, tapCount: most, stride: 1, dilation: most) == nil)
  }
}
