import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusProfile
import OcellusTestSupport
import Testing

@Suite struct MachineLimitsTests {
  /// Limits are plausible: GEMMs exceed a billion multiply-adds a second, and caches exceed memory.
  @Test func limitsAreInOrder() throws {
    let limits = try #require(
      MachineLimits(instructionSet: KernelTable.available[0].name, threads: 1))
    #expect(limits.gigaFloatMultiplyAdds > 1)
    #expect(limits.gigaByteMultiplyAdds > limits.gigaFloatMultiplyAdds / 2)
    #expect(limits.levels.last?.name == "memory")
    let (near, far) = (limits.levels[0], limits.levels[limits.levels.count - 1])
    #expect(near.gigabytesPerSecond > far.gigabytesPerSecond)
    #expect(MachineLimits.instructionSets == KernelTable.available.map(\.name))
  }

  /// A GEMM with few bytes per multiply-add is bound by arithmetic.
  ///
  /// Benchmarks measure how near kernels come to the limit: beside other work, both are slow.
  @Test func productsInCacheAreBoundByArithmetic() throws {
    let bytes = ProfiledModels.product(rows: 96, depth: 512, columns: 64)
    let interpreter = try Interpreter(Model(bytes: bytes))
    try interpreter.fillInputs()
    let profile = try Profile(of: interpreter, options: .init(runs: 20))
    let step = try #require(profile.steps.first)
    let limits = try #require(profile.limits)
    let bound = try #require(limits.bound(on: step))
    #expect(bound.name == "float products")
    let want = Double(step.multiplyAdds) / limits.gigaFloatMultiplyAdds / 1e6
    #expect(abs(bound.milliseconds - want) < 1e-9)
  }

  /// A Winograd kernel has a lower bound on its time, because it multiplies less.
  @Test func fewerProductsAreBoundByThose() throws {
    let limits = try #require(
      MachineLimits(instructionSet: KernelTable.available[0].name, threads: 1))
    for types in [[.int8, .int8, .int32], [.float32, .float32, .float32]] as [[ElementType]] {
      let times = ["gemm", "gemm · winograd"].map { kernel in
        limits.minimumMilliseconds(
          multiplyAdds: 1 << 30,
          arithmetic: ProfiledStep.Arithmetic(operands: types, kernel: kernel), byteCount: 0)
      }
      let plain = try #require(times[0])
      let winograd = try #require(times[1])
      #expect(abs(winograd * 36 / 16 / plain - 1) < 1e-9)
    }
  }

  @Test func boundsAreTheLongerOfProductsAndBytes() throws {
    let interpreter = try Interpreter(
      Model(bytes: ProfiledModels.product(rows: 1, depth: 4096, columns: 1024)))
    try interpreter.fillInputs()
    let profile = try Profile(of: interpreter, options: .init(runs: 2))
    let step = try #require(profile.steps.first)
    let limits = try #require(profile.limits)
    let bound = try #require(limits.bound(on: step))
    // A vector times 16 MiB of weights is bound by memory bandwidth.
    let level = try #require(limits.levels.first { $0.byteCount >= step.byteCount })
    #expect(bound.name == level.name)
    let want = Double(step.byteCount) / level.gigabytesPerSecond / 1e6
    #expect(abs(bound.milliseconds - want) < 1e-9)
  }

  @Test func cachesAreReadAsTheSystemDescribesThem() throws {
    let folder = try TemporaryDirectory()
    let caches = [
      ("1", "Data", "32K"), ("1", "Instruction", "64K"), ("2", "Unified", "1M"),
      ("3", "Unified", "nonsense"), ("3", "Unified", "32M"),
    ]
    for (index, (level, kind, size)) in caches.enumerated() {
      let path = "\(folder.path)/index\(index)"
      try FileSystem.createDirectory(path)
      for (file, text) in [("level", level), ("type", kind), ("size", size)] {
        try FileSystem.write(Array("\(text)\n".utf8), to: "\(path)/\(file)")
      }
    }
    let found = MemoryLevel.described(in: folder.path)
    #expect(found.map(\.name) == ["L1", "L2", "L3"])
    let (kibibyte, mebibyte) = (1 << 10, 1 << 20)
    #expect(found.map(\.byteCount) == [32 * kibibyte, mebibyte, 32 * mebibyte])
    let levels = MemoryLevel.levels(found, threadCount: 2)
    // Two cores have two of the private caches and share the last one.
    #expect(levels.map(\.capacity) == [64 * kibibyte, 2 * mebibyte, 32 * mebibyte, .max])
    // The bytes read to measure a shared cache exceed the private caches and are well below its
    // size.
    #expect(
      levels.map(\.measuredByteCount)
        == [32 * kibibyte, mebibyte, 8 * mebibyte, 128 * mebibyte])
    #expect(MemoryLevel.described(in: "\(folder.path)/nothing").isEmpty)
  }
}
