/**
 * Passes one request to its server and the answer back, through all checks: finds the connection of the caller, or the process that
 * has it, sends the request, and looks at what comes back, be it a result, a question or a task. `relay.ts` decides which server a
 * request is about.
 */

import { isRpcError, RpcError, type JsonObject } from '@parley/mcp'
import {
  isUnanswered,
  ForwardedCall,
  type BackendOutcome,
  type BackendCall,
} from '@parley/mcp/internal/relay'
import { isJsonObject } from '@parley/mcp/json'
import { type ProxySession } from '@parley/mcp/proxy'

import type { Check, CheckedRequest, Rejection, Subject } from '../checks/check.ts'
import type { Done } from '../cluster/forward-listener.ts'
import type { Processes } from '../cluster/processes.ts'
import { IdentityRejection } from '../identity/identity-refusal.ts'
import { rejectCaller, withoutGatewayReplies } from '../identity/refuse-caller.ts'
import { rejectionOf } from '../upstreams/upstream-state.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { callerOf, ownerOf } from './caller.ts'
import type { GatewayCore } from './core.ts'
import { hasState, isGatewayState, openState, encryptState } from './request-states.ts'
import type { GatewaySession } from './session.ts'

/** A request about something of one server. */
export interface Passed {
  readonly upstream: Upstream
  readonly subject: Subject
  /** The arguments as the caller sent them. */
  readonly arguments: JsonObject
  /** The params for the server, with these arguments; a text says why they cannot be meant. */
  paramsFor(args: JsonObject): JsonObject | string
  /** The process that it has to be done at, where that is known. */
  readonly at?: string | undefined
}

/** Passes a request to its server and the answer back, through all checks. */
export function passOn(
  core: GatewayCore,
  call: BackendCall,
  passed: Passed,
): Promise<BackendOutcome> {
  return core.checks.length === 0
    ? send(core, call, passed, passed.arguments)
    : passChecked(core, call, passed)
}

async function passChecked(
  core: GatewayCore,
  call: BackendCall,
  passed: Passed,
): Promise<BackendOutcome> {
  const { checks } = core
  const through: Check[] = []
  let request = requestOf(call, call.method, passed.subject, passed.arguments)
  try {
    const checked = await checkBefore(checks, request, through)
    if (isRejection(checked)) return reject(call, checked)
    request = checked
    const answer = await send(core, call, passed, request.arguments)
    return await checkAfter(checks, call, request, answer)
  } finally {
    for (const check of through) check.ended?.(request)
  }
}

/** Checks the outcome, whatever it is: a result, an input request, a task. */
async function checkAfter(
  checks: readonly Check[],
  call: BackendCall,
  request: CheckedRequest,
  answer: BackendOutcome,
): Promise<BackendOutcome> {
  if (answer.kind !== 'raw' && answer.kind !== 'result') return answer
  // Our own seal is nothing to look into, and nothing of it may be changed.
  const { requestState, ...input } = answer.result as JsonObject // it is sent as JSON
  let result: JsonObject = input
  for (const check of checks.toReversed()) {
    const changed = await check.after?.(request, result)
    if (changed === undefined) continue
    if (isRejection(changed)) return reject(call, changed)
    result = changed
  }
  if (result === input) return answer
  return {
    kind: answer.kind,
    result: requestState === undefined ? result : { ...result, requestState },
  }
}

/** Whether a caller may follow a resource; where not, it is left out of what is followed. */
export async function mayFollow(
  { checks }: GatewayCore,
  call: BackendCall,
  subject: Subject,
): Promise<boolean> {
  const through: Check[] = []
  const request = requestOf(call, 'resources/subscribe', subject, {})
  try {
    return !isRejection(await checkBefore(checks, request, through))
  } finally {
    for (const check of through) check.ended?.(request)
  }
}

function requestOf(
  { caller, signal }: BackendCall,
  method: string,
  subject: Subject,
  args: JsonObject,
): CheckedRequest {
  return { caller: callerOf(caller), method, subject, arguments: args, signal }
}

