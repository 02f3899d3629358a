import { McpError } from '../rpc/mcp-error.ts'
import { isRpcError, RpcError } from '../rpc/rpc-error.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import { describeProblem, type Check } from '../schema/check.ts'
import {
  elicitParams,
  elicitResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type ElicitURLResult,
} from '../schema/elicitation.ts'
import { listRootsResult, type Root } from '../schema/roots.ts'
import {
  createMessageParams,
  createMessageResult,
  type CreateMessageRequestParams,
  type CreateMessageResult,
} from '../schema/sampling.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { Call } from './call.ts'
import { describeIssues, invalidSchema, prepareSchema, type PreparedSchema } from './user-schema.ts'

/** Asks the user: a form, whose accepted content is checked here too, or a link. */
export async function elicit(
  call: Call,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
): Promise<ElicitResult<unknown> | ElicitURLResult> {
  if (params.mode === 'url') {
    requireCapability(call, 'elicitation/create', { elicitation: { url: {} } })
    const { action } = await ask(call, 'elicitation/create', params, elicitResult)
    return { action }
  }
  requireCapability(call, 'elicitation/create', { elicitation: {} })
  const form = prepareForm(params.requestedSchema)
  const question = { message: params.message, requestedSchema: form.json }
  refuse(elicitParams(question), 'elicit: requestedSchema')
  const answer = await ask(call, 'elicitation/create', question, elicitResult)
  if (answer.action !== 'accept') return { action: answer.action }
  const checked = await form.validate(answer.content ?? {})
  if (checked.issues) throw unusable(call, 'elicitation/create', describeIssues(checked.issues))
  return { action: 'accept', content: checked.value }
}

/** Asks the client's model. */
export async function sample(
  call: Call,
  params: CreateMessageRequestParams,
): Promise<CreateMessageResult> {
  requireCapability(call, 'sampling/createMessage', { sampling: {} })
  refuse(createMessageParams(params), 'sample')
  const answer = await ask(call, 'sampling/createMessage', params, createMessageResult)
  try {
    call.caller.codec.encodeResult('sampling/createMessage', answer)
    return answer
  } catch (error) {
    // What this revision cannot say has broken it, although a later one allows it.
    throw isRpcError(error) ? unusable(call, 'sampling/createMessage', error.message) : error
  }
}

/** Asks which folders the client works in. */
export async function listRoots(call: Call): Promise<readonly Root[]> {
  requireCapability(call, 'roots/list', { roots: {} })
  const { roots } = await ask(call, 'roots/list', undefined, listRootsResult)
  return roots
}

const forms = new WeakMap<object, PreparedSchema>()

function prepareForm(schema: Schema): PreparedSchema {
  const known = forms.get(schema)
  if (known !== undefined) return known
  const form = prepareSchema(schema, { feature: 'elicit: requestedSchema', io: 'input' })
  forms.set(schema, form)
  return form
}

/** A question the caller cannot be asked fails before anything is sent. */
function requireCapability(call: Call, method: string, required: ClientCapabilities): void {
  const { codec, client } = call.caller
  const [kind] = Object.keys(required) as (keyof ClientCapabilities)[] // one key, as written at each call
  const isAble = codec.serverRequests.has(method) && kind !== undefined && client.capabilities[kind]
  if (isAble) return
  throw new RpcError(
    'missing_client_capability',
    `this needs a client with ${kind}, which ${client.info?.name ?? 'this one'} does not offer in ${codec.revision}`,
    { data: { requiredCapabilities: required } },
  )
}

async function ask<T>(
  call: Call,
  method: string,
  params: object | undefined,
  check: Check<T>,
): Promise<T> {
  const { caller } = call
  if (call.isEnded) {
    throw new McpError('closed', `${method}: the call has been answered; ask before returning`, {
      details: undefined,
    })
  }
  const encoded = params === undefined ? undefined : caller.codec.encodeParams(method, params)
  const answer: unknown = await call.whileAsking(() =>
    caller.ask(method, encoded, { timeoutMs: caller.limits.inputMs, signal: call.signal }),
  )
  const problem = check(answer)
  if (problem !== undefined) throw unusable(call, method, describeProblem(problem))
  return answer as T // the check just proved it
}

function refuse(problem: ReturnType<Check<unknown>>, feature: string): void {
  if (problem !== undefined) throw invalidSchema(feature, describeProblem(problem))
}

function unusable(call: Call, method: string, why: string): McpError {
  const name = call.caller.client.info?.name
  return new McpError('invalid_message', `the client's answer to ${method} does not fit: ${why}`, {
    details: { excerpt: why },
    peer: name,
  })
}
