/// The arguments of repeating channels, which reduces a depthwise convolution with several filters
/// per channel to one with a single filter per channel.
@frozen public struct ChannelRepetitionArguments {
  /// The elements to repeat.
  public var input: UnsafeRawPointer
  /// The size of an element in bytes: 1, 2 or 4.
  public var elementBytes: Int
  /// The number of input elements.
  public var count: Int
  /// The number of consecutive copies of every element in the output.
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
