/**
 * Requests to a proxy that stand alone: those of 2026-07-28, and all where sessions are off. For each it finds the connection to
 * the server (`upstream-pool.ts`), forwards the request, and answers in the client's revision.
 *
 * A server with sessions may ask the client while it works; the call is then parked and the client comes again with answers
 * (`parked-calls.ts`). `discover` and `subscriptions/listen` are answered here, from what the server offers. Clients with a
 * session are served by `proxy-session.ts`.
 */

import type { ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession } from '../../client/connection/session.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { describeProblem } from '../../schema/check.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { listenParams, type ListenParams } from '../../schema/subscriptions.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Outcome } from '../../server/calls/dispatch.ts'
import { encryptText } from '../../server/input/request-state.ts'
import { declaresTasks } from '../../server/tasks/task-calls.ts'
import { tasksExtension } from '../../wire/downgrade-initialize.ts'
import { encodeInputRequest } from '../../wire/downgrade-input.ts'
import { wrongHeader } from '../../wire/headers.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import { finishAtOnce, forward, learnTools, progressOf, type Forwarded } from './forward.ts'
import { finishRounds } from './input-rounds.ts'
import { createParkedCalls, rejected } from './parked-calls.ts'
import type { ProxySettings } from './proxy-options.ts'
import { isWanted } from './proxy-session.ts'
import { requireMethod } from './require-method.ts'
import type { TaskSupport } from './seen-tools.ts'
import { tellInTurn } from './slow-reader.ts'
import { finishForTask, hostedCall, taskResult } from './tasks/hosted-call.ts'
import { hasOtherTasks, isAboutTasks } from './tasks/task-kinds.ts'
import type { UpstreamPool } from './upstream-pool.ts'
import type { UpstreamSubscription } from './upstream-subscriptions.ts'
import type { Upstream } from './upstream.ts'

/** Answers requests that stand alone: of 2026-07-28, or where sessions are off. */
export function createModernCalls(
  settings: ProxySettings,
  upstreams: UpstreamPool,
): (call: Call) => MaybePromise<Outcome> {
  const { tasks } = settings
  const parked = createParkedCalls(settings, () => upstreams.legacyFeatures())

  return (call) => {
    const { method, caller } = call
    requireMethod(call)
    if (isAboutTasks(method) && upstreams.legacyFeatures()) return tasks.request(call)
    if (method === 'tools/call') requireRepeated(settings, call)
    return caller.stateSecrets !== undefined && 'requestState' in call.params
      ? resume(call)
      : start(call, false)
  }

  /** The request comes again with answers: to a call that waits for them, or to the server itself. */
  async function resume(call: Call): Promise<Outcome> {
    const resumed = await parked.resume(call)
    return typeof resumed === 'string' ? start(call, resumed === 'foreign') : resumed.answerTo(call)
  }

  function start(call: Call, isForeign: boolean): MaybePromise<Outcome> {
    const client = introduce(call)
    const input = upstreams.forCall(call, client)
    const go = (upstream: Upstream): MaybePromise<Outcome> => {
      if (isForeign && upstream.current?.kind === 'legacy') {
        upstreams.letGo(upstream, call)
        throw rejected('it was changed, or belongs to another call')
      }
      const pendingOutcome = answer(call, client, upstream)
      if (!isPromise(pendingOutcome)) upstreams.letGo(upstream, call)
      return pendingOutcome
    }
    return isPromise(input) ? input.then(go) : go(input)
  }

  function answer(call: Call, client: ClientIdentity, upstream: Upstream): MaybePromise<Outcome> {
    switch (call.method) {
      case 'server/discover':
        return discover(call, upstream)
      case 'subscriptions/listen':
        return listen(settings, call, upstream)
    }
    const { codec } = call.caller
    const { current } = upstream
    if (current?.kind === 'legacy' && !codec.has.serverRequests) {
      if (isAboutTasks(call.method)) {
        upstreams.letGo(upstream, call)
        return tasks.request(call)
      }
      return mayBecomeTask(call, current)
        ? startTask(call, client, upstream, current)
        : startParked(call, client, upstream)
    }
    passUnknownHeaders(settings, call)
    const forwarded = forwardedOf(call, client)
    const outcome = Promise.resolve(forward(settings, upstream, forwarded, finishRounds(settings)))
    return outcome.finally(() => upstreams.letGo(upstream, call))
  }

  /** The server says which of its tools run as tasks; which of them a call names decides. */
  async function startTask(
    call: Call,
    client: ClientIdentity,
    upstream: Upstream,
    session: ClientSession,
  ): Promise<Outcome> {
    let isBegun = false
    try {
      const support = await taskSupport(settings, session, { call, client })
      if (support === 'never') {
        isBegun = true
        return await startParked(call, client, upstream)
      }
      return await tasks.call(call, support, async (work) => {
        isBegun = true
        try {
          const hosted = hostedCall(work, client, session.codec.has)
          return taskResult(await forward(settings, upstream, hosted, finishForTask))
        } finally {
          upstreams.letGo(upstream, call)
        }
      })
    } finally {
      if (!isBegun) upstreams.letGo(upstream, call)
    }
  }

  /** It may be asked something on its way, and so it may have to wait for its client. */
  async function startParked(
    call: Call,
    client: ClientIdentity,
    upstream: Upstream,
  ): Promise<Outcome> {
    const run = parked.begin(call, client)
    const outcome = Promise.resolve(forward(settings, upstream, run.forwarded, finishAtOnce))
    const release = (): void => upstreams.letGo(upstream, call)
    outcome.then(release, release)
    return linksFirst(call, await run.answerTo(call, outcome))
  }
}

