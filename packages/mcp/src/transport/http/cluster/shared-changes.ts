/**
 * Announces changes of a server to the clients of every process, wherever the change happens.
 *
 * Collects changes for a moment, sends them in order and repeats a message until the store has it; changes received from another
 * process are announced here and not sent again. Changes of clients' sessions are in `records.ts`.
 */
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { announce, type Definition, type ServerChange } from '../../../server/definition.ts'
import { keyOf } from '../../../server/followers.ts'
import { subscribedUris } from '../../../server/subscriptions.ts'
import type { EndpointService } from '../endpoint-service.ts'
import { afterStore } from '../sessions/store-access.ts'
import type { ClusterMail, ClusterMessageTypes } from './messages.ts'

type ChangesMessage = ClusterMessageTypes['server-changed']

/** Changes of a server that clients of every process hear about, wherever they happen. */
export interface SharedChanges extends Disposable {
  /** Announces what changed at another process. */
  receive(message: ChangesMessage): void
  /** Announces everything that may have changed: nobody knows what was missed. */
  announceAll(): void
}

/** Changes in close succession are told together. */
const windowMs = 50
/** Changes in one message. */
const maxChanges = 500
/** Changes that wait while the store is unreachable; beyond it URIs are left out. */
const maxWaiting = 10_000
/** Others whose last message is remembered. */
const maxOthers = 1_000

/** Set while something is announced that another process told: that is not told again. */
let isReceiving = false

export function shareChanges(
  service: EndpointService,
  messages: ClusterMail,
  retryMs: number,
): SharedChanges {
  const { definition, clock, onError } = service
  const waiting = new Map<string, ServerChange>()
  /** By other processes, in one piece: each is announced once. */
  const received = new Map<string, ServerChange>()
  let current: ChangesMessage | undefined
  let timer: Disposable | undefined
  let isNotifying = false
  let hasDropped = false
  let isClosed = false

  function add(change: ServerChange): void {
    if (isReceiving || (change.type === 'resource' && change.isSeenByAll)) return
    const key = keyOf(change)
    if (waiting.size >= maxWaiting && !waiting.has(key)) return reportDropped()
    waiting.set(key, change)
    notifyAfter(windowMs)
  }

  function notifyAfter(ms: number): void {
    if (!isNotifying && !isClosed) timer ??= clock.setTimer(notifyNext, ms)
  }

  /** One message at a time, and the same again until it is known to be kept. */
  function notifyNext(): void {
    timer?.[Symbol.dispose]()
    timer = undefined
    const message = (current ??= nextMessage())
    if (message === undefined || isNotifying) return
    isNotifying = true
    void afterStore(() => messages.send('server-changed', message), onTold, onFailed)
  }

  function nextMessage(): ChangesMessage | undefined {
    const next = [...waiting].slice(0, maxChanges)
    if (next.length === 0) return undefined
    for (const [key] of next) waiting.delete(key)
    const sharing = sharingOf(definition)
    const number = (sharing.told += 1)
    const changes = next.map(([, change]) => change)
    return { server: definition.info.name, from: sharing.from, number, changes }
  }

  function onTold(): void {
    current = undefined
    isNotifying = false
    hasDropped = false
    if (waiting.size > 0) notifyAfter(windowMs)
  }

  function onFailed(error: unknown): void {
    isNotifying = false
    onError(error, { severity: 'warning', operation: 'store' })
    notifyAfter(retryMs)
  }

  function reportDropped(): void {
    if (hasDropped) return
    hasDropped = true
    const why = `more than ${maxWaiting} changes could not be told to the other processes`
    onError(new RpcError('overloaded', why), { severity: 'warning', operation: 'store' })
  }

  function announceHere(changes: Iterable<ServerChange>): void {
    isReceiving = true
    try {
      for (const change of changes) announce(definition, change)
    } finally {
      isReceiving = false
    }
  }

  function announceReceived(): void {
    const changes = [...received.values()]
    received.clear()
    announceHere(changes)
  }

  definition.listeners.add(add)

  return {
    receive({ server, from, number, changes }) {
      const { received: numbers, from: own } = sharingOf(definition)
      if (server !== definition.info.name || from === own) return
      if (number <= (numbers.get(from) ?? 0)) return // told twice
      numbers.delete(from)
      numbers.set(from, number)
      const [oldest = ''] = numbers.keys()
      if (numbers.size > maxOthers) numbers.delete(oldest)
      if (received.size === 0) queueMicrotask(announceReceived)
      for (const change of changes) received.set(keyOf(change), change)
    },

    announceAll() {
      const uris = new Set(subscribedUris(definition))
      for (const { data } of service.sessions.all())
        for (const uri of data.subscriptions) uris.add(uri)
      const lists = (['tools', 'prompts', 'resources'] as const).map((type) => ({ type }))
      announceHere([...lists, ...[...uris].map((uri) => ({ type: 'resource', uri }) as const)])
    },

    /** Sends waiting changes now. */
    [Symbol.dispose]() {
      definition.listeners.delete(add)
      isClosed = true
      notifyNext()
    },
  }
}

/** Numbers of messages that a definition has sent and received, however many endpoints serve it. */
interface Sharing {
  /** Names this process in messages: endpoints of the same definition need none. */
  readonly from: string
  told: number
  /** The last number of each other. */
  readonly received: Map<string, number>
}

const sharings = new WeakMap<Definition, Sharing>()

/** Made when first needed: Workers have no random values while a module is loaded. */
function sharingOf(definition: Definition): Sharing {
  const sharing = sharings.get(definition) ?? {
    from: crypto.randomUUID(),
    told: 0,
    received: new Map<string, number>(),
  }
  sharings.set(definition, sharing)
  return sharing
}
