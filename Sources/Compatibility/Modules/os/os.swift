// Messages to standard error.
@_exported public import Foundation
@_exported public import OcellusGraphics
