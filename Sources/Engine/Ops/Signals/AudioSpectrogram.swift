import OcellusModelFile
import OcellusPlatform

/// AudioSpectrogram: the spectra of a window that moves along a recording.
///
/// This is a custom operator of the official runtime, for the models of TensorFlow's speech
/// tutorial.
package struct AudioSpectrogram: Operator {
  package static let definition = OperatorDefinition(
    "AudioSpectrogram", types: [.float32], make: { node throws(ModelError) in try Self(node) })

  private let windowLength: Int
  private let stride: Int
  /// Whether results are powers (squared magnitudes).
  private let isSquared: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    let options = try node.flexOptions()
    windowLength = Int(options["window_size"].integer)
    stride = Int(options["stride"].integer)
    isSquared = options["magnitude_squared"].boolean
    try node.require(
      (2...1 << 30).contains(windowLength), "a window of \(windowLength) samples is impossible")
    try node.require(
      (1...Int(Int32.max)).contains(stride), "a stride of \(stride) samples is impossible")
  }

  /// The length of the transform: the next power of two.
  private var transformLength: Int {
    1 << (Int.bitWidth - (windowLength - 1).leadingZeroBitCount)
  }

  private func windowCount(samples: Int) -> Int {
    samples < windowLength ? 0 : 1 + (samples - windowLength) / stride
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == 2, "the input must have samples and channels")
    return [[shape[1], windowCount(samples: shape[0]), transformLength / 2 + 1]]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let shape = context.shape(0)
    return saturatingProduct(
      shape[1], windowCount(samples: shape[0]),
      FourierTransform.multiplyAdds(length: transformLength))
  }

  package func run(_ context: RunContext) throws(ModelError) {
    guard context.output(0).elementCount > 0 else { return }
    try context.withScratch(Complex<Double>.self, count: transformLength / 2 * 3) {
      scratch throws(ModelError) in
      guard let frame = scratch.baseAddress else { return }
      let transform = FourierTransform(
        length: transformLength, roots: frame + transformLength, context.control)
      try context.withScratch(Double.self, count: windowLength) { weights throws(ModelError) in
        for chunk in context.chunks(of: weights.count, workOfEach: 8) {
          for index in chunk { weights[index] = hannWeight(index) }
        }
        try measure(context, weights, transform, frame)
      }
    }
  }

  private func measure(
    _ context: RunContext, _ weights: UnsafeMutableBufferPointer<Double>,
    _ transform: FourierTransform, _ frame: UnsafeMutablePointer<Complex<Double>>
  ) throws(ModelError) {
    let output = context.output(0)
    let (samples, powers) = (context.input(0).values(Float.self), output.values(Float.self))
    let (channelCount, windowCount) = (output.shape[0], output.shape[1])
    var next = 0
    for channel in 0..<channelCount {
      for window in 0..<windowCount {
        try context.checkpoint()
        for chunk in context.chunks(of: transformLength) {
          for index in chunk {
            let position = (window * stride + index) * channelCount + channel
            let sample = index < windowLength ? Double(samples[position]) * weights[index] : 0
            frame[index] = Complex(sample, 0)
          }
        }
        transform.apply(frame)
        for chunk in context.chunks(of: transformLength / 2 + 1, workOfEach: 2) {
          for index in chunk {
            let value = frame[index]
            let power = Float(value.real * value.real + value.imaginary * value.imaginary)
            powers[next] = isSquared ? power : power.squareRoot()
            next += 1
          }
        }
      }
    }
  }

  /// Returns the periodic Hann window.
  private func hannWeight(_ index: Int) -> Double {
    0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(windowLength))
  }
}