/** The request as it goes on, or why it does not. `through` gets the checks that have begun with it. */
async function checkBefore(
  checks: readonly Check[],
  incoming: CheckedRequest,
  through: Check[],
): Promise<CheckedRequest | Rejection> {
  let request = incoming
  for (const check of checks) {
    const changed = await check.before?.(request)
    if (changed !== undefined && isRejection(changed)) return changed
    through.push(check)
    if (check.shows?.(request.caller, request.subject) === false) {
      return hiddenRejection(check, request.subject)
    }
    if (changed !== undefined) request = { ...request, arguments: changed }
  }
  return request
}

function hiddenRejection({ name }: Check, { kind, exposedName }: Subject): Rejection {
  return {
    rejected: true,
    rule: name,
    message: `${kind} ${JSON.stringify(exposedName)} is not allowed for this caller, by the rule ${JSON.stringify(name)}`,
  }
}

/** The same for a request about something that was begun by one that was checked: what comes back is looked at. */
export async function passLater(
  core: GatewayCore,
  call: BackendCall,
  passed: Passed,
): Promise<BackendOutcome> {
  const answer = await send(core, call, passed, passed.arguments)
  if (core.checks.length === 0) return answer
  const request = requestOf(call, call.method, passed.subject, passed.arguments)
  return checkAfter(core.checks, call, request, answer)
}

function isRejection(value: JsonObject | CheckedRequest | Rejection): value is Rejection {
  return 'rejected' in value && value['rejected'] === true && typeof value['rule'] === 'string'
}

async function send(
  core: GatewayCore,
  call: BackendCall,
  passed: Passed,
  args: JsonObject,
): Promise<BackendOutcome> {
  const { upstream, subject, paramsFor } = passed
  if (upstream.state.state === 'starting') await upstream.started
  if (upstream.state.state !== 'ready') await upstream.usable(call.signal)
  const rejection = rejectionOf(upstream.name, upstream.state, Date.now())
  if (rejection !== undefined) return fail(call, rejection)
  const meant = paramsFor(args)
  if (typeof meant === 'string') return toolError(meant)
  const { params: opened, at } = hasState(meant)
    ? await openState(call, upstream.name, meant)
    : { params: meant }
  const isForCaller = upstream.callers !== undefined
  const params = isForCaller ? withoutGatewayReplies(opened) : opened
  const processes = isForCaller ? undefined : core.processes // another process has no token of the caller
  core.observer?.sent(call, upstream.name, params)
  try {
    const done: Done & { readonly at?: string } = processes
      ? await processes.send(
          { call, upstream, params: withTrace(call, params), at: at ?? passed.at },
          () => sendHere(core, call, upstream, params),
        )
      : await sendHere(core, call, upstream, params)
    const { answer, isParked } = done
    core.observer?.returned(call, upstream.name, { kind: 'answer', answer })
    if (answer.kind !== 'raw') return answer
    remember(core, call, subject, answer.result, done.at)
    if (!hasState(answer.result)) return answer
    const waitsAt = isParked ? done.at : undefined
    return await encryptState(call, upstream.name, answer, waitsAt)
  } catch (error) {
    core.observer?.returned(call, upstream.name, { kind: 'failed', error })
    if (error instanceof IdentityRejection) return rejectCaller(core.signIns, upstream, call, error)
    if (!isRpcError(error, 'overloaded')) throw error
    return fail(call, error.message)
  }
}

/** Another process has nothing of the call but its params. */
function withTrace({ trace }: BackendCall, params: JsonObject): JsonObject {
  if (trace === undefined) return params
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  return { ...params, _meta: { ...meta, ...trace } }
}

/** To the server, by a connection of this process. */
export async function sendHere(
  core: GatewayCore,
  call: BackendCall,
  upstream: Upstream,
  params: JsonObject,
): Promise<Done> {
  for (let tries = 1; ; tries += 1) {
    const done = await sendOnce(core, call, upstream, params)
    if (!('notSent' in done)) return done
    const isBack = tries < maxTries && (await upstream.usable(call.signal))
    if (!isBack) return { answer: fail(call, done.notSent), isParked: false }
  }
}

