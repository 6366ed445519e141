// Firebase ML Kit's labelers with AutoML models, whose names `FirebaseMLVision` has already.
@_exported public import FirebaseMLVision
