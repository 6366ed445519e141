// All modules of ML Kit that are available here.
@_exported public import MLKitImageLabeling
@_exported public import MLKitImageLabelingAutoML
@_exported public import MLKitImageLabelingCustom
@_exported public import MLKitLinkFirebase
@_exported public import MLKitObjectDetection
@_exported public import MLKitObjectDetectionCustom
