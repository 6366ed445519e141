import OcellusKernelABI

extension PatchGeometry {
  /// Makes the patches of a window over an image with `pixelStride` channels, of which each patch
  /// covers `channels`.
  init(_ window: WindowGeometry, channels: Int, pixelStride: Int) {
    self.init(
      inputHeight: window.rows.inputExtent, inputWidth: window.columns.inputExtent,
      channels: channels)
    self.pixelStride = pixelStride
    windowHeight = window.rows.tapCount
    windowWidth = window.columns.tapCount
    strideHeight = window.rows.stride
    strideWidth = window.columns.stride
    dilationHeight = window.rows.dilation
    dilationWidth = window.columns.dilation
    paddingTop = window.rows.leadingPadding
    paddingLeft = window.columns.leadingPadding
    outputHeight = window.rows.outputExtent
    outputWidth = window.columns.outputExtent
  }

  /// The same windows over an image of one column laid out as a row, which is the same memory:
  /// kernels work along rows, where neighbouring windows overlap.
  var asSingleRow: PatchGeometry {
    guard inputWidth == 1, windowWidth == 1, outputWidth == 1, paddingLeft == 0 else { return self }
    var geometry = self
    (geometry.inputHeight, geometry.inputWidth) = (1, inputHeight)
    (geometry.windowHeight, geometry.windowWidth) = (1, windowHeight)
    (geometry.strideHeight, geometry.strideWidth) = (1, strideHeight)
    (geometry.dilationHeight, geometry.dilationWidth) = (1, dilationHeight)
    (geometry.paddingTop, geometry.paddingLeft) = (0, paddingTop)
    (geometry.outputHeight, geometry.outputWidth) = (1, outputHeight)
    return geometry
  }

  /// Returns rows of a matrix instead of windows that each cover a whole image, which is the same
  /// memory.
  func asRows(imageCount: Int) -> PatchGeometry {
    guard outputHeight == 1, outputWidth == 1, windowHeight == inputHeight,
      windowWidth == inputWidth, pixelStride == channels, !mayLeaveInput
    else { return self }
    return PatchGeometry(matrixOf: imageCount, depth: depth)
  }

  /// Whether a window may extend beyond an edge of the input.
  var mayLeaveInput: Bool {
    let lastRow = (outputHeight - 1) * strideHeight + (windowHeight - 1) * dilationHeight
    let lastColumn = (outputWidth - 1) * strideWidth + (windowWidth - 1) * dilationWidth
    return paddingTop > 0 || paddingLeft > 0 || lastRow - paddingTop >= inputHeight
      || lastColumn - paddingLeft >= inputWidth
  }
}
