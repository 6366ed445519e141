import OcellusModelFile
import OcellusVision
import Testing

/// Calibrations by the formula, worked out by hand: scale ÷ (1 + e^−(slope · x + offset)).
@Suite struct ScoreCalibrationTests {
  private func calibration(
    _ text: String, _ transformation: ProcessUnit.ScoreTransformation = .identity
  ) throws -> ScoreCalibration {
    try ScoreCalibration(
      parsing: text, name: "calibration.txt", transformation: transformation, defaultScore: 0.125)
  }

  @Test func aSigmoidForEachClass() throws {
    let curves = try calibration("1,0,0\n0.5,2,-1\n")
    #expect(curves.apply(to: 0.9, category: 0) == 0.5)
    #expect(curves.apply(to: 0.5, category: 1) == 0.25)
  }

  @Test func transformations() throws {
    // log(e⁻¹) = −1, and log(x) − log(1 − x) of 0.5 is 0.
    let logarithm = try calibration("1,1,1", .log)
    #expect(abs(logarithm.apply(to: 0.36787944, category: 0) - 0.5) < 1e-6)
    let inverse = try calibration("1,3,0", .inverseLogistic)
    #expect(abs(inverse.apply(to: 0.5, category: 0) - 0.5) < 1e-6)
  }

  @Test func classesWithoutACurveAndLowScoresGetTheDefault() throws {
    let curves = try calibration("1,0,0,0.3\n\n1,0,0")
    #expect(curves.apply(to: 0.2, category: 0) == 0.125)
    #expect(curves.apply(to: 0.4, category: 0) == 0.5)
    #expect(curves.apply(to: 0.9, category: 1) == 0.125)
    #expect(curves.apply(to: 0.9, category: 7) == 0.125)
    #expect(curves.apply(to: 0.9, category: -1) == 0.125)
  }

  @Test(arguments: ["1,2", "1,2,x", "-1,2,3", "1,2,3,4,5"])
  func brokenLinesAreNamed(text: String) {
    let error = #expect(throws: VisionError.self) { try calibration("1,0,0\n" + text) }
    #expect(error?.description.contains("line 2") == true)
  }
}
