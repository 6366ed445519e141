import OcellusKernelABI
import OcellusKernelDispatch

#if canImport(EmulatedAVXVNNI) && canImport(EmulatedAMX)
  import EmulatedAMX
  import EmulatedAVXVNNI
#endif

/// Sizes around vector lengths and tile sizes.
let awkwardSizes = Array(1...9) + [15, 16, 17, 23, 24, 25, 31, 32, 33, 63, 64, 65, 127, 130]

/// Every table that this machine can run; tests take them by index to keep their names short.
let tables = KernelTable.available + emulatedTables

/// The tables for processors that few machines have, with instructions that are emulated.
private var emulatedTables: [KernelTable] {
  #if canImport(EmulatedAVXVNNI) && canImport(EmulatedAMX)
    KernelTable.available.filter { $0.name == "avx2" }.flatMap { table in
      var byteDots = table
      byteDots.name = "avxvnni (emulated)"
      byteDots.quantizedGEMM.strategies = []
      byteDots.quantizedGEMM.append { EmulatedAVXVNNI.listQuantizedGEMM($0) }
      byteDots.blockwiseGEMM = EmulatedAVXVNNI.blockwiseKernel
      byteDots.inspection.limits = EmulatedAVXVNNI.limits
      var matrixTiles = table
      matrixTiles.name = "amx (emulated)"
      matrixTiles.quantizedGEMM.strategies = []
      matrixTiles.quantizedGEMM.append { EmulatedAMX.listMatrixTileGEMM($0) }
      matrixTiles.quantizedGEMM.strategies += table.quantizedGEMM.strategies
      matrixTiles.bfloat16GEMM.strategies = []
      matrixTiles.bfloat16GEMM.append { EmulatedAMX.listMatrixTileGEMMOfBFloat16($0) }
      matrixTiles.bfloat16GEMM.strategies += table.bfloat16GEMM.strategies
      return [byteDots, matrixTiles]
    }
  #else
    []
  #endif
}

/// Windows over small images, with many channel counts, paddings, strides and dilations.
let convolutionGeometries: [PatchGeometry] = {
  var geometries: [PatchGeometry] = []
  for channels in [1, 2, 3, 4, 5, 8, 16, 17, 33] {
    for (kernel, stride, dilation, padding) in [
      (1, 1, 1, 0), (1, 2, 1, 0), (2, 1, 1, 1), (3, 1, 1, 1), (3, 2, 1, 1), (3, 1, 2, 2),
      (5, 1, 1, 2), (5, 3, 1, 0), (3, 2, 3, 3), (2, 3, 2, 1),
    ] {
      var geometry = PatchGeometry(inputHeight: 7, inputWidth: 9, channels: channels)
      geometry.windowHeight = kernel
      geometry.windowWidth = kernel == 5 ? 4 : kernel
      geometry.strideHeight = stride
      geometry.strideWidth = stride
      geometry.dilationHeight = dilation
      geometry.dilationWidth = dilation
      geometry.paddingTop = padding
      geometry.paddingLeft = padding
      let reach = (kernel - 1) * dilation + 1
      geometry.outputHeight = (7 + 2 * padding - reach) / stride + 1
      geometry.outputWidth =
        (9 + 2 * padding - ((geometry.windowWidth - 1) * dilation + 1)) / stride + 1
      geometries.append(geometry)
    }
    // Windows that skip rows, but no pixels of a row.
    for (width, stride, dilation) in [(1, 1, 2), (2, 1, 3), (2, 2, 2), (1, 6, 2)] {
      var geometry = PatchGeometry(inputHeight: 11, inputWidth: 9, channels: channels)
      (geometry.windowHeight, geometry.windowWidth) = (3, width)
      (geometry.strideHeight, geometry.dilationHeight) = (stride, dilation)
      geometry.paddingTop = dilation
      geometry.outputHeight = (11 + 2 * dilation - (2 * dilation + 1)) / stride + 1
      geometry.outputWidth = 9 - (width - 1)
      geometries.append(geometry)
    }
    // Windows that skip pixels of a row, but no rows: some begin inside the image, have a stride
    // beyond its end, or have taps that are too far apart for padded rows.
    for (stride, dilation, padding) in [
      (1, 2, 2), (2, 2, 1), (3, 2, 3), (2, 3, 0), (1, 4, -1), (1 << 30, 2, 2), (1, 40, 40),
    ] {
      var geometry = PatchGeometry(inputHeight: 7, inputWidth: 11, channels: channels)
      (geometry.windowHeight, geometry.windowWidth) = (2, 3)
      (geometry.strideWidth, geometry.dilationWidth) = (stride, dilation)
      geometry.paddingLeft = padding
      geometry.outputHeight = 6
      geometry.outputWidth = (11 + 2 * padding - (2 * dilation + 1)) / stride + 1
      geometries.append(geometry)
    }
  }
  return geometries
}()

/// Windows over rows that are long enough to be divided, with channels that share vectors with
/// neighbouring pixels, fill vectors, or are computed in slices.
let lineGeometries: [PatchGeometry] = {
  var geometries: [PatchGeometry] = []
  for channels in [6, 24, 40, 72, 130, 272] {
    for (kernel, stride, dilation) in [
      (3, 1, 1), (3, 2, 1), (5, 1, 1), (4, 3, 2), (1, 2, 1), (3, 1, 2), (3, 1, 3),
    ] {
      var geometry = PatchGeometry(inputHeight: 5, inputWidth: 39, channels: channels)
      geometry.windowHeight = kernel
      geometry.windowWidth = kernel
      geometry.strideHeight = stride
      geometry.strideWidth = stride
      geometry.dilationHeight = dilation
      geometry.dilationWidth = dilation
      geometry.paddingTop = kernel / 2
      geometry.paddingLeft = kernel / 2
      let reach = (kernel - 1) * dilation + 1
      geometry.outputHeight = (5 + 2 * (kernel / 2) - reach) / stride + 1
      geometry.outputWidth = (39 + 2 * (kernel / 2) - reach) / stride + 1
      geometries.append(geometry)
    }
  }
  return geometries
}()

extension PatchGeometry {
  var description: String {
    """
    input \(inputHeight)×\(inputWidth)×\(pixelStride), \(channels) channels, \
    kernel \(windowHeight)×\(windowWidth), stride \(strideHeight), dilation \(dilationHeight), \
    padding \(paddingTop)
    """
  }

  /// The input offset of each tap of an output pixel's window, in the order of the weights; `nil`
  /// in the padding.
  func taps(of pixel: Int) -> [Int?] {
    let image = pixel / (outputHeight * outputWidth)
    let y = pixel / outputWidth % outputHeight
    let x = pixel % outputWidth
    var places: [Int?] = []
    for ky in 0..<windowHeight {
      for kx in 0..<windowWidth {
        let inputY = y * strideHeight + ky * dilationHeight - paddingTop
        let inputX = x * strideWidth + kx * dilationWidth - paddingLeft
        let isInside = (0..<inputHeight).contains(inputY) && (0..<inputWidth).contains(inputX)
        let place = ((image * inputHeight + inputY) * inputWidth + inputX) * pixelStride
        places.append(isInside ? place : nil)
      }
    }
    return places
  }
}
