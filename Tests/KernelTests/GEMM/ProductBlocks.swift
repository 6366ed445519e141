import OcellusKernelABI

/// Visits all results of a GEMM in blocks of at most `rowStep` rows and `columnStep` columns.
func forEachBlock(
  rows: Int, columns: Int, _ rowStep: Int, _ columnStep: Int,
  _ body: (_ rows: Range<Int>, _ columns: Range<Int>) -> Void
) {
  for row in stride(from: 0, to: rows, by: min(rowStep, rows)) {
    for column in stride(from: 0, to: columns, by: min(columnStep, columns)) {
      body(row..<min(row + rowStep, rows), column..<min(column + columnStep, columns))
    }
  }
}

/// 3×3 windows for an output of the given extents, with padding above and to the left.
///
/// At the other ends, windows may overhang the input or leave some of its pixels unused.
func winogradGeometry(
  _ height: Int, _ width: Int, channels: Int, padding: Int, dilation: Int = 1,
  pixelStride: Int? = nil
) -> PatchGeometry {
  var geometry = PatchGeometry(
    inputHeight: max(1, height + dilation - padding),
    inputWidth: max(1, width + 2 * dilation - 2 * padding), channels: channels)
  geometry.pixelStride = pixelStride ?? channels
  (geometry.windowHeight, geometry.windowWidth) = (3, 3)
  (geometry.dilationHeight, geometry.dilationWidth) = (dilation, dilation)
  (geometry.paddingTop, geometry.paddingLeft) = (padding, padding)
  (geometry.outputHeight, geometry.outputWidth) = (height, width)
  return geometry
}

/// The extents of outputs, with dilations for their windows.
let dilatedExtents = [
  (4, 4, 2), (6, 9, 2), (6, 9, 3), (7, 7, 2), (7, 7, 3), (11, 16, 2), (11, 16, 5), (13, 8, 3),
]
