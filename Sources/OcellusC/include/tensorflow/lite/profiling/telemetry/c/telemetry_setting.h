#ifndef TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_
#define TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_

/* Settings that the official library reports to a telemetry profiler. This library reports
   nothing, so all functions return the same as for NULL. */

#include "../../../c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteTelemetryConversionMetadata TfLiteTelemetryConversionMetadata;
typedef struct TfLiteTelemetryInterpreterSettings TfLiteTelemetryInterpreterSettings;
typedef struct TfLiteTelemetrySubgraphInfo TfLiteTelemetrySubgraphInfo;
typedef struct TfLiteTelemetryGpuDelegateSettings TfLiteTelemetryGpuDelegateSettings;

TFL_CAPI_EXPORT const int32_t* TfLiteTelemetryConversionMetadataGetModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata);
TFL_CAPI_EXPORT size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata);
TFL_CAPI_EXPORT const TfLiteTelemetryConversionMetadata*
TfLiteTelemetryInterpreterSettingsGetConversionMetadata(
    const TfLiteTelemetryInterpreterSettings* settings);
TFL_CAPI_EXPORT size_t TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings);
TFL_CAPI_EXPORT const TfLiteTelemetrySubgraphInfo*
TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings);
TFL_CAPI_EXPORT size_t TfLiteTelemetrySubgraphInfoGetNumQuantizations(
    const TfLiteTelemetrySubgraphInfo* subgraph_info);
TFL_CAPI_EXPORT const void* TfLiteTelemetrySubgraphInfoGetQuantizations(
    const TfLiteTelemetrySubgraphInfo* subgraph_info);
TFL_CAPI_EXPORT int32_t TfLiteTelemetryGpuDelegateSettingsGetBackend(
    const TfLiteTelemetryGpuDelegateSettings* settings);
TFL_CAPI_EXPORT size_t TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(
    const TfLiteTelemetryGpuDelegateSettings* settings);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_
