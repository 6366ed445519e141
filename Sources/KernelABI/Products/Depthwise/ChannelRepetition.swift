/// The operands of the repetition of channels, which turns a depthwise convolution with several
/// filters a channel into one with one filter a channel.
@frozen public struct ChannelRepetitionArguments {
  /// The elements to repeat.
  public var input: UnsafeRawPointer
  /// The bytes of an element: 1, 2 or 4.
  public var elementBytes: Int
  /// The elements of the input.
  public var count: Int
  /// How often every element comes in the output, one after the other.
  public var repetitions: Int
  /// The result, of `count · repetitions` elements.
  public var output: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, elementBytes: Int, count: Int, repetitions: Int,
    output: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.elementBytes = elementBytes
    self.count = count
    self.repetitions = repetitions
    self.output = output
  }
}