/** The client follows tasks, and the server has some. */
function mayBecomeTask({ method, caller }: Call, session: ClientSession): boolean {
  return method === 'tools/call' && declaresTasks(caller) && hasOtherTasks(session, caller)
}

async function taskSupport(
  settings: ProxySettings,
  session: ClientSession,
  about: Pick<Forwarded, 'call' | 'client'>,
): Promise<TaskSupport> {
  const { tools } = settings
  const { name } = about.call.params
  const support = tools.taskSupport(name)
  if (support !== undefined) return support
  await learnTools(settings, session, about)
  const listed = tools.taskSupport(name)
  if (listed === undefined) tools.learnUnlisted(name)
  return listed ?? 'never'
}

/** Throws unless the headers repeat the arguments: intermediaries may read either. The server gets headers that this proxy makes. */
function requireRepeated({ tools }: ProxySettings, { caller, params }: Call): void {
  const repeated = tools.repeated(params['name'])
  if (repeated === undefined || caller.http?.mismatch === undefined) return
  const { arguments: args } = params
  const wrong = caller.http.mismatch(repeated, isJsonObject(args) ? args : {})
  if (wrong !== undefined) throw wrongHeader(wrong)
}

/** An intermediary passes on those that it does not know of: the server may have announced them to the client since. */
function passUnknownHeaders({ tools }: ProxySettings, { caller, method, params }: Call): void {
  const headers = method === 'tools/call' ? caller.http?.paramHeaders?.() : undefined
  const { arguments: args } = params
  if (headers !== undefined && isJsonObject(args)) tools.passHeaders(args, headers)
}

/** A call of a server that does not ask while it works. */
function forwardedOf(call: Call, client: ClientIdentity): Forwarded {
  const { caller } = call
  return {
    call,
    client,
    owner: call,
    capabilities: client.capabilities,
    signal: undefined,
    onProgress: progressOf(call),
    ask: () => Promise.reject(new RpcError('method_not_found', 'this client cannot be asked now')),
    log(params) {
      if (!isWanted(params['level'], caller.logLevel) || !caller.mayLog()) return
      caller.notify('notifications/message', params)
    },
  }
}

