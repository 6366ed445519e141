import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

/// What XNNPACK computes for floats on each of its processors, as the page "LiteRT's default
/// numerics" describes it.
@Suite struct LiteRTProcessorTests {
  private static func run(
    _ name: String, on input: [Float], shape: [Int], axes: [Int32]? = nil, to outputShape: [Int],
    _ processor: Interpreter.LiteRTProcessor, _ options: ModelWriter.Options? = nil
  ) throws -> [Float] {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: name) ?? BuiltinOperator.custom, version: 1)
    var operands: [ModelWriter.Tensor] = [.init("x", .float32, shape)]
    if let axes {
      operands.append(.init("axes", .int32, [axes.count], constant: [UInt8](bytesOf: axes)))
    }
    let file = ModelWriter.singleOperator(
      code, reading: operands, writing: [.init("y", .float32, outputShape)], options: options)
    let interpreter = try Interpreter(
      Model(bytes: file.bytes()), options: .init(numerics: .litert(processor)))
    try interpreter.setInput(at: 0, to: input)
    try interpreter.run()
    return try interpreter.output(at: 0)
  }

  private static func map(
    _ name: String, _ input: [Float], _ processor: Interpreter.LiteRTProcessor = .avx2
  ) throws -> [Float] {
    try run(name, on: input, shape: [1, input.count], to: [1, input.count], processor)
  }

  /// Adds as many rows of lanes as there are sums, and then the lanes in halves.
  private static func sum(_ row: [Float], sums: Int, lanes: Int) -> Float {
    var all = Array(repeating: Array(repeating: Float(0), count: lanes), count: sums)
    var index = 0
    while row.count - index >= sums * lanes {
      for sum in 0..<sums {
        for lane in 0..<lanes { all[sum][lane] += row[index + sum * lanes + lane] }
      }
      index += sums * lanes
    }
    var next = 0
    while row.count - index >= lanes {
      for lane in 0..<lanes { all[next][lane] += row[index + lane] }
      (index, next) = (index + lanes, next + 1)
    }
    while all.count > 1 {
      let half = all.count / 2
      all = (0..<half).map { first in zip(all[first], all[first + half]).map { $0 + $1 } }
    }
    var last = all[0]
    for lane in 0..<row.count - index { last[lane] += row[index + lane] }
    while last.count > 1 {
      let half = last.count / 2
      last = (0..<half).map { last[$0] + last[$0 + half] }
    }
    return last[0]
  }

  @Test(arguments: [(Interpreter.LiteRTProcessor.avx2, 4, 8), (.avx512, 2, 16)])
  func meansAreSumsOfVectors(
    processor: Interpreter.LiteRTProcessor, sums: Int, lanes: Int
  ) throws {
    var random = SeededGenerator(seed: 11)
    for count in [1, 7, 16, 31, 77, 128, 203] {
      let row = random.floats(count)
      let mean = try Self.run(
        "MEAN", on: row, shape: [1, count], axes: [1], to: [1], processor)
      #expect(mean == [Self.sum(row, sums: sums, lanes: lanes) * (1 / Float(count))], "\(count)")
    }
  }

  @Test func zerosAreNegatedWithoutASign() throws {
    let negated = try Self.map("NEG", [0, -0, 1.5])
    #expect(negated.map(\.bitPattern) == [Float(0), 0, -1.5].map(\.bitPattern))
  }

  /// Infinities stay where the reference kernels clamp them.
  @Test func infinitiesStay() throws {
    let scale: [Float] = [3e38]
    let model = try Model(
      bytes: ModelWriter.singleOperator(
        OperatorCodeRecord(
          builtinCode: BuiltinOperator.code(named: "MUL") ?? BuiltinOperator.custom, version: 1),
        reading: [
          .init("x", .float32, [1, 2]),
          .init("scale", .float32, [1], constant: [UInt8](bytesOf: scale)),
        ], writing: [.init("y", .float32, [1, 2])], options: nil
      ).bytes())
    for (numerics, largest) in [
      (Interpreter.Numerics.litert(.avx2), Float.infinity), (.exact, .greatestFiniteMagnitude),
    ] {
      let interpreter = try Interpreter(model, options: .init(numerics: numerics))
      try interpreter.setInput(at: 0, to: [Float(10), -10])
      try interpreter.run()
      #expect(try interpreter.output(at: 0) == [largest, -largest])
    }
  }

  /// Subnormal operands and results are zero on all threads, and only while XNNPACK's nodes run.
  @Test func subnormalsAreZero() throws {
    let count = 1 << 18
    let tiny = Array(repeating: Float.leastNonzeroMagnitude * 64, count: count)
    #expect(try Self.map("SIN", tiny).allSatisfy { $0 == 0 })
    #expect(try Self.map("SIGN", [tiny[0]]) == [1])
    // Of this thread, too.
    #expect(tiny[0] * Float(count) > 0)
  }

  /// The reference values are those of LiteRT 2.3.0 on an AMD processor.
  @Test func rootsBeginWithAnEstimate() throws {
    let numbers: [Float] = [2, 3, 10, 0.1, 1e-30, 12345.678]
    for (root, number) in zip(try Self.map("SQRT", numbers), numbers) {
      #expect(abs(root - number.squareRoot()) <= 2 * root.ulp)
    }
    for (root, number) in zip(try Self.map("RSQRT", numbers), numbers) {
      #expect(abs(root - 1 / number.squareRoot()) <= 3 * root.ulp)
    }
  }

  /// The results of Intel's instructions RSQRTPS and VRSQRT14PS, followed by XNNPACK's step, on a
  /// processor.
  @Test(arguments: [
    (
      Interpreter.LiteRTProcessor.avx2Intel,
      [
        0x3FB5_04F2, 0x3FDD_B3D7, 0x404A_62C0, 0x3EA1_E89B, 0x2690_1D7D, 0x42DE_38E3, 0x3F7F_FFFE,
        0x3EFF_FFFE,
      ],
      [
        0x3F35_04F2, 0x3F13_CD3A, 0x3EA1_E89A, 0x404A_62C2, 0x5863_5FA9, 0x3C13_74BD, 0x3F7F_FFFE,
        0x3FFF_FFFE,
      ]
    ),
    (
      .avx512,
      [
        0x3FB5_04F3, 0x3FDD_B3D7, 0x404A_62C2, 0x3EA1_E89B, 0x2690_1D7D, 0x42DE_38E3, 0x3F80_0000,
        0x3F00_0000,
      ],
      [
        0x3F35_04F3, 0x3F13_CD3A, 0x3EA1_E89B, 0x404A_62C2, 0x5863_5FA9, 0x3C13_74BD, 0x3F80_0000,
        0x4000_0000,
      ]
    ),
  ])
  func rootsBeginWithIntelsEstimate(
    processor: Interpreter.LiteRTProcessor, roots: [UInt32], reciprocals: [UInt32]
  ) throws {
    let numbers: [Float] = [2, 3, 10, 0.1, 1e-30, 12345.678, 1, 0.25]
    #expect(try Self.map("SQRT", numbers, processor).map(\.bitPattern) == roots)
    #expect(try Self.map("RSQRT", numbers, processor).map(\.bitPattern) == reciprocals)
  }

  /// Each approximation is near the function; that it has LiteRT's bits is what the corpus shows.
  @Test(arguments: Interpreter.LiteRTProcessor.allCases)
  func approximationsAreNear(processor: Interpreter.LiteRTProcessor) throws {
    let numbers = (-400...400).map { Float($0) / 50 }
    let functions: [(String, (Double) -> Double)] = [
      ("EXP", { OcellusPlatform.exp($0) }), ("SIN", { OcellusPlatform.sin($0) }),
      ("COS", { OcellusPlatform.cos($0) }),
      ("LOGISTIC", { 1 / (1 + OcellusPlatform.exp(-$0)) }),
      ("ELU", { $0 < 0 ? OcellusPlatform.exp($0) - 1 : $0 }),
    ]
    for (name, truth) in functions {
      for (result, number) in zip(try Self.map(name, numbers, processor), numbers) {
        let want = truth(Double(number))
        #expect(abs(Double(result) - want) <= 6e-7 * max(abs(want), 1), "\(name) \(number)")
      }
    }
    let positive = (1...400).map { Float($0) / 50 }
    for (result, number) in zip(try Self.map("LOG", positive, processor), positive) {
      #expect(abs(Double(result) - OcellusPlatform.log(Double(number))) <= 3e-7)
    }
  }
}
