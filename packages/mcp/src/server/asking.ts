import { McpError } from '../rpc/mcp-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { Call } from './call.ts'
import type { Question } from './question.ts'

/** Asks the caller of a call: now, and waits; or, where a server cannot, by ending the round. */
export async function ask<T>(call: Call, question: Question<T>, key?: string): Promise<T> {
  requireCapability(call, question)
  if (call.isEnded) {
    const why = `${question.method}: the call has been answered; ask before returning`
    throw new McpError('closed', why, { details: undefined })
  }
  return call.caller.codec.has.liveQuestions
    ? askNow(call, question)
    : call.rounds().ask(question, key)
}

/** A question the caller cannot be asked fails before anything is sent. */
export function requireCapability(call: Call, { method, requires }: Question): void {
  const { codec, client } = call.caller
  const [kind] = Object.keys(requires) as (keyof ClientCapabilities)[] // one key, as every question has
  const isAble = codec.questions.has(method) && kind !== undefined && client.capabilities[kind]
  if (isAble) return
  throw new RpcError(
    'missing_client_capability',
    `this needs a client with ${kind}, which ${client.info?.name ?? 'this one'} does not offer in ${codec.revision}`,
    { data: { requiredCapabilities: requires } },
  )
}

/** A request on the call's own stream; the work grows no older while a person is asked. */
export async function askNow<T>(call: Call, question: Question<T>): Promise<T> {
  const { caller } = call
  const { method } = question
  const params = encodeQuestion(call, question)
  const answer: unknown = await call.whileAsking(() =>
    caller.ask(method, params, { timeoutMs: caller.limits.inputMs, signal: call.signal }),
  )
  const read = await question.read(answer, caller.codec)
  if (read.problem === undefined) return read.value
  throw new McpError(
    'invalid_message',
    `the client's answer to ${method} does not fit: ${read.problem}`,
    { details: { excerpt: read.problem }, peer: caller.client.info?.name },
  )
}

/** Throws `RpcError` for what the caller's revision cannot ask. */
export function encodeQuestion(call: Call, { method, params }: Question): object | undefined {
  return params === undefined ? undefined : call.caller.codec.encodeParams(method, params)
}
