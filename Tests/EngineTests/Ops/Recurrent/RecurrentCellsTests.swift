import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

/// The kernels of recurrent layers, checked against scalar fixed-point and double-precision math.
@Suite struct RecurrentCellsTests {
  private static let identity = FixedPointFactor(fraction: 1 << 30, exponent: 1)
  private static let everyNumber = (Int32(Int16.min)...Int32(Int16.max)).map { $0 }

  /// The state and output of one cell after a step, computed from its gates' sums.
  private struct Cell {
    var state: Int16
    var output: Int8

    init(gates: [Int32], state: Int32, _ scales: IntegerLSTMScales) {
      func number(_ gate: Int) -> FixedPoint<Int16> {
        FixedPoint(raw: Int16(gates[gate]), integerBits: 3)
      }
      let forget = number(1).logistic.raw
      let intake = scales.hasInputGate ? number(0).logistic.raw : .max - forget
      let kept = roundingShiftRight(Int32(forget) * state, by: 15)
      let taken = roundingShiftRight(
        Int32(intake) * Int32(number(2).tanh.raw), by: 15 + scales.stateIntegerBits)
      let sum = Int16(clamping: kept + taken)
      self.state = Int16(
        clamping: min(max(Int32(sum), -scales.stateLimit), scales.stateLimit))
      let activated = FixedPoint(raw: self.state, integerBits: scales.stateIntegerBits).tanh
      let scaled = FixedPointMultiplier(
        fraction: scales.output.fraction, exponent: Int(scales.output.exponent)
      ).scale(Int32(number(3).logistic.raw) * Int32(activated.raw))
      output = Int8(clamping: scaled + scales.outputZeroPoint)
    }
  }

  @Test(arguments: 0...4)
  func stepsOfIntegerLSTMs(stateIntegerBits: Int) {
    let hasInputGate = stateIntegerBits != 3
    let scales = IntegerLSTMScales(
      input: (Self.identity, Self.identity, Self.identity, Self.identity),
      state: (Self.identity, Self.identity, Self.identity, Self.identity),
      hasInputGate: hasInputGate, stateIntegerBits: stateIntegerBits,
      stateLimit: hasInputGate ? 1 << 15 : 20_000,
      output: FixedPointFactor(fraction: 1_518_500_250, exponent: -21), outputZeroPoint: -3)
    var random = SeededGenerator(seed: UInt64(stateIntegerBits))
    // Every number enters every gate, and every state occurs.
    let gates = (0..<4).map { _ in Self.everyNumber.shuffled(using: &random) }
    let states = Self.everyNumber.shuffled(using: &random)
    let count = states.count
    let expected = (0..<count).map { cell in
      Cell(gates: gates.map { $0[cell] }, state: states[cell], scales)
    }
    // Half of every sum comes from the state; sums beyond 16 bits saturate.
    let inputSums = gates.flatMap { $0.map { $0 == 32767 ? 40_000 : $0 / 2 } }
    let stateSums = gates.flatMap { $0.map { $0 == 32767 ? 7 : $0 - $0 / 2 } }
    for table in KernelTable.available {
      var (after, output) = (states, [Int8](repeating: 0, count: count))
      withUnsafePointer(to: scales) { scales in
        table.recurrentCells.integerLSTM(
          IntegerLSTMArguments(
            scales: scales, inputSums: inputSums, stateSums: stateSums, states: &after,
            output: &output, stride: count))
      }
      #expect(after == expected.map { Int32($0.state) }, "states on \(table.name)")
      #expect(output == expected.map(\.output), "outputs on \(table.name)")
    }
  }

