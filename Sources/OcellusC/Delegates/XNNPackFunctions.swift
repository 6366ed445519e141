// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles

// TfLiteXNNPackDelegate…: a delegate that does nothing, since the engine's fast kernels are always
// on.

/// The default flags of the official delegate: signed and unsigned 8-bit integers.
private let defaultFlags = UInt32(
  TFLITE_XNNPACK_DELEGATE_FLAG_QS8 | TFLITE_XNNPACK_DELEGATE_FLAG_QU8)

@c @implementation public func TfLiteXNNPackDelegateOptionsDefault() -> TfLiteXNNPackDelegateOptions
{
  var options = TfLiteXNNPackDelegateOptions()
  options.flags = defaultFlags
  return options
}

@c @implementation public func TfLiteXNNPackDelegateCreate(
  _ options: UnsafePointer<TfLiteXNNPackDelegateOptions>?
) -> UnsafeMutablePointer<TfLiteDelegate>? {
  let copy = UnsafeMutablePointer<TfLiteXNNPackDelegateOptions>.allocate(capacity: 1)
  copy.initialize(to: options?.pointee ?? TfLiteXNNPackDelegateOptionsDefault())
  let delegate = UnsafeMutablePointer<TfLiteDelegate>.allocate(capacity: 1)
  delegate.initialize(to: TfLiteDelegate())
  delegate.pointee.data_ = UnsafeMutableRawPointer(copy)
  delegate.pointee.Prepare = { _, _ in kTfLiteOk }
  delegate.pointee.flags = Int64(kTfLiteDelegateFlagsAllowDynamicTensors.rawValue)
  return delegate
}

@c @implementation public func TfLiteXNNPackDelegateCreateWithThreadpool(
  _ options: UnsafePointer<TfLiteXNNPackDelegateOptions>?,
  _ context: UnsafeMutablePointer<TfLiteContext>?
) -> UnsafeMutablePointer<TfLiteDelegate>? { TfLiteXNNPackDelegateCreate(options) }

@c @implementation public func TfLiteXNNPackDelegateGetThreadPool(
  _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) -> UnsafeMutableRawPointer? { nil }

@c @implementation public func TfLiteXNNPackDelegateGetOptions(
  _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) -> UnsafePointer<TfLiteXNNPackDelegateOptions>? {
  delegate?.pointee.data_.map {
    UnsafePointer($0.assumingMemoryBound(to: TfLiteXNNPackDelegateOptions.self))
  }
}

@c @implementation public func TfLiteXNNPackDelegateGetFlags(
  _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) -> Int32 { Int32(bitPattern: TfLiteXNNPackDelegateGetOptions(delegate)?.pointee.flags ?? 0) }

@c @implementation public func TfLiteXNNPackDelegateDelete(
  _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) {
  delegate?.pointee.data_?.deallocate()
  delegate?.deallocate()
}

// MARK: Weights caches

/// A cache that holds nothing but can be closed like the official one.
private final class WeightsCache: Handle {
  var isOpen = true

  /// Closes the cache and returns whether it was open.
  static func close(_ cache: OpaquePointer?) -> Bool {
    guard let cache = at(cache) else { return false }
    defer { cache.isOpen = false }
    return cache.isOpen
  }
}

@c @implementation public func TfLiteXNNPackDelegateWeightsCacheCreate() -> OpaquePointer? {
  WeightsCache().retained()
}

@c @implementation public func TfLiteXNNPackDelegateWeightsCacheCreateWithSize(
  _ size: Int
) -> OpaquePointer? { WeightsCache().retained() }

@c @implementation public func TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(
  _ cache: OpaquePointer?
) -> Bool { WeightsCache.close(cache) }

@c @implementation public func TfLiteXNNPackDelegateWeightsCacheFinalizeHard(
  _ cache: OpaquePointer?
) -> Bool { WeightsCache.close(cache) }

@c @implementation public func TfLiteXNNPackDelegateWeightsCacheDelete(_ cache: OpaquePointer?) {
  WeightsCache.release(cache)
}
