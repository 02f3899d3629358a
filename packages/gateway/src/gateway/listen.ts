/**
 * Answers `subscriptions/listen` for many servers: changes of lists come from the gateway itself, changes of resources from the
 * servers that have them, all on one stream to the client.
 */

import { RpcError, type JsonObject } from '@parley/mcp'
import {
  ForwardedCall,
  type BackendOutcome,
  type BackendCall,
  type BackendCaller,
} from '@parley/mcp/internal/relay'
import { isJsonObject } from '@parley/mcp/json'

import type { Subject } from '../checks/check.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { hiddenBy } from './answer-lists.ts'
import { callerOf, isFor, ownerOf } from './caller.ts'
import type { GatewayChange, GatewayCore } from './core.ts'
import { findResource } from './find-resource.ts'
import { mayFollow } from './pass-on.ts'
import { statusUri } from './status.ts'

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'
const maxFollowed = 10_000

/** `subscriptions/listen`: changes of lists from the gateway, and of resources from their servers, on one stream. */
export async function listen(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { caller } = call
  const filter = call.params['notifications']
  if (!isJsonObject(filter)) {
    throw new RpcError('invalid_params', 'subscriptions/listen: notifications: expected an object')
  }
  const uris = textsOf(filter['resourceSubscriptions'])
  const taskIds = textsOf(filter['taskIds'])
  const _meta = { [subscriptionKey]: call.id }
  const waiting = new Map<string, () => void>()
  /** The subjects that the caller follows and may use. */
  const subjects = new Map<string, Subject>()
  let isAcknowledged = false

  /** While the client reads slowly, only one of each waits. */
  function notify(method: string, params: JsonObject): void {
    const { uri } = params
    const isUpdate = method === 'notifications/resources/updated' && uri !== statusUri
    if (isUpdate && typeof uri === 'string' && !subjects.has(uri)) return
    const full = caller.drained
    if (isAcknowledged && full === undefined && waiting.size === 0) return send(method, params)
    if (isAcknowledged && waiting.size === 0) void full?.then(flush)
    waiting.set(JSON.stringify([method, params['uri']]), () => send(method, params))
  }

  function flush(): void {
    const full = caller.drained
    if (full !== undefined) return void full.then(flush)
    const messages = [...waiting.values()]
    waiting.clear()
    for (const message of messages) message()
  }

  /** Rules may have changed: nothing more is told of a resource that the caller may not use any longer. */
  function leaveForbidden(): void {
    const who = callerOf(caller)
    for (const [uri, subject] of subjects) {
      if (hiddenBy(core.checks, who, { subject })) subjects.delete(uri)
    }
  }

  function send(method: string, params: JsonObject): void {
    if (call.isAborted || call.isEnded) return
    const own = isJsonObject(params['_meta']) ? params['_meta'] : {}
    caller.notify(method, { ...params, _meta: { ...own, ..._meta } })
  }

  const inner: ForwardedCall[] = []
  const ended = new Promise<void>((resolve) => {
    call.onDrain = resolve
    call.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const onChange = (change: GatewayChange): void => {
    if (change.type === 'servers') return leaveForbidden()
    if (change.type === 'status') {
      if (uris.includes(statusUri)) notify('notifications/resources/updated', { uri: statusUri })
    } else if (filter[`${change.type}ListChanged`] === true && isFor(change, caller.auth)) {
      notify(`notifications/${change.type}/list_changed`, {})
    }
  }
  core.listeners.add(onChange)
  try {
    const accepted = await Promise.all(
      [...(await groups(core, call, { uris, taskIds, subjects }))].map(([upstream, wanted]) =>
        follow(core, upstream, wanted, { call, inner, notify }),
      ),
    )
    const subscribed = accepted.flatMap((each) => each.resourceSubscriptions)
    if (uris.includes(statusUri)) subscribed.push(statusUri)
    const tasks = accepted.flatMap((each) => each.taskIds)
    send('notifications/subscriptions/acknowledged', {
      notifications: {
        ...(filter['toolsListChanged'] === true && { toolsListChanged: true }),
        ...(filter['promptsListChanged'] === true && { promptsListChanged: true }),
        ...(filter['resourcesListChanged'] === true && { resourcesListChanged: true }),
        ...(subscribed.length > 0 && { resourceSubscriptions: subscribed }),
        ...(tasks.length > 0 && { taskIds: tasks }),
      },
    })
    isAcknowledged = true
    flush()
    await ended
    return { kind: 'raw', result: { resultType: 'complete', _meta } }
  } finally {
    core.listeners.delete(onChange)
    for (const each of inner) each.onDrain?.()
  }
}

/** The subscriptions requested of one server. */
interface Wanted {
  readonly resourceSubscriptions: string[]
  readonly taskIds: string[]
}

interface Followed {
  readonly call: BackendCall
  readonly inner: ForwardedCall[]
  notify(method: string, params: JsonObject): void
}

/** Follows what one server has; resolves with what it agrees to tell of. */
function follow(
  core: GatewayCore,
  upstream: Upstream,
  { resourceSubscriptions, taskIds }: Wanted,
  { call, inner, notify }: Followed,
): Promise<Wanted> {
  return new Promise((resolve) => {
    const caller = tapped(call.caller, (method, params) => {
      if (method !== 'notifications/subscriptions/acknowledged') return notify(method, params)
      const accepted = isJsonObject(params['notifications']) ? params['notifications'] : {}
      resolve({
        resourceSubscriptions: textsOf(accepted['resourceSubscriptions']),
        taskIds: textsOf(accepted['taskIds']),
      })
    })
    const notifications = {
      ...(resourceSubscriptions.length > 0 && { resourceSubscriptions }),
      ...(taskIds.length > 0 && { taskIds }),
    }
    const routed = new ForwardedCall(call, { params: { ...call.params, notifications }, caller })
    inner.push(routed)
    void Promise.resolve()
      .then(() => request(core, routed, upstream))
      .catch((error: unknown) =>
        core.onError(error, { severity: 'warning', operation: upstream.name }),
      )
      .finally(() => resolve({ resourceSubscriptions: [], taskIds: [] }))
  })
}

/** At the process that has the server for this caller. */
async function request(
  { processes }: GatewayCore,
  call: ForwardedCall,
  upstream: Upstream,
): Promise<void> {
  const here = async () => {
    const answer = await upstream.proxy.relay.request(call)
    return { answer, isParked: false }
  }
  const { params } = call
  await (processes ? processes.send({ call, upstream, params }, here) : here())
}

/** The same caller, except that what would be sent to it is taken here. */
function tapped(
  caller: BackendCaller,
  notify: (method: string, params: JsonObject) => void,
): BackendCaller {
  return Object.create(caller, { notify: { value: notify } }) as BackendCaller // all else is read from the caller
}

interface Named {
  readonly uris: readonly string[]
  readonly taskIds: readonly string[]
  /** Gets what the caller may follow. */
  readonly subjects: Map<string, Subject>
}

/** By server, as far as the caller may follow it. */
async function groups(
  core: GatewayCore,
  call: BackendCall,
  { uris, taskIds, subjects }: Named,
): Promise<ReadonlyMap<Upstream, Wanted>> {
  const { caller } = call
  const found = new Map<Upstream, Wanted>()
  const at = (upstream: Upstream): Wanted => {
    const listening = found.get(upstream) ?? { resourceSubscriptions: [], taskIds: [] }
    found.set(upstream, listening)
    return listening
  }
  const catalogue = await core.catalogueFor(caller.auth)
  for (const uri of uris) {
    if (uri === statusUri) continue
    const resource = findResource(core, catalogue, caller, uri)
    if (resource === undefined || !(await mayFollow(core, call, resource.subject))) continue
    subjects.set(uri, resource.subject)
    at(resource.upstream).resourceSubscriptions.push(uri)
  }
  for (const id of taskIds) {
    const origin = core.origins.find(ownerOf(caller), `task ${id}`)
    const upstream = core.upstreams.get(origin?.upstream ?? '')
    if (upstream) at(upstream).taskIds.push(id)
  }
  return found
}

function textsOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? (value as unknown[]) : []
  if (texts.length > maxFollowed) {
    const data = { limit: 'subscriptions', allowed: maxFollowed, seen: texts.length }
    const why = `at most ${maxFollowed} resources or tasks can be followed at once`
    throw new RpcError('limit_exceeded', why, { data })
  }
  return texts.filter((each) => typeof each === 'string')
}
