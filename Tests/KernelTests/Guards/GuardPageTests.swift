import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import Testing

/// Kernels access their operands and nothing else: see the contract in Sources/Kernels/README.md.
///
/// Each problem runs twice: every operand and result ends right before a guard page, and then
/// begins right after one. The bytes beside them and the initial scratch memory differ between both
/// runs; the results must not.
///
/// `OCELLUS_FULL_TESTS=1` draws forty times as many problems.
@Suite struct GuardPageTests {
  private static let isFull = getenv("OCELLUS_FULL_TESTS") != nil

  private static func count(_ entry: GuardedEntry) -> UInt64 {
    UInt64(isFull ? 10 * entry.problems : max(entry.problems / 4, 12))
  }

  @Test(arguments: GuardedEntry.all, tables.indices)
  func staysInside(entry: GuardedEntry, table: Int) {
    for seed in 0..<Self.count(entry) {
      if let fault = fault(of: entry, tables[table], seed: seed) {
        Issue.record("\(fault)")
        return
      }
    }
  }

  /// Planted overruns of one byte are found with as many problems as `staysInside` draws.
  @Test(arguments: PlantedOverrun.all)
  func plantedOverrunsAreFound(overrun: PlantedOverrun) throws {
    let entry = try #require(GuardedEntry.all.first { $0.description == overrun.entry })
    for table in tables {
      var faulty = table
      overrun.plant(&faulty)
      let isFound = (0..<Self.count(entry)).contains { seed in
        fault(of: entry, faulty, seed: seed) != nil
      }
      #expect(isFound, "\(table.name)")
    }
  }

  /// Returns a description of what fails when a problem runs in both placements.
  private func fault(of entry: GuardedEntry, _ table: KernelTable, seed: UInt64) -> String? {
    var results: [[[UInt8]]] = []
    for placement in GuardPlacement.allCases {
      let operands = GuardedOperands(seed: seed, placement: placement)
      entry.run(table, operands)
      results.append(operands.resultBytes())
      let overruns = operands.overruns()
      let problem =
        "\(entry) of \(table.name), seed \(seed) [\(operands.problem.joined(separator: ", "))]"
      if !overruns.isEmpty {
        return "\(overruns.joined(separator: "; ")) \(placement): \(problem)"
      }
      if results[0] != results[results.count - 1] {
        return "the results depend on what nobody gave it: \(problem)"
      }
    }
    return nil
  }

  /// Returns the paths of all functions among the members of a table.
  private func functions(of value: Any, path: String = "") -> [String] {
    Mirror(reflecting: value).children.flatMap { child -> [String] in
      // `refusal` and `work` touch no memory, and all strategies of a family share one path.
      let label = child.label ?? "some"
      if ["refusal", "work"].contains(label) { return [] }
      if label == "some" { return functions(named: path, child.value) }
      return functions(named: path.isEmpty ? label : "\(path).\(label)", child.value)
    }
  }

  private func functions(named path: String, _ value: Any) -> [String] {
    let isFunction =
      "\(type(of: value))".contains("->") && Mirror(reflecting: value).children.isEmpty
    return isFunction ? [path] : functions(of: value, path: path)
  }

  @Test func everyKernelHasAnEntry() {
    let present = Set(tables.flatMap { functions(of: $0) })
    let listed = Set(GuardedEntry.all.flatMap(\.members))
    #expect(present.count > 100, "functions are found in tables")
    #expect(present.subtracting(listed) == [], "these need an entry in GuardedEntry.all")
    // Members that no table of this machine has are optional.
    let optional = listed.subtracting(present)
    #expect(
      optional.allSatisfy {
        $0.hasPrefix("floatWinograd.")
      })
  }

  /// A byte read in a guard page is noticed, and so is a byte written there or into the margin.
  @Test(arguments: GuardPlacement.allCases, [1, 64, 4095, 4096, 5000])
  func overrunsAreNoticed(placement: GuardPlacement, byteCount: Int) {
    for (offset, isNoticedWhenRead) in [
      (-1, placement == .beginning || byteCount == 4096),
      (byteCount, placement == .ending || byteCount == 4096),
    ] {
      let read = GuardedMemory<UInt8>(count: byteCount, filledWith: 1, placement: placement)
      readByte(read.start, at: offset)
      #expect((read.check() != nil) == isNoticedWhenRead)
      let written = GuardedMemory<UInt8>(count: byteCount, filledWith: 1, placement: placement)
      UnsafeMutableRawPointer(written.start).storeBytes(of: 3, toByteOffset: offset, as: UInt8.self)
      #expect(written.check() != nil)
    }
    let untouched = GuardedMemory<UInt8>(count: byteCount, filledWith: 1, placement: placement)
    #expect(untouched.check() == nil)
  }
}
