import type { OpenApiCredential, OperationFilter } from '@parley/tools/openapi'

/** An HTTP API whose OpenAPI document says what it can do: each operation is a tool. It runs in the gateway itself. */
export interface OpenApiEntry {
  /** The text of the document, or where it is. */
  readonly openapi: { readonly document: string } | { readonly url: string }
  /** Where requests go, in place of the document's first server. */
  readonly baseUrl?: string | undefined
  /** Hosts that single operations may name besides. @defaultValue none */
  readonly hosts?: readonly string[] | undefined
  /** Let the addresses that the file names lead to a private network, also by a public name. @defaultValue false */
  readonly allowPrivate?: boolean | undefined
  /** Which operations, and what their tools are called. @defaultValue all, by their `operationId` */
  readonly operations?: OpenApiOperations | undefined
  /** By the names of the document's security schemes. */
  readonly credentials?: { readonly [scheme: string]: OpenApiCredential } | undefined
  /** With every request. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Limit for a response; longer ones are cut. @defaultValue 1 MiB */
  readonly answerBytes?: number | undefined
  /** Pages of a list that one call fetches and joins. @defaultValue 1 */
  readonly pages?: number | undefined
}

/** Which operations become tools. */
export interface OpenApiOperations {
  /** One of these must fit. @defaultValue all */
  readonly include?: readonly OperationFilter[] | undefined
  /** None of these may. @defaultValue none */
  readonly exclude?: readonly OperationFilter[] | undefined
  /** Names by `operationId`. */
  readonly rename?: { readonly [operationId: string]: string } | undefined
}
