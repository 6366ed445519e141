/// The loop nest of an operator with weights, for one item of the batch.
package protocol ProductLoop {
  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum
}
