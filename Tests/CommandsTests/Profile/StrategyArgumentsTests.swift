import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The names of strategies, as `--strategy`, `kernel list` and `kernel bench` use them.
@Suite struct StrategyArgumentsTests {
  private static let depthwise = [
    "kernel", "bench", "DEPTHWISE_CONV_2D", "--shape", "1x12x12x40,1x3x3x40", "--json",
  ]

  @Test func everyStrategyThatAcceptsANodeIsTimed() throws {
    let run = ProgramRun(Self.depthwise)
    #expect(run.code == 0, "\(run.errors)")
    let result = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let ways = try #require(result["nodes"]?.array?.first?.object?["implementations"]?.array)
      .compactMap(\.object)
    let kernels = try #require(KernelTable.available.first)
    let mine = ways.filter { $0["name"]?.string?.split(separator: ",").first ?? "" == kernels.name }
      .filter { $0["strategy"]?.string != nil }
    let names = Set(mine.compactMap { $0["strategy"]?.string })
    let accepting = Set(
      kernels.floatDepthwise.strategies.map(\.name).filter { name in
        // Forty channels fill vectors of four and eight lanes, but not of sixteen.
        !name.hasPrefix("runs") || kernels.name == "avx512"
      })
    #expect(names == accepting)
    for way in mine {
      #expect(way["is_wrong"] == false && way["family"] == "depthwise-float32")
      #expect(way["expected_ms"]?.number ?? 0 > 0)
      #expect(way["work"]?.array?.count == 5)
    }
    #expect(
      mine.filter { $0["is_chosen"] == true && $0["name"]?.string == kernels.name }.count == 1)
  }

  /// `--assert` names its percentage in an error summary, and rejects a negative one.
  @Test func choicesCanBeAsserted() {
    let run = ProgramRun(Self.depthwise + ["--assert", "10000"])
    #expect(run.code == 0)
    #expect(run.errors.contains("choices take over 10000 % longer"))
    let wrong = ProgramRun(Self.depthwise + ["--assert", "-1"])
    #expect(wrong.code == 2)
  }

  @Test func familiesAreListed() throws {
    let text = ProgramRun("kernel", "list").output
    let json = try #require(
      try JSONParser.parse(Array(ProgramRun("kernel", "list", "--json").output.utf8)).object)
    let families = try #require(json["families"]?.array).compactMap(\.object)
    for kernels in KernelTable.available {
      for family in kernels.families {
        #expect(text.contains(family.strategies.joined(separator: ", ")))
        #expect(
          families.contains {
            $0["instruction_set"]?.string == kernels.name && $0["family"]?.string == family.name
              && $0["strategies"]?.array?.count == family.strategies.count
          })
      }
    }
  }

  @Test(arguments: [
    ("depthwise-float32", "wants FAMILY=NAME"),
    (
      "depthwise-float23=runs",
      "no family of kernels 'depthwise-float23'; did you mean 'depthwise-float32'?"
    ),
    ("depthwise-float32=rums", "has no strategy 'rums'; did you mean 'runs'?"),
    ("depthwise-float32=", "has no strategy ''"),
    ("=", "no family of kernels ''"),
  ])
  func wrongNamesAreErrors(text: String, problem: String) {
    let run = ProgramRun("bench", CommandSamples.labeler, "--strategy", text)
    #expect(run.code == 2)
    #expect(run.errors.contains(problem), "\(run.errors)")
  }

  /// A strategy that no node of the quantized labeler accepts is an error that gives the reason.
  @Test func whatAcceptsNothingIsAnError() {
    for (strategy, problem) in [
      ("depthwise-float32=four-windows", "no node of the model is computed by depthwise-float32"),
      ("depthwise-int8=single-window", "there is more than one window, or padding"),
    ] {
      let run = ProgramRun(
        "bench", CommandSamples.labeler, "--runs", "1", "--warmup", "0", "--strategy", strategy)
      #expect(run.code == 1)
      #expect(run.errors.contains(problem), "\(run.errors)")
    }
    let run = ProgramRun(
      "bench", CommandSamples.labeler, "--runs", "1", "--warmup", "0", "--strategy",
      "depthwise-int8=interleaved-rows")
    #expect(run.code == 0, "\(run.errors)")
  }
}
