// Firebase ML Kit's detectors, whose names `FirebaseMLVision` has already.
@_exported public import FirebaseMLVision
