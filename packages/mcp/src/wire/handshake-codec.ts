import type { InitializeResult } from '../schema/lifecycle.ts'
import type { Revision } from '../schema/revision.ts'
import type { CallToolResult, ListToolsResult } from '../schema/tools.ts'
import { questionsIn, taskRequestsIn } from './asked-methods.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeCapabilities } from './downgrade-initialize.ts'
import { downgradeStructured, downgradeTool } from './downgrade-tools.ts'
import { codesByHandshake, encodeWireError } from './error-codes.ts'
import { forEachRevision, isLegacy } from './features.ts'
import { omit } from './omit.ts'

/** The newest revision with the `initialize` handshake; what the older ones lack besides is in `legacy-codec.ts`. */
export function createHandshakeCodec(revision: Revision, has: WireFeatures): Codec {
  const codes = codesByHandshake(has)
  return {
    revision,
    has,
    clientRequests: new Set([...clientRequests, ...taskRequestsIn(has)]),
    questions: questionsIn(has),
    encodeResult: (method, result) => encode(encoders.get(method), result, has),
    encodeParams: (_, params) => params,
    encodeError: (error) => encodeWireError(error, codes),
  }
}

/** How a value is written in a revision. */
export type Encoder = (value: never, has: WireFeatures) => object

/** As it is where nothing needs changing. */
export function encode(encoder: Encoder | undefined, value: object, has: WireFeatures): object {
  return encoder === undefined ? value : encoder(value as never, has) // the table pairs each method with its own type
}

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

const encoders = new Map<string, Encoder>([
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
      ...withoutHints(result),
      tools: result.tools.map((tool) => downgradeTool(tool, has)),
    }),
  ],
  [
    'tools/call',
    (result: CallToolResult | StartedTask, has) =>
      'content' in result ? downgradeStructured(result, has) : result,
  ],
  ['resources/list', withoutHints],
  ['resources/templates/list', withoutHints],
  ['resources/read', withoutHints],
  ['prompts/list', withoutHints],
])

/** The newest one, by itself. */
export const handshakeCodecs: readonly Codec[] = /* @__PURE__ */ forEachRevision((revision, has) =>
  has.handshake && !isLegacy(revision) ? createHandshakeCodec(revision, has) : undefined,
)
