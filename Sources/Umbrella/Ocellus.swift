// The one module most programs need: `import Ocellus` brings the engine, pictures and vision.
@_exported public import OcellusEngine
@_exported public import OcellusImaging
@_exported public import OcellusVision
