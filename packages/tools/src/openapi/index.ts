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
export type { Credential, Credentials, CredentialSource, OpenApiCaller } from './security.ts'
export type { OperationFilter, OperationSelection } from './select-operations.ts'
export type { Fetch } from './send-request.ts'
export type { Rename } from './tool-names.ts'