/** How often a call is tried whose server could not be reached for it. */
const maxTries = 3

/** `notSent` says why nothing of it has left. */
async function sendOnce(
  core: GatewayCore,
  call: BackendCall,
  upstream: Upstream,
  params: JsonObject,
): Promise<Done | { readonly notSent: string }> {
  const processes = upstream.callers === undefined ? core.processes : undefined
  const routed = new ForwardedCall(call, { params })
  upstream.began()
  try {
    const opening = sessionFor(processes, call, upstream)
    const session = opening instanceof Promise ? await opening : opening
    const answer = await (session?.request(routed) ?? upstream.proxy.relay.request(routed))
    if (answer.kind === 'error' && isUnanswered(answer)) {
      const why = `the server ${JSON.stringify(upstream.name)} did not answer: ${plain(answer.error.message)}`
      upstream.suspect(new Error(why))
      return { answer: fail(call, why), isParked: false }
    }
    if (processes === undefined) return { answer, isParked: false }
    const isFollowing = /^resources\/(?:un)?subscribe$/.test(call.method)
    if (isFollowing && session && answer.kind !== 'error') {
      await processes.noteFollowed(upstream, routed)
    }
    return { answer, isParked: await isGatewayState(routed, answer) }
  } catch (error) {
    if (!isRpcError(error)) throw error
    if (error.code !== 'internal_error' && error.code !== 'overloaded') throw error
    const why = `the server ${JSON.stringify(upstream.name)} cannot be used now: ${plain(error.message)}`
    upstream.suspect(new Error(why, { cause: error }))
    return { notSent: why }
  } finally {
    upstream.ended()
  }
}

/** Undefined for a request that stands alone. */
function sessionFor(
  processes: Processes | undefined,
  call: BackendCall,
  upstream: Upstream,
): Promise<ProxySession> | ProxySession | undefined {
  const { caller } = call
  if (processes && caller.sessionId !== undefined) return processes.sessionAt(upstream, call)
  const session = caller.backend as GatewaySession | undefined // made by the gateway's relay alone
  return session?.at(upstream, call)
}

function plain(message: string): string {
  return message.replace(/^the server behind this proxy cannot be used: /, '')
}

/** For a model: what happened to which server. Anything but a tool call ends with an error. */
export function fail(call: BackendCall, why: string): BackendOutcome {
  if (call.method !== 'tools/call') throw new RpcError('overloaded', why)
  return toolError(why)
}

function reject(call: BackendCall, { message, rule }: Rejection): BackendOutcome {
  if (call.method === 'tools/call') return toolError(message)
  throw new RpcError('forbidden', message, { data: { option: rule } })
}

function toolError(text: string): BackendOutcome {
  return { kind: 'result', result: { content: [{ type: 'text', text }], isError: true } }
}

/** Links and tasks in a result are asked for where they came from. */
function remember(
  { origins, processes }: GatewayCore,
  { caller, method }: BackendCall,
  subject: Subject,
  result: object,
  at: string | undefined,
): void {
  if (method.startsWith('tasks/')) return // it was remembered when it began, at the process that has it
  const { content, task, taskId } = result as JsonObject // as it came
  const id = isJsonObject(task) ? task['taskId'] : taskId
  if (typeof id === 'string') {
    const { definition: _, ...origin } = subject
    origins.remember(ownerOf(caller), `task ${id}`, subject)
    processes?.rememberOrigin(`${ownerOf(caller)} ${id}`, { ...origin, node: at ?? processes.node })
  }
  if (!Array.isArray(content)) return
  for (const block of content) {
    if (!isJsonObject(block)) continue
    const { type, uri, resource } = block
    const linked =
      type === 'resource_link' ? uri : isJsonObject(resource) ? resource['uri'] : undefined
    if (typeof linked === 'string') origins.remember(ownerOf(caller), linked, subject)
  }
}
