import { RpcError } from '../rpc/rpc-error.ts'
import type { ServerCapabilities } from '../schema/capabilities.ts'
import { describeProblem } from '../schema/check.ts'
import type { JsonObject } from '../schema/json.ts'
import { initializeParams, type InitializeRequestParams } from '../schema/lifecycle.ts'
import type { Revision } from '../schema/revision.ts'
import { answerVersion } from '../session/answer-version.ts'
import type { Codec } from '../wire/codec.ts'
import { capabilitiesOf, type KnownCaller } from './capabilities.ts'
import type { Definition } from './definition.ts'
import { instructionsOf } from './instructions.ts'

/** What a handshake settles: who the client is, which revision is spoken, and what it is told. */
export interface Greeting {
  /** What the client said about itself; without a session nothing is known. */
  readonly hello: Pick<InitializeRequestParams, 'capabilities'> & Partial<InitializeRequestParams>
  readonly codec: Codec
  readonly declared: ServerCapabilities
  /** The result of `initialize`, as that revision writes it. */
  readonly result: object
}

/** Answers `initialize`; throws `RpcError` for params that are none. `codecs` has one for each of the revisions. */
export function greet(
  definition: Definition,
  params: JsonObject,
  revisions: readonly string[],
  codecs: (revision: Revision) => Codec,
  caller?: KnownCaller,
): Greeting {
  const problem = initializeParams(params)
  if (problem) throw new RpcError('invalid_params', `initialize: ${describeProblem(problem)}`)
  const hello = params as unknown as InitializeRequestParams // just checked
  const codec = codecs(answerVersion(hello.protocolVersion, revisions))
  const declared = capabilitiesOf(definition, caller)
  return { hello, codec, declared, result: resultFor(definition, codec, declared) }
}

/** The same for all who are told the same. */
function resultFor(definition: Definition, codec: Codec, declared: ServerCapabilities): object {
  const instructions = instructionsOf(definition)
  const known = results.get(declared)
  const isSame = known?.codec === codec && known.instructions === instructions
  if (isSame) return known.result
  const result = codec.encodeResult('initialize', {
    protocolVersion: codec.revision,
    capabilities: declared,
    serverInfo: definition.info,
    ...(instructions !== undefined && { instructions }),
  })
  results.set(declared, { codec, instructions, result })
  return result
}

interface LastResult {
  readonly codec: Codec
  readonly instructions: string | undefined
  readonly result: object
}

/** The last for what was declared, which is one object until the definition changes. */
const results = new WeakMap<ServerCapabilities, LastResult>()
