/// The loop nest of an operator with weights, for one item of the batch.
package protocol ProductLoop {
  /// The bytes of working memory that the loop takes.
  var workingByteCount: Int { get }

  /// Computes one item, or a part of it when the run is stopped.
  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum
}

extension ProductLoop {
  package var workingByteCount: Int { 0 }
}
