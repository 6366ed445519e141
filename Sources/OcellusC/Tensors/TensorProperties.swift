// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite

/// The properties of a tensor that follow from its kind of allocation.
private struct AllocationProperties {
  var strategy = kTfLiteAllocationStrategyUnknown
  var addressStability = kTfLiteRunStabilityUnknown
  var dataStability = kTfLiteRunStabilityUnknown
  var dataKnown = kTfLiteRunStepUnknown
  var shapeKnown = kTfLiteRunStepUnknown

  /// Creates the properties that the official library reports for each kind of allocation.
  init(_ tensor: UnsafePointer<TfLiteTensor>?) {
    switch tensor?.pointee.allocation_type {
    case kTfLiteMemNone: set(kTfLiteAllocationStrategyNone)
    case kTfLiteMmapRo: set(kTfLiteAllocationStrategyMMap)
    case kTfLiteArenaRw:
      set(
        kTfLiteAllocationStrategyArena, kTfLiteRunStabilityUnstable, kTfLiteRunStabilitySingleRun,
        kTfLiteRunStepEval, kTfLiteRunStepPrepare)
    case kTfLiteArenaRwPersistent:
      set(
        kTfLiteAllocationStrategyArena, kTfLiteRunStabilityUnstable, kTfLiteRunStabilityAcrossRuns,
        kTfLiteRunStepEval, kTfLiteRunStepPrepare)
    case kTfLiteDynamic:
      set(
        kTfLiteAllocationStrategyMalloc, kTfLiteRunStabilitySingleRun,
        kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepEval)
    case kTfLitePersistentRo:
      set(
        kTfLiteAllocationStrategyUnknown, kTfLiteRunStabilitySingleRun,
        kTfLiteRunStabilitySingleRun, kTfLiteRunStepPrepare, kTfLiteRunStepPrepare)
    case kTfLiteVariantObject:
      set(
        kTfLiteAllocationStrategyNew, kTfLiteRunStabilityAcrossRuns, kTfLiteRunStabilitySingleRun,
        kTfLiteRunStepEval, kTfLiteRunStepEval)
    default: break
    }
  }

  /// Sets the properties; the defaults are those of data that never change.
  private mutating func set(
    _ strategy: TfLiteAllocationStrategy,
    _ addressStability: TfLiteRunStability = kTfLiteRunStabilityAcrossRuns,
    _ dataStability: TfLiteRunStability = kTfLiteRunStabilityAcrossRuns,
    _ dataKnown: TfLiteRunStep = kTfLiteRunStepInit,
    _ shapeKnown: TfLiteRunStep = kTfLiteRunStepInit
  ) {
    self.strategy = strategy
    self.addressStability = addressStability
    self.dataStability = dataStability
    self.dataKnown = dataKnown
    self.shapeKnown = shapeKnown
  }
}

@c @implementation public func TfLiteTensorGetDimsSignature(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> UnsafePointer<TfLiteIntArray>? {
  guard let signature = tensor?.pointee.dims_signature, signature.pointee.size > 0 else {
    return UnsafePointer(tensor?.pointee.dims)
  }
  return signature
}

@c @implementation public func TfLiteTensorGetAllocationStrategy(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteAllocationStrategy { AllocationProperties(tensor).strategy }

@c @implementation public func TfLiteTensorGetBufferAddressStability(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteRunStability { AllocationProperties(tensor).addressStability }

@c @implementation public func TfLiteTensorGetDataStability(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteRunStability { AllocationProperties(tensor).dataStability }

@c @implementation public func TfLiteTensorGetDataKnownStep(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteRunStep { AllocationProperties(tensor).dataKnown }

@c @implementation public func TfLiteTensorGetShapeKnownStep(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteRunStep { AllocationProperties(tensor).shapeKnown }
