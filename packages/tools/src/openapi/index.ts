export {
  fromOpenApi,
  type OpenApiFeature,
  type OpenApiOptions,
  type OpenApiTool,
  type OpenApiTools,
  type SkippedOperation,
} from './from-openapi.ts'
export { OpenApiError } from './read-document.ts'
export type { ApiServerOptions } from './base-url.ts'
export type { HeaderSource } from './call-operation.ts'
export type { HttpMethod, OperationInfo } from './operations.ts'
export type { PageCursor } from './paging.ts'
export type {
  OpenApiCredential,
  OpenApiCredentials,
  OpenApiCredentialSource,
  OpenApiCaller,
} from './security.ts'
export type { OperationFilter, OperationSelection } from './select-operations.ts'
export type { OpenApiFetch } from './send-request.ts'
export type { OperationRename } from './tool-names.ts'
