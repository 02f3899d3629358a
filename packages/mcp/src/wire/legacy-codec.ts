import type { InitializeResult } from '../schema/lifecycle.ts'
import type { ProgressNotificationParams } from '../schema/progress.ts'
import type { GetPromptResult, ListPromptsResult } from '../schema/prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '../schema/resources.ts'
import type { Revision } from '../schema/revision.ts'
import type { CallToolResult } from '../schema/tools.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeBlocks, downgradeContents, downgradePromptResult } from './downgrade-content.ts'
import { downgradeImplementation } from './downgrade-initialize.ts'
import { downgradeItem, downgradePrompt } from './downgrade-items.ts'
import { forEachRevision, isLegacy } from './features.ts'
import { createHandshakeCodec, encode, type Encoder } from './handshake-codec.ts'
import { omit } from './omit.ts'

export { createBoundedBatches } from '../rpc/bounded-batches.ts' // 2025-03-26 alone has batches

/** A revision with the `initialize` handshake that is not the newest of them, described by what it can express. */
export function createLegacyCodec(revision: Revision, has: WireFeatures): Codec {
  const newer = createHandshakeCodec(revision, has)
  return {
    ...newer,
    encodeResult: (method, result) =>
      encode(resultEncoders.get(method), newer.encodeResult(method, result), has),
    encodeParams: (method, params) => encode(paramsEncoders.get(method), params, has),
  }
}

/** What is left to change once a result is one of the newest revision. */
const resultEncoders = new Map<string, Encoder>([
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

const paramsEncoders = new Map<string, Encoder>([
  [
    'notifications/progress',
    (params: ProgressNotificationParams, has) =>
      has.progressMessage ? params : omit(params, ['message']),
  ],
])

/** Newest first. */
export const legacyCodecs: readonly Codec[] = /* @__PURE__ */ forEachRevision((revision, has) =>
  isLegacy(revision) ? createLegacyCodec(revision, has) : undefined,
)
