import OcellusModelFile
import OcellusPlatform

/// Mfcc: mel-frequency cepstral coefficients, which sum a spectrum up as speech is heard.
///
/// A custom operator of the official runtime: the spectrum's powers are gathered in bands that
/// are equally wide on the mel scale, and of their logarithms a cosine transform is taken.
package struct Mfcc: Operator {
  package static let definition = OperatorDefinition(
    "Mfcc", types: [.float32], make: { node throws(ModelError) in try Self(node) })

  private let frequencies: ClosedRange<Double>
  private let bandCount: Int
  private let coefficientCount: Int
  /// The limit on the numbers in the table of cosines.
  private static let largestTable = 1 << 22

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    try node.require(try node.input(1), .int32)
    try node.require(try node.output(0), .float32)
    let options = try node.flexOptions()
    let lowest = Double(Float(options["lower_frequency_limit"].integer))
    let highest = Double(Float(options["upper_frequency_limit"].integer))
    try node.require(
      lowest >= 0 && lowest < highest, "the frequencies from \(lowest) to \(highest) are no range")
    frequencies = lowest...highest
    bandCount = Int(options["filterbank_channel_count"].integer)
    coefficientCount = Int(options["dct_coefficient_count"].integer)
    try node.require(
      coefficientCount >= 1 && coefficientCount <= bandCount,
      "\(coefficientCount) coefficients cannot be made from \(bandCount) bands")
    if saturatingProduct(coefficientCount, bandCount) > Self.largestTable {
      throw node.error("\(coefficientCount) coefficients of \(bandCount) bands", .overBudget)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var shape = context.shape(0)
    try context.require(shape.rank == 3, "the input must be spectra of channels")
    try context.require(shape[2] >= 2, "a spectrum must have two frequencies at least")
    try context.require(context.shape(1).elementCount == 1, "the sample rate must be one number")
    shape[2] = coefficientCount
    return [shape]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let shape = context.shape(0)
    return saturatingProduct(
      shape.product(of: 0..<2), shape[2] + coefficientCount * bandCount)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    let sampleRate = context.input(1).integers[0]
    try context.require(sampleRate > 0, "the sample rate is \(sampleRate)")
    let bands = MelBands(
      count: bandCount, frequencies: frequencies, sampleRate: Double(sampleRate),
      spectrumLength: input.shape[2])
    let cosines = cosineTable()
    let (powers, coefficients) = (input.values(Float.self), output.values(Float.self))
    var logarithms = [Double](repeating: 0, count: bandCount)
    for row in 0..<input.shape.product(of: 0..<2) {
      try context.checkpoint()
      let start = row * input.shape[2]
      bands.sum(Row(rebasing: powers[start..<start + input.shape[2]]), to: &logarithms)
      for index in 0..<coefficientCount {
        var sum = 0.0
        for band in 0..<bandCount { sum += cosines[index * bandCount + band] * logarithms[band] }
        coefficients[row * coefficientCount + index] = Float(sum)
      }
    }
  }

  /// The cosine transform, a row for each coefficient.
  private func cosineTable() -> [Double] {
    let scale = (2 / Double(bandCount)).squareRoot()
    let step = Double.pi / Double(bandCount)
    return (0..<coefficientCount * bandCount).map { index in
      let (coefficient, band) = index.quotientAndRemainder(dividingBy: bandCount)
      return scale * cos(Double(coefficient) * step * (Double(band) + 0.5))
    }
  }
}

/// Overlapping triangles over the frequencies of a spectrum, equally wide on the mel scale.
private struct MelBands {
  /// The frequencies that count, as indices into the spectrum; `nil` where it ends before them.
  private let bins: Range<Int>?
  /// For each bin the band on whose falling side it lies, -1 in front of the first peak.
  private var falling: [Int] = []
  /// How much of a bin goes to that band; the rest goes to the next one.
  private var weights: [Double] = []
  private let floor = 1e-12

  init(
    count: Int, frequencies: ClosedRange<Double>, sampleRate: Double, spectrumLength: Int
  ) {
    let binWidth = 0.5 * sampleRate / Double(spectrumLength - 1)
    let first = Int(saturating: 1.5 + frequencies.lowerBound / binWidth)
    let last = Int(saturating: frequencies.upperBound / binWidth)
    guard last < spectrumLength else {
      bins = nil
      return
    }
    let bins = first..<max(last + 1, first)
    self.bins = bins
    let lowest = Self.mel(frequencies.lowerBound)
    let spacing = (Self.mel(frequencies.upperBound) - lowest) / Double(count + 1)
    // One more than there are bands: the end of the last triangle.
    let peaks = (0...count).map { lowest + spacing * Double($0 + 1) }
    var band = 0
    for bin in bins {
      let mel = Self.mel(Double(bin) * binWidth)
      while band < count && peaks[band] < mel { band += 1 }
      let start = band > 0 ? peaks[band - 1] : lowest
      falling.append(band - 1)
      weights.append((peaks[band] - mel) / (peaks[band] - start))
    }
  }

  private static func mel(_ frequency: Double) -> Double { 1127 * log1p(frequency / 700) }

  /// The logarithms of the magnitudes in each band.
  ///
  /// All zero where the spectrum is too short, as in the official kernel.
  func sum(_ powers: Row<Float>, to logarithms: inout [Double]) {
    for band in logarithms.indices { logarithms[band] = 0 }
    guard let bins else { return }
    for (index, bin) in bins.enumerated() {
      let magnitude = Double(powers[bin]).squareRoot()
      let weighted = magnitude * weights[index]
      let band = falling[index]
      if band >= 0 { logarithms[band] += weighted }
      if band + 1 < logarithms.count { logarithms[band + 1] += magnitude - weighted }
    }
    for band in logarithms.indices { logarithms[band] = log(max(logarithms[band], floor)) }
  }
}