/** Reads the client's identity from the request. */
function introduce({ caller }: Call): ClientIdentity {
  const { info = { name: 'unknown', version: '0' }, capabilities } = caller.client
  return { info, capabilities }
}

/** Answers with the revisions of this proxy and the capabilities of the server behind it. */
async function discover({ caller }: Call, upstream: Upstream): Promise<Outcome> {
  const session = await upstream.ready()
  const { kind, server } = session
  const { tasks: _, ...rest } = server.capabilities
  const extensions = { ...rest.extensions, [tasksExtension]: {} }
  const offered = hasOtherTasks(session, caller) ? { ...rest, extensions } : rest
  const result = {
    supportedVersions: caller.supported,
    capabilities: kind === 'legacy' ? offered : server.capabilities,
    ...(server.instructions !== undefined && { instructions: server.instructions }),
  }
  return { kind: 'raw', result: caller.codec.encodeResult('server/discover', result, server.info) }
}

/** `subscriptions/listen`, whatever the server has instead. It lasts until one side ends it. */
async function listen({ tasks }: ProxySettings, call: Call, upstream: Upstream): Promise<Outcome> {
  const { caller, params, signal } = call
  const problem = listenParams(params)
  if (problem) {
    throw new RpcError('invalid_params', `subscriptions/listen: ${describeProblem(problem)}`)
  }
  const { notifications: filter } = params as unknown as ListenParams // just checked
  const _meta = { [metaKeys.subscription]: call.id }
  /** Nothing is sent before the acknowledgement. */
  let acknowledge: (() => void) | undefined
  let unacknowledged: Promise<void> | undefined = new Promise((resolve) => (acknowledge = resolve))
  const deliver = tellInTurn({ drained: () => unacknowledged ?? caller.drained, send })

  function send(method: string, reported: JsonObject): void {
    if (call.isAborted || call.isEnded) return
    const meta = { ...(reported['_meta'] as JsonObject | undefined), ..._meta } // an object wherever it is set
    caller.notify(method, { ...reported, _meta: meta })
  }

  const ended = new Promise<void>((resolve) => {
    call.onDrain = resolve
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const subscription: UpstreamSubscription = { filter, deliver }
  const session = await upstream.ready()
  const hosted = hasOtherTasks(session, caller)
    ? await tasks.listen(filter, call, (method, taskParams) =>
        deliver(method, taskParams as JsonObject),
      ) // a task is JSON
    : undefined
  try {
    const accepted = await upstream.subscriptions.add(subscription, session)
    send('notifications/subscriptions/acknowledged', {
      notifications: { ...accepted, ...hosted?.accepted },
    })
    unacknowledged = undefined
    acknowledge?.()
    await ended
    return { kind: 'raw', result: { resultType: 'complete', _meta } }
  } finally {
    hosted?.[Symbol.dispose]()
    upstream.subscriptions.remove(subscription)
    upstream.usedAt = caller.clock.now()
  }
}

/** Links that a server of an older revision wants to be opened first are asked for; the call then comes again. */
async function linksFirst(call: Call, answer: Outcome): Promise<Outcome> {
  if (answer.kind !== 'error' || answer.error.code !== linksRequired) return answer
  const { elicitations } = (answer.error.data ?? {}) as { readonly elicitations?: unknown }
  if (!Array.isArray(elicitations)) return answer
  const { has } = call.caller.codec
  const inputRequests = Object.fromEntries(
    elicitations.map((params: object, at) => [
      `link${at + 1}`,
      {
        method: 'elicitation/create',
        params: encodeInputRequest('elicitation/create', { mode: 'url', ...params }, has),
      },
    ]),
  )
  const requestState = await encryptText(call, JSON.stringify({ again: true }))
  return { kind: 'raw', result: { resultType: 'input_required', inputRequests, requestState } }
}

/** The number that 2025-11-25 has for it, and newer revisions do not send. */
const linksRequired = -32042
