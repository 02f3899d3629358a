/**
 * The codec of revisions that begin with `initialize`: 2024-11-05 to 2025-11-25.
 *
 * Writes results, notification params and errors of the internal model as such a revision has them; `WireFeatures` says what it can
 * express, and the `downgrade-…` files take out the rest. Reading requests needs no codec: params are checked against the newest
 * types. `modern-codec.ts` is its counterpart; `request-codec.ts` writes the requests of clients.
 */
import { omit } from '../schema/json.ts'
import type { InitializeResult } from '../schema/lifecycle.ts'
import { clientRequestRow, clientRequests } from '../schema/methods/client-requests.ts'
import { methodsIn } from '../schema/methods/method-row.ts'
import type { ProgressNotificationParams } from '../schema/progress.ts'
import type { GetPromptResult, ListPromptsResult } from '../schema/prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '../schema/resources.ts'
import type { Revision } from '../schema/revision.ts'
import type { CallToolResult, ListToolsResult } from '../schema/tools.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeCapabilities, downgradeImplementation } from './downgrade-initialize.ts'
import {
  downgradeBlocks,
  downgradeContents,
  downgradePromptResult,
  downgradeItem,
  downgradePrompt,
  downgradeStructured,
  downgradeTool,
} from './downgrade-results.ts'
import { encodeWireError, legacyCodes } from './error-codes.ts'
import { forEachRevision, newestRevision } from './features.ts'
import { inputRequestsIn } from './input-methods.ts'

/** A revision that begins with `initialize`, described by what it can express. */
function createLegacyCodec(revision: Revision, has: WireFeatures): Codec {
  const codes = legacyCodes(has)
  const isNewest = revision === newestRevision('legacy')
  const encodeNewest: Codec['encodeResult'] = (method, result) => {
    const uncached = clientRequestRow(method).isCacheable ? withoutHints(result) : result
    return encode(results.get(method), uncached, has)
  }
  return {
    revision,
    has,
    clientRequests: methodsIn(clientRequests, revision),
    inputMethods: inputRequestsIn(revision),
    encodeResult: isNewest
      ? encodeNewest
      : (method, result) => encode(olderResults.get(method), encodeNewest(method, result), has),
    encodeParams: isNewest
      ? (_, params) => params
      : (method, params) => encode(olderParams.get(method), params, has),
    encodeError: (error) => encodeWireError(error, codes),
  }
}

/** How a value is written in a revision. */
type Encoder = (value: never, has: WireFeatures) => object

/** Encodes a value; returns it unchanged if nothing differs. */
function encode(encoder: Encoder | undefined, value: object, has: WireFeatures): object {
  return encoder === undefined ? value : encoder(value as never, has) // the table pairs each method with its own type
}

/** Where a call was answered with a task, its result comes by another way. */
interface StartedTask {
  readonly task: object
}

/** How long an answer may be kept is newer than all of these. */
function withoutHints(result: object): object {
  return omit(result, ['ttlMs', 'cacheScope'])
}

const results = new Map<string, Encoder>([
  [
    'initialize',
    (result: InitializeResult, has) => ({
      ...result,
      capabilities: downgradeCapabilities(result.capabilities, has),
    }),
  ],
  [
    'tools/list',
    (result: ListToolsResult, has) => ({
      ...result,
      tools: result.tools.map((tool) => downgradeTool(tool, has)),
    }),
  ],
  [
    'tools/call',
    (result: CallToolResult | StartedTask, has) =>
      'content' in result && result.structuredContent !== undefined
        ? downgradeStructured(result, has)
        : result,
  ],
])

/** Changes that remain once a result is one of the newest revision. */
const olderResults = new Map<string, Encoder>([
  [
    'initialize',
    (result: InitializeResult, has) => ({
      ...result,
      serverInfo: downgradeImplementation(result.serverInfo, has),
    }),
  ],
  [
    'tools/call',
    (result: Partial<CallToolResult>, has) =>
      result.content ? withContent(result, downgradeBlocks(result.content, has)) : result,
  ],
  [
    'resources/list',
    (result: ListResourcesResult, has) => ({
      ...result,
      resources: result.resources.map((resource) => downgradeItem(resource, has)),
    }),
  ],
  [
    'resources/templates/list',
    (result: ListResourceTemplatesResult, has) => ({
      ...result,
      resourceTemplates: result.resourceTemplates.map((template) => downgradeItem(template, has)),
    }),
  ],
  [
    'resources/read',
    (result: ReadResourceResult, has) => ({
      ...result,
      contents: downgradeContents(result.contents, has),
    }),
  ],
  [
    'prompts/list',
    (result: ListPromptsResult, has) => ({
      ...result,
      prompts: result.prompts.map((prompt) => downgradePrompt(prompt, has)),
    }),
  ],
  ['prompts/get', (result: GetPromptResult, has) => downgradePromptResult(result, has)],
])

function withContent(
  result: Partial<CallToolResult>,
  content: CallToolResult['content'],
): Partial<CallToolResult> {
  return content === result.content ? result : { ...result, content }
}

const olderParams = new Map<string, Encoder>([
  [
    'notifications/progress',
    (params: ProgressNotificationParams, has) =>
      has.progressMessage ? params : omit(params, ['message']),
  ],
])

/** Newest first. */
export const legacyCodecs: readonly Codec[] = /* @__PURE__ */ forEachRevision((revision, has) =>
  has.initialize ? createLegacyCodec(revision, has) : undefined,
)
