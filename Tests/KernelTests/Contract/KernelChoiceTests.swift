import Foundation
import OcellusKernelABI
import OcellusPlatform
import Testing

@testable import OcellusKernelDispatch

@Suite struct KernelChoiceTests {
  /// The features of Zen 4.
  private let zen4Features: CPUFeatures = [
    .x86v2, .x86v3, .x86v4, .vnni, .vbmi, .sse4a, .sha256,
  ]
  private var everything: CPUFeatures {
    zen4Features.union([.avxVNNI, .amxInt8, .amxPermission, .amxBFloat16])
  }

  private func available(_ choice: KernelChoice) -> [String] {
    choice.candidates.filter(\.isAvailable).map(\.name)
  }

  /// A table for a newer processor is not created, because creating it may use its instructions.
  @Test func tablesHaveTheirNamesAndAreThereWhereTheyCanRun() {
    for candidate in KernelChoice.current.candidates {
      #expect((candidate.table != nil) == candidate.missing.isEmpty)
      #expect(candidate.table.map { $0.name == candidate.name } ?? true)
    }
    let old = KernelChoice(features: [], requested: nil)
    #expect(old.candidates.allSatisfy { ($0.table == nil) == !$0.needs.isEmpty })
  }

  #if arch(x86_64)
    @Test func everyFeatureOfATableIsNeeded() {
      let choices: [(CPUFeatures, [String])] = [
        (everything, ["amx", "avx512", "avxvnni", "avx2", "baseline"]),
        (zen4Features, ["avx512", "avx2", "baseline"]),
        ([.x86v2, .x86v3, .avxVNNI], ["avxvnni", "avx2", "baseline"]),
        ([.x86v2, .x86v3, .x86v4], ["avx2", "baseline"]),
        ([.x86v2, .x86v3], ["avx2", "baseline"]), ([.x86v2], ["baseline"]), ([], []),
      ]
      for (features, names) in choices {
        #expect(available(KernelChoice(features: features, requested: nil)) == names)
      }
    }

    @Test func aRequestNarrowsTheChoice() {
      let narrowed = KernelChoice(features: everything, requested: "avx2")
      #expect(available(narrowed) == ["avx2", "baseline"])
      #expect(narrowed.candidates[1].reason == "excluded by OCELLUS_ISA")
      #expect(narrowed.problem == nil)
      #expect(available(KernelChoice(features: everything, requested: "baseline")) == ["baseline"])
      #expect(available(KernelChoice(features: everything, requested: "")).count == 5)
    }

