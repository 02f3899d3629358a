import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { resultText } from '../../rpc/json/result-text.ts'
import { jsonWeight } from '../../rpc/json/scan-json.ts'
import type { Request } from '../../rpc/message.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import { describeProblem } from '../../schema/check.ts'
import { initializeParams, type InitializeRequestParams } from '../../schema/lifecycle.ts'
import type { Revision } from '../../schema/revision.ts'
import type { Codec } from '../../wire/codec.ts'
import { capabilitiesOf, type KnownCaller } from '../capabilities.ts'
import type { Definition } from '../definition.ts'
import { indexOf } from '../feature-index.ts'
import { instructionsOf } from '../instructions.ts'
import { answerVersion } from './answer-version.ts'

/** What a handshake settles: who the client is, which revision is spoken, and what it was told the server can do. */
export interface Greeting {
  /** What the client said about itself; without a session nothing is known. */
  readonly hello: Pick<InitializeRequestParams, 'capabilities'> & Partial<InitializeRequestParams>
  readonly codec: Codec
  readonly declared: ServerCapabilities
}

/** A greeting, and how it is answered. */
export interface AnsweredGreeting extends Greeting {
  /** What it takes to remember it. */
  readonly bytes: number
  /** The response to `initialize` as JSON text. */
  readonly response: string
}

/** Who greets, and how much it may say about itself. */
export interface GreetingOptions {
  readonly caller?: KnownCaller | undefined
  readonly clientBytes: number
}

/** Answers `initialize`; throws `RpcError` for params that are none. `codecs` has one for each of the revisions. */
export function greet(
  definition: Definition,
  { id, params }: Request,
  revisions: readonly string[],
  codecs: (revision: Revision) => Codec,
  { caller, clientBytes }: GreetingOptions,
): AnsweredGreeting {
  const problem = initializeParams(params)
  if (problem) throw new RpcError('invalid_params', `initialize: ${describeProblem(problem)}`)
  const hello = params as unknown as InitializeRequestParams // just checked
  const said = JSON.stringify({ clientInfo: hello.clientInfo, capabilities: hello.capabilities })
  requireShort(said, clientBytes)
  const codec = codecs(answerVersion(hello.protocolVersion, revisions))
  const declared = capabilitiesOf(definition, caller)
  return {
    // The rest is not needed again, and may be long.
    hello: { clientInfo: hello.clientInfo, capabilities: hello.capabilities },
    bytes: jsonWeight(said),
    codec,
    declared,
    response: resultText(id, resultFor(definition, codec, declared)),
  }
}

/** It is remembered for as long as the session lasts. */
function requireShort({ length: seen }: string, allowed: number): void {
  if (seen <= allowed) return
  const why = `initialize: clientInfo and capabilities are ${seen} characters of JSON; limits.clientBytes allows ${allowed}`
  throw new RpcError('limit_exceeded', why, { data: { limit: 'clientBytes', allowed, seen } })
}

/** The same for all who are told the same, which are all unless an extension has something to say to this caller. */
function resultFor(definition: Definition, codec: Codec, declared: ServerCapabilities): string {
  const index = indexOf(definition)
  if (declared !== index.declared) return encodeGreeting(definition, codec, declared)
  const known = index.greetings.get(codec)
  if (known !== undefined) return known
  const json = encodeGreeting(definition, codec, declared)
  index.greetings.set(codec, json)
  return json
}

function encodeGreeting(
  definition: Definition,
  codec: Codec,
  capabilities: ServerCapabilities,
): string {
  const instructions = instructionsOf(definition)
  const result = codec.encodeResult('initialize', {
    protocolVersion: codec.revision,
    capabilities,
    serverInfo: definition.info,
    ...(instructions !== undefined && { instructions }),
  })
  return JSON.stringify(result)
}
