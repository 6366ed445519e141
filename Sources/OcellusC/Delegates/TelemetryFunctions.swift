// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

import CTensorFlowLite

// TfLiteTelemetry…: every getter answers nothing, since this library reports no telemetry.

@c @implementation public func TfLiteTelemetryConversionMetadataGetModelOptimizationModes(
  _ metadata: OpaquePointer?
) -> UnsafePointer<Int32>? { nil }

@c @implementation public func TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
  _ metadata: OpaquePointer?
) -> Int { 0 }

@c @implementation public func TfLiteTelemetryInterpreterSettingsGetConversionMetadata(
  _ settings: OpaquePointer?
) -> OpaquePointer? { nil }

@c @implementation public func TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(
  _ settings: OpaquePointer?
) -> Int { 0 }

@c @implementation public func TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(
  _ settings: OpaquePointer?
) -> OpaquePointer? { nil }

@c @implementation public func TfLiteTelemetrySubgraphInfoGetNumQuantizations(
  _ subgraph: OpaquePointer?
) -> Int { 0 }

@c @implementation public func TfLiteTelemetrySubgraphInfoGetQuantizations(
  _ subgraph: OpaquePointer?
) -> UnsafeRawPointer? { nil }

@c @implementation public func TfLiteTelemetryGpuDelegateSettingsGetBackend(
  _ settings: OpaquePointer?
) -> Int32 { 0 }

@c @implementation public func TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(
  _ settings: OpaquePointer?
) -> Int { 0 }
