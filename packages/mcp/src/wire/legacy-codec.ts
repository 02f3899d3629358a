import { wireCodes } from '../rpc/rpc-error.ts'
import type { ElicitRequestParams } from '../schema/elicitation.ts'
import type { InitializeResult } from '../schema/lifecycle.ts'
import type { ProgressNotificationParams } from '../schema/progress.ts'
import type { GetPromptResult, ListPromptsResult } from '../schema/prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '../schema/resources.ts'
import type { Revision } from '../schema/revision.ts'
import type { ListRootsResult } from '../schema/roots.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from '../schema/sampling.ts'
import type { CallToolResult, ListToolsResult } from '../schema/tools.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeContents } from './downgrade-content.ts'
import { downgradePromptResult } from './downgrade-content.ts'
import { downgradeElicitation } from './downgrade-elicitation.ts'
import { downgradeImplementation } from './downgrade-greeting.ts'
import {
  downgradeCapabilities,
  downgradeItem,
  downgradePrompt,
  downgradeTool,
} from './downgrade-items.ts'
import { downgradeSampling, downgradeSamplingResult } from './downgrade-sampling.ts'
import { downgradeToolResult } from './downgrade-tool-result.ts'
import { decodeWireError, encodeWireError, type WireCodes } from './error-codes.ts'
import { omit } from './omit.ts'
import { decodeResult, encodeRequest } from './request-codec.ts'

type Encoder = (value: never, has: WireFeatures) => object

/** From 2025-11-25 on a link that must be opened first has a number of its own. */
const codes20251125: WireCodes = { ...wireCodes, url_elicitation_required: -32042 }

/** A revision with the `initialize` handshake, described by what it can express. */
export function createLegacyCodec(revision: Revision, has: WireFeatures): Codec {
  const questions = new Set(['sampling/createMessage', 'roots/list'])
  if (has.elicitation !== 'none') questions.add('elicitation/create')
  const tasks = has.tasks === 'core' ? taskRequests : []
  const codes = has.elicitationIds ? codes20251125 : undefined

  return {
    revision,
    has,
    clientRequests: new Set([...clientRequests, ...tasks]),
    serverRequests: new Set(['ping', ...questions, ...tasks]),
    questions,
    encodeResult: (method, result) => encode(resultEncoders.get(method), result, has),
    encodeParams(method, params) {
      const encoder = paramsEncoders.get(method)
      return encoder ? encode(encoder, params, has) : encodeRequest(method, params, has)
    },
    decodeResult,
    encodeError: (error) => encodeWireError(error, codes),
    decodeError: decodeWireError,
  }
}

function encode(encoder: Encoder | undefined, value: object, has: WireFeatures): object {
  return encoder === undefined ? value : encoder(value as never, has) // the table pairs each method with its own type
}

/** Either side may ask for work in the background, and then asks about it. */
const taskRequests = ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']

const clientRequests: readonly string[] = [
  'ping',
  'initialize',
  'completion/complete',
  'logging/setLevel',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'tools/call',
  'tools/list',
]

/** Where a call was answered with a task, its result comes by another way. */
interface StartedTask {
  readonly task: object
}

/** How long an answer may be kept is newer than all of these. */
function withoutHints<T extends object>(result: T): T {
  return omit(result, ['ttlMs', 'cacheScope'])
}

const resultEncoders = new Map<string, Encoder>([
  [
    'initialize',
    (result: InitializeResult, has) => ({
      ...result,
      serverInfo: downgradeImplementation(result.serverInfo, has),
      capabilities: downgradeCapabilities(result.capabilities, has),
    }),
  ],
  [
    'tools/list',
    (result: ListToolsResult, has) => ({
      ...withoutHints(result),
      tools: result.tools.map((tool) => downgradeTool(tool, has)),
    }),
  ],
  [
    'tools/call',
    (result: CallToolResult | StartedTask, has) =>
      'content' in result ? downgradeToolResult(result, has) : result,
  ],
  [
    'resources/list',
    (result: ListResourcesResult, has) => ({
      ...withoutHints(result),
      resources: result.resources.map((resource) => downgradeItem(resource, has)),
    }),
  ],
  [
    'resources/templates/list',
    (result: ListResourceTemplatesResult, has) => ({
      ...withoutHints(result),
      resourceTemplates: result.resourceTemplates.map((template) => downgradeItem(template, has)),
    }),
  ],
  [
    'resources/read',
    (result: ReadResourceResult, has) => ({
      ...withoutHints(result),
      contents: downgradeContents(result.contents, has),
    }),
  ],
  [
    'prompts/list',
    (result: ListPromptsResult, has) => ({
      ...withoutHints(result),
      prompts: result.prompts.map((prompt) => downgradePrompt(prompt, has)),
    }),
  ],
  ['prompts/get', (result: GetPromptResult, has) => downgradePromptResult(result, has)],
  [
    'sampling/createMessage',
    (result: CreateMessageResult, has) => downgradeSamplingResult(result, has),
  ],
  [
    'roots/list',
    (result: ListRootsResult, has) =>
      has.itemMeta
        ? result
        : { ...result, roots: result.roots.map((root) => omit(root, ['_meta'])) },
  ],
])

/** What a server sends; requests of a client are elsewhere. */
const paramsEncoders = new Map<string, Encoder>([
  [
    'notifications/progress',
    (params: ProgressNotificationParams, has) => {
      if (has.progressMessage || params.message === undefined) return params
      const { message: _, ...rest } = params
      return rest
    },
  ],
  [
    'sampling/createMessage',
    (params: CreateMessageRequestParams, has) => downgradeSampling(params, has),
  ],
  ['elicitation/create', (params: ElicitRequestParams, has) => downgradeElicitation(params, has)],
])
