import { McpError } from '../../rpc/errors/mcp-error.ts'
import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitURLResult,
} from '../../schema/input/elicitation.ts'
import type { Root } from '../../schema/input/input.ts'
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
} from '../../schema/input/sampling.ts'
import type { Call } from '../calls/call.ts'
import type { InputRequestOptions, InputOptions } from '../context.ts'
import { requestNow, requireCapability } from './ask-now.ts'
import { roundsOf } from './input-rounds.ts'
import {
  requestForm,
  requestUrl,
  askModel,
  requestRoots,
  type InputRequestForm,
} from './question.ts'

/** `context.elicit`: a form, or a link. */
export async function elicit(
  call: Call,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  options?: InputOptions,
): Promise<ElicitResult<unknown> | ElicitURLResult> {
  return params.mode === 'url'
    ? ask(call, requestUrl(params), options)
    : ask(call, requestForm(params), options)
}

/** `context.sample`. */
export async function sample(
  call: Call,
  params: CreateMessageRequestParams,
  options?: InputOptions,
): Promise<CreateMessageResult> {
  return ask(call, askModel(params), options)
}

/** `context.listRoots`. */
export function listRoots(call: Call, options?: InputRequestOptions): Promise<readonly Root[]> {
  return ask(call, requestRoots(), options)
}

/** Sends an input request now and waits, or ends the round with it, as the revision has it. */
async function ask<T>(
  call: Call,
  inputRequest: InputRequestForm<T>,
  { key, task }: InputOptions = {},
): Promise<T> {
  requireCapability(call, inputRequest)
  if (call.isEnded || call.isSuspended) {
    const why = `${inputRequest.method}: the call has been answered; ask before returning`
    throw new McpError('closed', why, { details: undefined })
  }
  const rounds = roundsOf(call)
  const name = rounds.name(key) // in every revision, so that a key used twice is always found
  if (call.caller.codec.has.serverRequests) return requestNow(call, inputRequest, key, task)
  return rounds.ask(
    inputRequest,
    name,
    call.background && (() => requestNow(call, inputRequest, name)),
  )
}
