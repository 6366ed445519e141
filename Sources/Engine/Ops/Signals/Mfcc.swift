import OcellusModelFile
import OcellusPlatform

/// Mfcc: mel-frequency cepstral coefficients, which summarize a spectrum according to human
/// hearing.
///
/// This is a custom operator of the official runtime. It sums the magnitudes of the spectrum in
/// bands of equal width on the mel scale, and computes the cosine transform of their logarithms.
package struct Mfcc: Operator {
  package static let definition = OperatorDefinition(
    "Mfcc", types: [.float32], make: { node throws(ModelError) in try Self(node) })

  private let frequencies: ClosedRange<Double>
  private let bandCount: Int
  private let coefficientCount: Int
  /// The greatest number of elements in the table of cosines.
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
    let input = context.input(0)
    let sampleRate = context.input(1).integers[0]
    try context.require(sampleRate > 0, "the sample rate is \(sampleRate)")
    let cosineCount = coefficientCount * bandCount
    try context.withScratch(MelBin.self, count: input.shape[2]) { bins throws(ModelError) in
      // The logarithms and peaks of the bands with the end of the last band, and the cosines.
      try context.withScratch(Double.self, count: 2 * bandCount + 1 + cosineCount) {
        numbers throws(ModelError) in
        let bands = MelBands(
          frequencies: frequencies, sampleRate: Double(sampleRate), bins: bins,
          logarithms: Row(rebasing: numbers[..<bandCount]),
          peaks: Row(rebasing: numbers[bandCount...2 * bandCount]), context)
        let cosines = Row(rebasing: numbers[(2 * bandCount + 1)...])
        fill(cosines, context)
        try computeCoefficients(context, bands, cosines)
      }
    }
  }

  private func computeCoefficients(
    _ context: RunContext, _ bands: MelBands, _ cosines: Row<Double>
  ) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    let (powers, coefficients) = (input.values(Float.self), output.values(Float.self))
    let logarithms = bands.logarithms
    for row in 0..<input.shape.product(of: 0..<2) {
      try context.checkpoint()
      let start = row * input.shape[2]
      bands.sum(Row(rebasing: powers[start..<start + input.shape[2]]), context)
      for index in 0..<coefficientCount {
        var sum = 0.0
        for band in 0..<bandCount { sum += cosines[index * bandCount + band] * logarithms[band] }
        coefficients[row * coefficientCount + index] = Float(sum)
      }
    }
  }

  /// Fills the matrix of the cosine transform, one row for each coefficient.
  private func fill(_ cosines: Row<Double>, _ context: RunContext) {
    let scale = (2 / Double(bandCount)).squareRoot()
    let step = Double.pi / Double(bandCount)
    for chunk in context.chunks(of: cosines.count, workOfEach: 8) {
      for index in chunk {
        let (coefficient, band) = index.quotientAndRemainder(dividingBy: bandCount)
        cosines[index] = scale * cos(Double(coefficient) * step * (Double(band) + 0.5))
      }
    }
  }
}

/// The contribution of one frequency of a spectrum to two bands.
private struct MelBin: BitwiseCopyable {
  /// The band on whose falling edge the frequency lies; -1 before the first peak.
  var falling: Int
  /// The share of that band; the next band gets the rest.
  var weight: Double
}

/// Overlapping triangular filters over a spectrum, of equal width on the mel scale.
private struct MelBands {
  /// The indices of the frequencies in use; `nil` if the spectrum ends before them.
  private let range: Range<Int>?
  private let bins: Row<MelBin>
  /// The results of `sum`.
  let logarithms: Row<Double>
  private let floor = 1e-12

  /// Makes the filters in memory for all bins of a spectrum, a logarithm for each band, and one
  /// more peak than bands: the end of the last triangle.
  init(
    frequencies: ClosedRange<Double>, sampleRate: Double, bins: Row<MelBin>,
    logarithms: Row<Double>, peaks: Row<Double>, _ context: RunContext
  ) {
    (self.bins, self.logarithms) = (bins, logarithms)
    let binWidth = 0.5 * sampleRate / Double(bins.count - 1)
    let first = Int(saturating: 1.5 + frequencies.lowerBound / binWidth)
    let last = Int(saturating: frequencies.upperBound / binWidth)
    guard last < bins.count else {
      range = nil
      return
    }
    let range = first..<max(last + 1, first)
    self.range = range
    let count = logarithms.count
    let lowest = Self.mel(frequencies.lowerBound)
    let spacing = (Self.mel(frequencies.upperBound) - lowest) / Double(count + 1)
    for chunk in context.chunks(of: peaks.count) {
      for index in chunk { peaks[index] = lowest + spacing * Double(index + 1) }
    }
    var band = 0
    for chunk in context.chunks(of: range.count, workOfEach: 8) {
      for index in chunk {
        let mel = Self.mel(Double(first + index) * binWidth)
        while band < count && peaks[band] < mel { band += 1 }
        let start = band > 0 ? peaks[band - 1] : lowest
        bins[index] = MelBin(
          falling: band - 1, weight: (peaks[band] - mel) / (peaks[band] - start))
      }
    }
  }

  private static func mel(_ frequency: Double) -> Double { 1127 * log1p(frequency / 700) }

  /// Computes the logarithm of the sum of magnitudes in each band.
  ///
  /// As in the official kernel, all results are zero if the spectrum is too short.
  func sum(_ powers: Row<Float>, _ context: RunContext) {
    forEachChunk(of: logarithms.count, context.control) { chunk in
      for band in chunk { logarithms[band] = 0 }
    }
    guard let range else { return }
    forEachChunk(of: range.count, workOfEach: 4, context.control) { chunk in
      for index in chunk {
        let bin = bins[index]
        let magnitude = Double(powers[range.lowerBound + index]).squareRoot()
        let weighted = magnitude * bin.weight
        if bin.falling >= 0 { logarithms[bin.falling] += weighted }
        if bin.falling + 1 < logarithms.count {
          logarithms[bin.falling + 1] += magnitude - weighted
        }
      }
    }
    forEachChunk(of: logarithms.count, workOfEach: 8, context.control) { chunk in
      for band in chunk { logarithms[band] = log(max(logarithms[band], floor)) }
    }
  }
}
