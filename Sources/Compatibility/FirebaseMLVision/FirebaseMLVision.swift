// What programs of this API need besides it: `Image`, `SampleBuffer`, `ImageOrientation`.
@_exported public import OcellusCompatibility
@_exported public import OcellusImaging
