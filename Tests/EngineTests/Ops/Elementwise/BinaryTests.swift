import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct BinaryTests {
  // MARK: Arithmetic

  @Test func integersWrap() throws {
    let options = ModelWriter.Options(tag: BuiltinOptionsTag.add)
    let (_, sums) = try run(
      "ADD", [.init([2], [Int32.max, .min]), .init([2], [1, -1] as [Int32])], options: options,
      as: Int32.self)
    #expect(sums == [.min, .max])
  }

  @Test func infinitiesBecomeFiniteWithoutAnActivation() throws {
    let (_, products) = try run(
      "MUL", [.init([2], [Float.infinity, 1e38]), .init([], [-10] as [Float])], as: Float.self)
    #expect(products == [-.greatestFiniteMagnitude, -.greatestFiniteMagnitude])
  }

  /// 0.5·(20−10) + 0.25·(8−0) = 7, which is 14 in steps of 0.5, and 11 with the zero point of -3.
  @Test func quantizedSumsRescale() throws {
    let (_, sums) = try run(
      "ADD",
      [
        .init([1], [20] as [Int8], scale: 0.5, zeroPoint: 10),
        .init([1], [8] as [Int8], scale: 0.25),
      ], version: 2, scale: 0.5, zeroPoint: -3, as: Int8.self)
    #expect(sums == [11])
  }

  @Test func resultsTakeTheTypeOfTheirOperands() throws {
    let code = OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: "SUB") ?? -1)
    let model = ModelWriter.singleOperator(
      code, reading: [.init("a", .int32, [1]), .init("b", .int32, [1])],
      writing: [.init("y", .float32, [1])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    #expect(interpreter.outputs[0].type == .int32)
  }

  /// An operator with a constant scalar runs as a table lookup, which must match its arithmetic.
  @Test(arguments: ["ADD", "SUB", "MUL", "PRELU"])
  func aConstantElementChangesNothing(name: String) throws {
    let numbers = (0..<300).map { Int8(truncatingIfNeeded: $0 &* 37) }
    for constantIsFirst in name == "PRELU" ? [false] : [false, true] {
      let results = try [true, false].map { isConstant in
        let array = TestTensor([1, 300], numbers, scale: 0.5, zeroPoint: 10)
        let element = TestTensor(
          [1], [-77] as [Int8], scale: 0.25, zeroPoint: 3, isConstant: isConstant)
        return try run(
          name, constantIsFirst ? [element, array] : [array, element],
          version: name == "PRELU" ? 1 : 2,
          scale: 0.75, zeroPoint: -3, as: Int8.self
        ).values
      }
      #expect(Set(results[0]).count > 20)
      #expect(results[0] == results[1], "constant \(constantIsFirst ? "first" : "second")")
    }
  }

  // MARK: Division

  @Test func quotientsRoundDownAndRemaindersFollowTheDivisor() throws {
    let operands = [
      TestTensor([4], [7, -7, 7, -7] as [Int32]), TestTensor([4], [2, 2, -2, -2] as [Int32]),
    ]
    #expect(try run("FLOOR_DIV", operands, as: Int32.self).values == [3, -4, -4, 3])
    #expect(try run("FLOOR_MOD", operands, as: Int32.self).values == [1, 1, -1, -1])
  }

  @Test func theLowestIntegerOverMinusOneDoesNotTrap() throws {
    let operands = [TestTensor([1], [Int32.min]), TestTensor([1], [-1] as [Int32])]
    #expect(try run("DIV", operands, as: Int32.self).values == [.min])
    #expect(try run("FLOOR_DIV", operands, as: Int32.self).values == [.min])
    #expect(try run("FLOOR_MOD", operands, as: Int32.self).values == [0])
  }

  @Test(arguments: ["DIV", "FLOOR_DIV", "FLOOR_MOD"])
  func integerDivisionByZeroIsAnError(name: String) {
    let error = #expect(throws: ModelError.self) {
      try run(
        name, [.init([2], [1, 2] as [Int32]), .init([2], [1, 0] as [Int32])], as: Int32.self)
    }
    #expect(error?.kind == .invalidData)
  }

  // MARK: Others

  @Test func anExponentNearAWholeNumberCountsAsOneWhereItIsBroadcast() throws {
    let base = TestTensor([2], [2, 3] as [Float])
    let single = TestTensor([], [2.000005] as [Float])
    #expect(try run("POW", [base, single], as: Float.self).values == [4, 9])
    let each = TestTensor([2], [2.000005, 2.000005] as [Float])
    #expect(try run("POW", [base, each], as: Float.self).values[1] > 9)
  }

  /// A result that does not fit becomes the lowest integer, as in x86's conversion of doubles;
  /// other powers are checked against repeated multiplication.
  @Test func powersOfIntegers() throws {
    var bases: [Int32] = [.min, .max, .min]
    var exponents: [Int32] = [1, 1, 2]
    for base in -20...20 as ClosedRange<Int32> {
      bases += [Int32](repeating: base, count: 40)
      exponents += 0..<40
    }
    let shape = [bases.count]
    let got = try run("POW", [.init(shape, bases), .init(shape, exponents)], as: Int32.self).values
    let want = zip(bases, exponents).map { base, exponent in
      let power = (0..<exponent).reduce(1.0) { power, _ in power * Double(base) }
      return Int32(exactly: power) ?? .min
    }
    #expect(got == want)
  }

  @Test func shiftsAreLimitedToTheWord() throws {
    let (_, shifted) = try run(
      "RIGHT_SHIFT", [.init([3], [-128, 64, 64] as [Int8]), .init([3], [99, -1, 3] as [Int8])],
      as: Int8.self)
    #expect(shifted == [-1, 64, 8])
  }

  @Test func shapesThatCannotBeBroadcastAreNamed() {
    let error = #expect(throws: ModelError.self) {
      try run(
        "MAXIMUM", [.init([2], [1, 2] as [Float]), .init([3], [1, 2, 3] as [Float])],
        as: Float.self)
    }
    #expect(error?.kind == .mismatch)
    #expect(error?.message.contains("[3]") == true)
  }
}
