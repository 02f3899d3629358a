import { anySignal } from '../../rpc/any-signal.ts'
import { principalOf } from '../../rpc/auth-info.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { taskCancelled, unknownTask } from '../../rpc/errors/task-errors.ts'
import type { InputRequest } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import { isTerminal } from '../../schema/tasks.ts'
import { metaKeys } from '../../wire/envelope.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import type { Call } from '../calls/call.ts'
import type { TaskHost } from './task-host.ts'
import type { TaskAnswer, TaskRecord } from './task-store.ts'

/** `tasks/result`: waits for a task and answers like the call that started it; sends its input requests meanwhile. */
export async function awaitResult(host: TaskHost, taskId: string, call: Call): Promise<JsonObject> {
  const { caller } = call
  const principal = principalOf(caller.auth)
  const sent = new Map<string, AbortController>()
  let wake: () => void = () => undefined
  const held = [
    host.store.watch(principal, taskId, () => wake()),
    host.waiters.enter(taskId, caller),
  ]
  call.signal.addEventListener('abort', () => wake(), { once: true })

  async function ask(key: string, { method, params }: InputRequest): Promise<void> {
    const taken = new AbortController()
    sent.set(key, taken)
    const signal = anySignal(call.signal, taken.signal)
    const related = { ...params, _meta: { ...metaOf(params), [metaKeys.task]: { taskId } } }
    try {
      const timeoutMs = caller.limits.inputMs
      await answer(key, { result: await caller.request(method, related, { timeoutMs, signal }) })
    } catch (error) {
      // Other failures concern this channel only: the input request stays open for the next one.
      if (isRpcError(error)) await answer(key, { error: caller.codec.encodeError(error) })
    }
  }

  async function answer(key: string, given: TaskAnswer): Promise<void> {
    const event = { type: 'answered', answers: { [key]: given } } as const
    await host.access.change(principal, taskId, event, caller.clock)
  }

  /** Only the newest waiting call sends input requests, and only open ones. */
  function askOpen({ inputRequests = {} }: TaskRecord): void {
    const open = host.waiters.newest(taskId) === caller ? inputRequests : {}
    for (const [key, taken] of sent) {
      if (Object.hasOwn(open, key)) continue
      taken.abort(new RpcError('invalid_request', 'the question has been answered elsewhere'))
      sent.delete(key)
    }
    for (const [key, request] of Object.entries(open)) {
      if (!sent.has(key)) void ask(key, request)
    }
  }

  try {
    while (!call.isAborted) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const record = await host.access.find(principal, taskId, call)
      if (record === undefined) throw unknownTask(taskId)
      if (isTerminal(record)) return resultOf(record, call)
      askOpen(record)
      const look = host.lookMs && caller.clock.setTimer(wake, host.lookMs)
      await changed
      if (look) look[Symbol.dispose]()
    }
    return {}
  } finally {
    for (const each of held) each[Symbol.dispose]()
    for (const taken of sent.values()) taken.abort(call.signal.reason)
  }
}

function metaOf(params: JsonObject | undefined): object {
  return (params?.['_meta'] as JsonObject | undefined) ?? {} // an object wherever it is set
}

function resultOf({ taskId, result, error }: TaskRecord, { caller }: Call): JsonObject {
  if (error) throw decodeWireError(error)
  if (result === undefined) throw taskCancelled()
  const encoded = caller.codec.encodeResult('tools/call', result) as JsonObject // results are JSON
  return { ...encoded, _meta: { ...metaOf(encoded), [metaKeys.task]: { taskId } } }
}
