// Video frames and their times.
@_exported public import Foundation
@_exported public import OcellusGraphics
