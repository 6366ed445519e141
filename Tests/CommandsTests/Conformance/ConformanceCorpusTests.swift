import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Every case of the package's corpus passes on every machine.
@Suite struct ConformanceCorpusTests {
  @Test(arguments: [[], ["--reference"], ["--resized"], ["--traced"]])
  func everyCasePasses(options: [String]) throws {
    let run = try ProgramRun(ofProcess: ["verify", ConformanceCorpus.path, "--json"] + options)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["failures"] == [])
    // Cases that are not found cannot fail: their number is checked.
    #expect(report["passed"] == 3690)
    #expect(report["operators"]?.array?.count == 180)
    #expect(run.code == 0)
  }

  /// LiteRT's default delegate on each processor, computed on this one: with AVX2 a case for each
  /// operator and type, and of the others those that are not as with AVX2.
  @Test(arguments: [
    (ConformanceCorpus.pathOfLiteRT, "avx2", 173),
    (ConformanceCorpus.pathOfLiteRTWithAVX512, "avx512", 24),
    (ConformanceCorpus.pathOfLiteRTOnArm, "neon", 56),
  ])
  func everyCaseOfLiteRTPasses(corpus: String, processor: String, count: Int) throws {
    let run = try ProgramRun(
      ofProcess: ["verify", corpus, "--numerics", "litert-2.3/\(processor)", "--json"])
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["failures"] == [])
    #expect(report["passed"] == .integer(count))
    #expect(run.code == 0)
  }

  @Test func noToleranceIsAsLargeAsItsResults() throws {
    for entry in try CaseFinder(groups: []).cases(in: [ConformanceCorpus.path]) {
      let loose = try ConformanceCase(path: entry.path, in: entry.files).looseOutputs
      #expect(loose.isEmpty, "\(entry.label): \(loose)")
    }
  }

  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func noToleranceOfGoldenResultsIsAsLargeAsThey() throws {
    for path in SharedFiles.paths(in: "zoo/golden", withExtension: "json") {
      #expect(try ConformanceCase(path: path).looseOutputs.isEmpty, "\(path)")
    }
  }

  /// Results of 1, 2, 1e-3 and the largest finite number, to which clamps turn infinity.
  @Test(arguments: [(0.1, false), (0.3, true), (1e33, true)])
  func looseTolerancesAreFound(absolute: Double, isLoose: Bool) throws {
    let folder = try TemporaryDirectory()
    let numbers: [Float] = [1, 2, 1e-3, .greatestFiniteMagnitude]
    try FileSystem.write(numbers.withUnsafeBytes { Array($0) }, to: folder.path + "/one.bin")
    let description = """
      {"invocations": 1, "inputs": [], "expect": "ok",
       "outputs": [{"index": 0, "dtype": "float32", "shape": [4], "offset": 0, "bytes": 16,
                    "tolerance": {"kind": "close", "atol": \(absolute), "rtol": 1}}],
       "tolerance": {"kind": "exact"}}
      """
    try FileSystem.write(Array(description.utf8), to: folder.path + "/one.json")
    #expect(
      try ConformanceCase(path: folder.path + "/one.json").looseOutputs == (isLoose ? [0] : []))
  }

  @Test func everyOperatorHasCases() throws {
    let groups = Set(try CaseFinder(groups: []).cases(in: [ConformanceCorpus.path]).map(\.group))
    let missing = allOperators.map(\.name).filter { !groups.contains($0.replacing(".", with: "_")) }
    // The official runtime has no kernels for MediaPipe's operators, and thus no expected results.
    #expect(
      missing == [
        "Convolution2DTransposeBias", "Landmarks2TransformMatrix", "MaxPoolingWithArgmax2D",
        "MaxUnpooling2D", "TransformLandmarks", "TransformTensorBilinear",
      ])
  }
}

extension ConformanceCase {
  /// The outputs whose absolute tolerance exceeds a tenth of their largest magnitude.
  ///
  /// Such a tolerance would accept wrong results. Infinities, and the largest finite numbers to
  /// which clamps turn them, are ignored.
  fileprivate var looseOutputs: [Int] {
    invocations.flatMap(\.outputs).filter { output in
      guard case .close(let absolute, _) = tolerance(of: output),
        let format = NumberFormat(rawValue: output.type), format.isFloating
      else { return false }
      let magnitudes = values[output.range].prefix(output.definedByteCount).withUnsafeBytes {
        bytes in
        stride(from: 0, to: bytes.count, by: format.size).map {
          abs(format.number(in: bytes, at: $0))
        }
      }
      let limit = Double(Float.greatestFiniteMagnitude)
      guard let largest = magnitudes.filter({ $0 < limit }).max() else { return false }
      // Zeros have no scale to which a tolerance could be compared.
      return absolute > (largest == 0 ? 1e-4 : largest / 10)
    }
    .map(\.index)
  }
}
