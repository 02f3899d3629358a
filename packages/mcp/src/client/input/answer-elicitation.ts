import { parseUrl } from '../../rpc/address/parse-url.ts'
import type { ElicitSchema } from '../../schema/input/elicit-schema.ts'
import {
  elicitParams,
  elicitResult,
  type ElicitRequestParams,
  type ElicitRequestURLParams,
} from '../../schema/input/elicitation.ts'
import type { CompileSchema } from '../../schema/json-schema/compile.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import { issuesOf } from '../tools/schema-issues.ts'
import type { InputContext, ElicitHandler, ElicitMode } from './input-handlers.ts'
import {
  expectResponse,
  invalid,
  invalidBecause,
  undeclared,
  unsayable,
  type PreparedRequest,
} from './prepared-input.ts'

const method = 'elicitation/create'

export interface ElicitationContext {
  readonly elicit: ElicitHandler
  readonly modes: readonly ElicitMode[]
  readonly codec: Pick<RequestCodec, 'has'> | undefined
  readonly compileSchema: CompileSchema | undefined
  /** A link is about to be offered, whose end the server may announce. */
  readonly onLink: ((elicitationId: string) => void) | undefined
}

/** A form to fill in or a link to offer, ready for the handler. */
export function readElicitation(params: JsonObject, parts: ElicitationContext): PreparedRequest {
  const problem = invalid(method, elicitParams(params))
  if (problem !== undefined) return problem
  const request = params as unknown as ElicitRequestParams // just checked
  const mode = request.mode ?? 'form'
  if (mode === 'url') {
    const wrong = unsayable(method, params, parts.codec)
    if (wrong !== undefined) return wrong
  }
  if (!parts.modes.includes(mode)) return undeclared(`this client has no elicitation by ${mode}`)
  if (request.mode === 'url') return readLink(request, parts)
  // A form with fields of a later revision is taken: servers send such, and it can be filled in.
  const { message, requestedSchema } = request
  return { kind: 'ready', run: (about) => fillIn(message, requestedSchema, parts, about) }
}

function readLink(
  request: ElicitRequestURLParams,
  { elicit, codec, onLink }: ElicitationContext,
): PreparedRequest {
  const { url, elicitationId } = request
  if (!isWebAddress(url)) return invalidBecause(method, `url: expected an https or http address`)
  if (codec?.has.elicitationIds && elicitationId === undefined) {
    return invalidBecause(method, 'elicitationId: expected a string')
  }
  return {
    kind: 'ready',
    async run(about) {
      if (elicitationId !== undefined) onLink?.(elicitationId)
      const result = await elicit(request, about)
      expectResponse(elicitResult(result), 'the answer of elicit()')
      return { action: result.action } // what was entered there is none of our business
    },
  }
}

async function fillIn(
  message: string,
  requestedSchema: ElicitSchema,
  { elicit, compileSchema }: ElicitationContext,
  about: InputContext,
): Promise<object> {
  const result = await elicit({ mode: 'form', message, requestedSchema }, about)
  if (typeof result !== 'object' || result?.action !== 'accept') {
    expectResponse(elicitResult(result), 'the answer of elicit()')
    return { action: result.action }
  }
  const content = withDefaults('content' in result ? result.content : {}, requestedSchema)
  expectResponse(elicitResult({ action: 'accept', content }), 'the answer of elicit()')
  const issues = await issuesOf(content, requestedSchema, compileSchema)
  if (issues)
    throw new TypeError(`elicit() gave content that does not fit the form: ${issues[0]?.message}`)
  return { action: 'accept', content }
}

/** A field nobody touched is submitted as the form had it. */
function withDefaults(content: object, { properties }: ElicitSchema): object {
  const untouched = Object.entries(properties).flatMap(([name, property]) => {
    const isPresent = (content as JsonObject)[name] !== undefined // read by name only
    return isPresent || property.default === undefined ? [] : [[name, property.default] as const]
  })
  return untouched.length === 0 ? content : { ...content, ...Object.fromEntries(untouched) }
}

/** Whatever else an address can start is not for a server to start. */
function isWebAddress(url: string): boolean {
  return /^https?:$/.test(parseUrl(url)?.protocol ?? '')
}