  @Test(arguments: [true, false])
  func stepsOfFloatLSTMs(hasInputGate: Bool) {
    let stride = 48
    var random = SeededGenerator(seed: 7)
    func numbers(_ count: Int) -> [Float] {
      (0..<count).map { _ in .random(in: -12...12, using: &random) }
    }
    let (inputSums, stateSums) = (numbers(4 * stride), numbers(4 * stride))
    let states = numbers(stride)
    let limit: Float = 9
    var expected: [(state: Double, output: Double)] = []
    for cell in 0..<stride {
      func gate(_ gate: Int) -> Double {
        Double(inputSums[gate * stride + cell]) + Double(stateSums[gate * stride + cell])
      }
      func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
      let forget = logistic(gate(1))
      let intake = hasInputGate ? logistic(gate(0)) : 1 - forget
      let sum = forget * Double(states[cell]) + intake * tanh(gate(2))
      let state = min(max(sum, -Double(limit)), Double(limit))
      expected.append((state, logistic(gate(3)) * tanh(state)))
    }
    var bits: [Float]?
    for table in KernelTable.available {
      var (after, output) = (states, [Float](repeating: .nan, count: stride))
      table.recurrentCells.floatLSTM(
        FloatLSTMArguments(
          inputSums: inputSums, stateSums: stateSums, hasInputGate: hasInputGate,
          stateLimit: limit, states: &after, output: &output, stride: stride))
      for cell in 0..<stride {
        #expect(abs(Double(after[cell]) - expected[cell].state) < 1e-5, "state on \(table.name)")
        #expect(
          abs(Double(output[cell]) - expected[cell].output) < 1e-6, "output on \(table.name)")
      }
      guard table.name != "baseline" else { continue }
      #expect(bits == nil || bits == after + output, "\(table.name) differs in bits")
      bits = after + output
    }
  }

  @Test(arguments: [1, 2, 7, 8, 9, 16, 19], [1, 2, 3])
  func stepsOfIntegerFilters(memory: Int, rank: Int) {
    for units in [1, 4, 5, 16, 17, 33] {
      var random = SeededGenerator(seed: UInt64(memory * 100 + units))
      let filters = units * rank
      func numbers(_ count: Int, below limit: Int32) -> [Int32] {
        (0..<count).map { _ in .random(in: -limit..<limit, using: &random) }
      }
      let sums = numbers(filters, below: 1 << 20), bias = numbers(units, below: 1 << 16)
      let states = numbers(filters * memory, below: 1 << 15).map { Int16($0) }
      let weights = numbers(filters * memory, below: 1 << 10).map { Int16($0) }
      let feature = FixedPointMultiplier(fraction: 1_300_000_001, exponent: -4)
      let time = FixedPointMultiplier(fraction: 1_800_000_001, exponent: -16)
      var moved = states, outputs: [Int8] = []
      for filter in 0..<filters {
        moved.remove(at: filter * memory)
        let newest = Int16(clamping: feature.scale(sums[filter]))
        moved.insert(newest, at: filter * memory + memory - 1)
      }
      for unit in 0..<units {
        let part = unit * rank * memory..<(unit + 1) * rank * memory
        let sum = zip(moved[part], weights[part]).reduce(bias[unit]) {
          $0 &+ Int32($1.0) &* Int32($1.1)
        }
        outputs.append(Int8(clamping: time.scale(sum) - 7))
      }
      for table in KernelTable.available {
        let padding = table.recurrentCells.laneCount
        var sums = sums + Array(repeating: 0, count: padding)
        var result = [Int8](repeating: 0, count: units + padding)
        var after = states
        table.recurrentCells.integerFilters(
          IntegerFilterArguments(
            sums: &sums, states: &after, weights: weights, bias: bias, output: &result,
            filters: filters, memory: memory, rank: rank,
            featureFactor: FixedPointFactor(fraction: feature.fraction, exponent: -4),
            outputFactor: FixedPointFactor(fraction: time.fraction, exponent: -16),
            outputZeroPoint: -7))
        #expect(after == moved, "states, \(units) units on \(table.name)")
        #expect(Array(result.prefix(units)) == outputs, "\(units) units on \(table.name)")
      }
    }
  }
}