    /// Builds may leave out the least demanding kernels; a processor without the others is told so.
    @Test func theAbsenceOfAllKernelsIsExplained() {
      var choice = KernelChoice(features: [], requested: nil)
      #expect(choice.absence == "Ocellus needs a CPU with x86-64-v2")
      choice.candidates.removeAll { $0.name == "baseline" }
      #expect(
        choice.absence == """
          Ocellus needs a CPU with x86-64-v2, x86-64-v3; this build leaves out the kernels for \
          others (OCELLUS_INSTRUCTION_SETS)
          """)
      #expect(KernelChoice(features: [], requested: "sse9").absence.contains("sse9"))
    }

    @Test func anUnknownRequestIsAnError() {
      let choice = KernelChoice(features: everything, requested: "sse9")
      #expect(available(choice).isEmpty)
      #expect(
        choice.problem
          == "OCELLUS_ISA=sse9 is not known here (known: amx, avx512, avxvnni, avx2, baseline)")
    }

    @Test func aRequestTheCPULacksIsAnError() {
      let choice = KernelChoice(features: [.x86v2, .x86v3], requested: "avx512")
      #expect(available(choice).isEmpty)
      #expect(
        choice.problem
          == "OCELLUS_ISA=avx512 does not run on this CPU, which lacks x86-64-v4, avx512vnni")
      func reason(_ name: String) -> String? {
        choice.candidates.first { $0.name == name }?.reason
      }
      #expect(reason("avx512") == "this CPU lacks x86-64-v4, avx512vnni")
      #expect(reason("avxvnni") == "this CPU lacks avxvnni")
      #expect(reason("avx2") == "excluded by OCELLUS_ISA")
    }

    /// A container may forbid the matrix unit; the next best instruction set then runs.
    @Test func aRefusedPermissionIsNamed() {
      let choice = KernelChoice(
        features: everything.subtracting(.amxPermission), requested: nil)
      #expect(available(choice).first == "avx512")
      #expect(choice.candidates[0].reason == "the system does not let this process use AMX")
      let forced = KernelChoice(features: choice.features, requested: "amx")
      #expect(forced.problem == "OCELLUS_ISA=amx: the system does not let this process use AMX")
      let without = KernelChoice(features: zen4Features, requested: nil)
      #expect(without.candidates[0].reason == "this CPU lacks amx-int8")
    }

    /// Without kernels, all kernel tests would pass without testing anything.
    @Test func theseTestsHaveKernels() {
      #expect(KernelChoice.current.problem == nil)
      #expect(!KernelTable.available.isEmpty)
    }

    /// The bits of a Zen 4 processor, as `cpuid` gives them, with what the flags imply.
    private var zen4: CPUIdentification {
      var cpu = CPUIdentification()
      cpu.leaf1.ecx = 0x7EF8_320B | 1 << 28 | 1 << 29 | 1 << 27
      cpu.leaf7.ebx = 0xF1BF_97A9
      cpu.leaf7.ecx = 0x0040_5FCE
      cpu.extended1.ecx = 0x75C2_37FF
      cpu.enabledRegisters = 0b1110_0110
      return cpu
    }

    @Test func featuresNeedEveryBit() {
      #expect(CPUFeatures(zen4) == zen4Features)
      var cpu = zen4
      cpu.leaf7Subleaf1.eax = 1 << 4 | 1 << 5
      #expect(CPUFeatures(cpu) == zen4Features.union(.avxVNNI), "Zen 5")
      cpu.leaf7.edx = 1 << 24
      #expect(!CPUFeatures(cpu).contains(.amxInt8), "tiles without products of bytes")
      cpu.leaf7.edx = 1 << 24 | 1 << 25
      #expect(CPUFeatures(cpu).contains(.amxInt8) && !CPUFeatures(cpu).contains(.amxBFloat16))
      cpu.leaf7.edx |= 1 << 22
      #expect(CPUFeatures(cpu).contains(.amxBFloat16))
      cpu = zen4
      cpu.leaf7.ecx &= ~(1 << 11)
      #expect(CPUFeatures(cpu) == [.x86v2, .x86v3, .x86v4, .vbmi, .sse4a, .sha256])
      cpu.leaf7.ecx &= ~(1 << 1)
      #expect(CPUFeatures(cpu) == [.x86v2, .x86v3, .x86v4, .sse4a, .sha256])
      cpu.extended1.ecx &= ~(1 << 6)
      #expect(CPUFeatures(cpu) == [.x86v2, .x86v3, .x86v4, .sha256])
      cpu = zen4
      cpu.leaf7.ebx &= ~(1 << 31)
      #expect(CPUFeatures(cpu) == [.x86v2, .x86v3, .sha256], "AVX-512 VL is missing")
      cpu = zen4
      cpu.leaf1.ecx &= ~(1 << 12)
      #expect(CPUFeatures(cpu) == [.x86v2, .sha256], "FMA is missing")
      cpu = zen4
      cpu.leaf7.ebx &= ~(1 << 29)
      #expect(CPUFeatures(cpu) == zen4Features.subtracting(.sha256))
      #expect(CPUFeatures(CPUIdentification()) == [])
    }

    /// An operating system that does not use AVX-512 keeps the feature bits but disables the
    /// registers.
    @Test func registersMustBeSwitchedOn() {
      var cpu = zen4
      cpu.enabledRegisters = 0b0000_0110
      #expect(CPUFeatures(cpu) == [.x86v2, .x86v3, .sha256])
      cpu.enabledRegisters = 0b0000_0010
      #expect(CPUFeatures(cpu) == [.x86v2, .sha256])
      cpu = zen4
      cpu.leaf1.ecx &= ~(1 << 27)
      #expect(CPUFeatures(cpu) == [.x86v2, .sha256], "the processor does not say")
    }
  #endif

  /// The features are those that Linux's `hwcap.h` calls ASIMD, ASIMDDP and I8MM.
  @Test func capabilitiesOfArmProcessors() {
    /// The bits that the processors' manuals and `/proc/cpuinfo` list.
    func bits(_ places: Int...) -> UInt { places.reduce(0) { $0 | 1 << UInt($1) } }
    let cortexA72 = ArmCapabilities(first: bits(0, 1, 2, 3, 4, 5, 6, 7, 11))
    let neoverseN1 = ArmCapabilities(first: bits(0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 15, 16, 20))
    let neoverseV1 = ArmCapabilities(first: neoverseN1.first | bits(22), second: bits(0, 1, 13, 14))
    #expect(CPUFeatures(cortexA72) == [.neon, .sha256])
    #expect(CPUFeatures(neoverseN1) == [.neon, .dotProduct])
    #expect(CPUFeatures(neoverseV1) == [.neon, .dotProduct, .i8mm])
    #expect(CPUFeatures(ArmCapabilities()) == [])
  }

  @Test func whatThisMachineSaysIsWhatLinuxSays() throws {
    let info = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let flags = Set(
      info.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? [])
    guard !flags.isEmpty else { return }
    #expect(CPUFeatures.current.contains(.x86v3) == flags.isSuperset(of: ["avx2", "fma", "bmi2"]))
    #expect(CPUFeatures.current.contains(.sha256) == flags.contains("sha_ni"))
    #expect(CPUFeatures.current.contains(.avxVNNI) == flags.contains("avx_vnni"))
    #expect(CPUFeatures.current.contains(.amxInt8) == flags.contains("amx_int8"))
    #expect(CPUFeatures.current.contains(.amxBFloat16) == flags.contains("amx_bf16"))
    #expect(
      CPUFeatures.current.contains(.vnni) == flags.isSuperset(of: ["avx512vl", "avx512_vnni"]))
  }
}
