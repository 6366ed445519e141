/// What becomes of a sum of products on its way to the output.
package protocol OutputStage {
  associatedtype Sum: BitwiseCopyable
  associatedtype Output: BitwiseCopyable

  func output(_ sum: Sum, channel: Int) -> Output
}
