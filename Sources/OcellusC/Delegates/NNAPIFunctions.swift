// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite

// TfLiteNnapiDelegate…: a delegate that refuses every graph, since this platform has no NNAPI.

@c @implementation public func TfLiteNnapiDelegateOptionsDefault() -> TfLiteNnapiDelegateOptions {
  var options = TfLiteNnapiDelegateOptions()
  options.execution_preference = -1
  options.disallow_nnapi_cpu = 1
  options.max_number_delegated_partitions = 3
  return options
}

@c @implementation public func TfLiteNnapiDelegateCreate(
  _ options: UnsafePointer<TfLiteNnapiDelegateOptions>?
) -> UnsafeMutablePointer<TfLiteDelegate>? {
  let delegate = UnsafeMutablePointer<TfLiteDelegate>.allocate(capacity: 1)
  delegate.initialize(to: TfLiteDelegate())
  delegate.pointee.Prepare = { _, _ in kTfLiteError }
  return delegate
}

@c @implementation public func TfLiteNnapiDelegateDelete(
  _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) { delegate?.deallocate() }
