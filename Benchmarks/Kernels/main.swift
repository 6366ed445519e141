// kernel-bench [NAME…]: the speed of every kernel on the layers of Benchmarks/Shapes, and of
// functions of elements, for every instruction set that this CPU runs, and of OpenBLAS where it is
// installed. Behind depthwise layers: how fast int8 and float are beside a copy of as many bytes as
// the layer reads and writes, for the best instruction set. Only files, layers and functions whose names contain a NAME, if any.

import Foundation
import OcellusKernelABI
import OcellusKernelDispatch

let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Shapes")
let wanted = CommandLine.arguments.dropFirst()
let tables = KernelTable.available

/// A product that stays in the nearest caches: what the kernels reach where memory costs nothing.
func peak(_ table: KernelTable) -> (float: Double, quantized: Double) {
  guard let shape = LayerShape(line: "dense 96 1 512 1 1 64") else { return (0, 0) }
  let benchmark = LayerBenchmark(shape: shape, table: table)
  return (benchmark.floatRate(), benchmark.quantizedRate())
}

func column(_ rate: Double, of peak: Double) -> String {
  String(format: "%7.1f %3.0f%%", rate, 100 * rate / peak)
}

let peaks = tables.map(peak)
let openBLAS = OpenBLAS.installed.map { KernelTable.best.multiplyingFloats(with: $0) }
print("GMAC/s and share of the rate of a product in cache; one core")
print("layer".padding(toLength: 34, withPad: " ", startingAt: 0), terminator: "")
for table in tables { print("  \(table.name): int8       uint8        float    ", terminator: "") }
print(openBLAS == nil ? "" : "  OpenBLAS: float")
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "txt" {
  print("#", file.deletingPathExtension().lastPathComponent)
  for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
    guard let shape = LayerShape(line: line) else { continue }
    let names = [file.lastPathComponent, shape.text]
    guard wanted.isEmpty || wanted.contains(where: { word in names.contains { $0.contains(word) } })
    else { continue }
    print(shape.text.padding(toLength: 34, withPad: " ", startingAt: 0), terminator: "")
    var sharesOfCopy = ""
    for (table, peak) in zip(tables, peaks) {
      let benchmark = LayerBenchmark(shape: shape, table: table)
      let (quantized, float) = (benchmark.quantizedRate(), benchmark.floatRate())
      let unsigned = benchmark.quantizedRate(isSigned: false)
      print(" ", column(quantized, of: peak.quantized), terminator: "")
      print(" ", column(unsigned, of: peak.quantized), terminator: "")
      print(" ", column(float, of: peak.float), terminator: "")
      if shape.kind == .depthwise && sharesOfCopy.isEmpty {
        sharesOfCopy = String(
          format: "  of a copy: int8 %.0f%%, float %.0f%%",
          100 * quantized / benchmark.copyRate(elementBytes: 1),
          100 * float / benchmark.copyRate(elementBytes: 4))
      }
    }
    if let openBLAS, shape.kind != .depthwise {
      let rate = LayerBenchmark(shape: shape, table: openBLAS).floatRate()
      print(" ", column(rate, of: peaks[0].float), terminator: "")
    }
    print(sharesOfCopy)
  }
}

print("ns an element; one core, in cache")
let benchmarks = tables.map { ElementwiseBenchmark(kernels: $0.elementwise) }
for (index, function) in (benchmarks.first?.functions ?? []).enumerated()
where wanted.isEmpty || wanted.contains(where: function.name.contains) {
  print(function.name.padding(toLength: 34, withPad: " ", startingAt: 0), terminator: "")
  for benchmark in benchmarks {
    print(
      String(format: "  %8.3f", benchmark.time(benchmark.functions[index].call)), terminator: "")
  }
  print()
}
