//===- Error.h - what can go wrong in a call --------------------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_ERROR_H
#define MLAFUSE_GPUSTUB_ERROR_H

namespace mlafuse::gpustub {

/// Each vendor has codes and names of its own for these.
enum Error {
  Success,
  InvalidValue,
  OutOfMemory,
  NotInitialized,
  InvalidConfiguration, ///< Of a launch.
  InvalidDevicePointer,
  InvalidCopyDirection,
  InvalidDevice,
  InvalidImage,
  CannotTranslate, ///< The simulator refuses the image.
  NoBinaryForDevice,
  NoContext, ///< None is current for the thread.
  InvalidHandle,
  NotFound,
  NotReady,
  LaunchFailure,
  NotSupported,
  CaptureUnsupported,
  CaptureInvalidated,
  CaptureImplicit,
};

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_ERROR_H
