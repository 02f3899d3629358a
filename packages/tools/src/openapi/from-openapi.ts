/**
 * `fromOpenApi()`: makes tools of the operations of an OpenAPI 3 document. Operations that cannot be tools are listed with the reason.
 *
 * Reading is in `read-document.ts` and `operations.ts`, names in `tool-names.ts`, the request of a call in `build-request.ts` and `send-
 * request.ts`.
 */

import type { CallToolResult, JsonObject, Tool, ToolAnnotations } from '@parley/mcp'
import {
  createServer,
  defineTool,
  toolResult,
  type Server,
  type ToolFeature,
} from '@parley/mcp/server'

import { createLocator, type ApiServerOptions } from './base-url.ts'
import { createCall, type CallSettings, type HeaderSource } from './call-operation.ts'
import { shorten } from './convert-schema.ts'
import { inputOf } from './input.ts'
import { operationsOf, type Operation, type OperationInfo } from './operations.ts'
import type { PageCursor } from './paging.ts'
import { readDocument } from './read-document.ts'
import { createSchemaDefinitions } from './schema-definitions.ts'
import { createSecurity, type OpenApiCredentials, type OpenApiCaller } from './security.ts'
import { createSelection, type OperationSelection } from './select-operations.ts'
import type { OpenApiFetch } from './send-request.ts'
import { outputSchemaOf } from './to-result.ts'
import { nameOperations, type OperationRename } from './tool-names.ts'

/** Which operations become tools, where they are, and within which limits they are called. */
export interface OpenApiOptions extends ApiServerOptions {
  /** Only these. @defaultValue all */
  readonly include?: OperationSelection | undefined
  /** Not these. @defaultValue none */
  readonly exclude?: OperationSelection | undefined
  /** Names of tools, by `operationId` or by a function. @defaultValue the `operationId` */
  readonly rename?: OperationRename | undefined
  /** By the names of the document's security schemes. Only sent to the servers of the document, or to `baseUrl`. */
  readonly credentials?: OpenApiCredentials | undefined
  /** With every request. */
  readonly headers?: HeaderSource | undefined
  /** @defaultValue the global `fetch` */
  readonly fetch?: OpenApiFetch | undefined
  /** For a whole call, all pages of it. @defaultValue 30_000 */
  readonly timeoutMs?: number | undefined
  /** Limit for a response, all its pages together; more is cut. @defaultValue 1 MiB */
  readonly maxBytes?: number | undefined
  /** Pages of a list that one call fetches and joins. @defaultValue 1: the answer says how to get the next */
  readonly maxPages?: number | undefined
  /** Cursors of pages, where this API has them elsewhere than others do. */
  readonly cursors?: readonly PageCursor[] | undefined
  /** Describe answers too; of a large document they are most of the list. @defaultValue true */
  readonly outputSchemas?: boolean | undefined
  /**
   * Of what the schema of the arguments refers to; what goes beyond is described as anything at all. Answers have at most
   * 8 KiB. @defaultValue 32 KiB
   */
  readonly maxSchemaBytes?: number | undefined
}

/** An operation as a tool. */
export interface OpenApiTool {
  /** How the tool is listed. */
  readonly definition: Tool
  /** Which operation it calls. */
  readonly operation: OperationInfo
  /** Where the operation is asked, and where its credentials go. */
  readonly server: URL
  /** Calls the operation. What goes wrong is a result for the model; it rejects only if the caller's signal aborts. */
  call(args: JsonObject, caller?: OpenApiCaller): Promise<CallToolResult>
}

/** A tool whose names and types are known at run time only. */
export type OpenApiFeature = ToolFeature<string, object, unknown, unknown>

/** An operation that cannot be a tool. */
export interface SkippedOperation {
  /** Which operation. */
  readonly operation: OperationInfo
  /** Why it cannot be called, for people. */
  readonly reason: string
}

/** The tools of a document. */
export interface OpenApiTools {
  /** The tools, in the order of the document. */
  readonly tools: readonly OpenApiTool[]
  /** Chosen operations that cannot be called, and why. */
  readonly skipped: readonly SkippedOperation[]
  /** For `createServer({ features })` or `server.add()`. */
  features(): readonly OpenApiFeature[]
  /** A server of these tools, called as the document is. */
  server(): Server
}

/** Few models are shown how answers look, and those of large APIs refer to nearly everything. */
const maxOutputBytes = 8 * 1024

/** Makes tools of the operations of an OpenAPI 3 document: an object, or its text as JSON or YAML. */
export function fromOpenApi(document: object | string, options: OpenApiOptions = {}): OpenApiTools {
  const read = readDocument(document)
  const locate = createLocator(read, options)
  const settings = settingsOf(options, createSecurity(read, options.credentials))
  const definitions = createSchemaDefinitions(read)
  const { maxSchemaBytes = 32 * 1024, outputSchemas = true } = options
  const chosen = choose(operationsOf(read), options)
  const names = nameOperations(chosen, options.rename)
  const tools: OpenApiTool[] = []
  const skipped: SkippedOperation[] = []
  for (const [at, operation] of chosen.entries()) {
    const located = locate(operation)
    const input = inputOf(operation, definitions, maxSchemaBytes)
    if ('problem' in located) skipped.push({ operation, reason: located.problem })
    else if ('problem' in input) skipped.push({ operation, reason: input.problem })
    else {
      const outputSchema = outputSchemas
        ? outputSchemaOf(read, operation, definitions, Math.min(maxSchemaBytes, maxOutputBytes))
        : undefined
      const definition: Tool = {
        name: names[at] ?? '',
        ...describe(operation),
        inputSchema: input.inputSchema,
        ...(outputSchema && { outputSchema }),
        annotations: annotationsOf(operation),
      }
      const call = createCall({ base: located.base, operation, input, outputSchema }, settings)
      tools.push({ definition, operation, server: new URL(located.base), call })
    }
  }
  const features = () => tools.map(featureOf)
  return {
    tools,
    skipped,
    features,
    server: () => createServer({ name: read.title, version: read.version, features: features() }),
  }
}

function settingsOf(options: OpenApiOptions, authorize: CallSettings['authorize']): CallSettings {
  const { timeoutMs = 30_000, maxBytes = 1024 * 1024, maxPages = 1 } = options
  return {
    authorize,
    headers: options.headers ?? {},
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs,
    maxBytes: maxBytes,
    maxPages: maxPages,
    cursors: options.cursors ?? [],
  }
}

function choose(operations: Iterable<Operation>, options: OpenApiOptions): readonly Operation[] {
  const isIncluded = options.include && createSelection(options.include)
  const isExcluded = options.exclude && createSelection(options.exclude)
  return [...operations].filter(
    (operation) => (isIncluded?.(operation) ?? true) && !(isExcluded?.(operation) ?? false),
  )
}

function describe({ summary, description, method, path, deprecated }: Operation) {
  const lines = [summary, description === summary ? undefined : description]
    .filter((text) => text !== undefined && text !== '')
    .join('\n\n')
  const text = lines === '' ? `${method.toUpperCase()} ${path}` : lines
  return {
    ...(summary && { title: shorten(summary, 200) }),
    description: shorten(deprecated ? `Deprecated. ${text}` : text, 2_000),
  }
}

/** Returns the annotations that the method promises: https://www.rfc-editor.org/rfc/rfc9110#section-9.2 */
function annotationsOf({ method }: Operation): ToolAnnotations {
  const isRead = method === 'get' || method === 'head' || method === 'options' || method === 'trace'
  if (isRead) return { readOnlyHint: true, openWorldHint: true }
  return {
    readOnlyHint: false,
    ...(method === 'delete' && { destructiveHint: true }),
    ...((method === 'put' || method === 'delete') && { idempotentHint: true }),
    openWorldHint: true,
  }
}

function featureOf({ definition, call }: OpenApiTool): OpenApiFeature {
  const { name, outputSchema, ...config } = definition
  const handler = (args: JsonObject, context: OpenApiCaller['context'] & object) =>
    call(args, { signal: context.signal, context })
  if (outputSchema === undefined) return defineTool(name, config, handler)
  return defineTool(name, { ...config, outputSchema }, async (args, context) => {
    const { structuredContent, ...result } = await handler(args, context)
    // An object of JSON by its schema, which is checked once more.
    return toolResult({ ...result, structuredContent: structuredContent as JsonObject })
  })
}
