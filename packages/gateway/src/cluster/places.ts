/**
 * Knows which process of the gateway has what: a child, or a session with a server, is at one process at a time. Ownership is
 * written in the store; whether a process lives is a record that it renews, so the cost does not grow with what it owns.
 */

import { setTimeout as sleep } from 'node:timers/promises'

import type { StoreCluster } from '@parley/cluster'
import { RpcError, type OnError } from '@parley/mcp'
import { BoundedMap } from '@parley/mcp/internal'

/** Another process, and where it takes forwards. */
export interface OtherProcess {
  readonly node: string
  readonly address: string
}

/**
 * Which process has what: a child, or a session with a server, is at one process at a time. Who has something is written
 * in the store; whether that process lives, by a record that it renews. So the cost does not grow with what it has.
 */
export interface Places extends AsyncDisposable {
  readonly node: string
  /**
   * The process that has this; undefined if it is this one, which it becomes if nobody else is. Rejects with `overloaded`
   * while it cannot be known.
   */
  find(key: string): Promise<OtherProcess | undefined>
  /** Nobody answers there: it is looked for again. */
  forget(key: string): void
  /** Undefined if it does not live, or is this one. */
  locate(node: string): Promise<OtherProcess | undefined>
  /** From now on others may find this process. */
  start(address: string): Promise<void>
}

const nodes = 'gateway-node'
const owners = 'gateway-place'
/** Longer than any session lasts; what is used for longer is written anew. */
const keepMs = 48 * 3_600_000
const maxRemembered = 50_000
const maxTries = 20

interface Owner {
  readonly node: string
}

/** The cached owner of a key, and the time of the lookup. */
interface Known {
  readonly other: OtherProcess | undefined
  readonly at: number
}

export function createLocations(
  {
    node,
    values,
    once,
    heartbeatMs,
  }: Pick<StoreCluster, 'node' | 'values' | 'once' | 'heartbeatMs'>,
  { onError, onDisconnected }: { readonly onError: OnError; readonly onDisconnected: () => void },
): Places {
  const leaseMs = 3 * heartbeatMs
  const locations = new BoundedMap<string, Known>(maxRemembered)
  /** When the record of what is here was written. */
  const written = new BoundedMap<string, number>(maxRemembered)
  let own: { readonly address: string } | undefined
  let timer: NodeJS.Timeout | undefined
  let renewing: Promise<void> | undefined
  let renewedAt = -Infinity
  let lockedSince = Infinity // without a gap
  let isClosed = false

  const now = (): number => performance.now()

  async function renew(): Promise<void> {
    const requestedAt = now()
    await values.set(nodes, node, own, leaseMs)
    if (now() - renewedAt > leaseMs) {
      // Others may have taken over what was here.
      if (renewedAt !== -Infinity) onDisconnected()
      locations.clear()
      lockedSince = now()
    }
    renewedAt = requestedAt
  }

  function renewLater(ms: number): void {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => {
      renewing = renew().then(
        () => renewLater(heartbeatMs),
        (error: unknown) => {
          onError(error, { severity: 'warning', operation: 'store' })
          renewLater(heartbeatMs / 4)
        },
      )
    }, ms)
    timer.unref()
  }

  /** Returns a cached owner; it is valid for a heartbeat, and only while other processes still count this one as alive. */
  function remembered(key: string): Known | undefined {
    const found = locations.get(key)
    const isLeased = now() - renewedAt < (leaseMs * 2) / 3
    return found && isLeased && now() - found.at < heartbeatMs ? found : undefined
  }

  function remember(key: string, other: OtherProcess | undefined): OtherProcess | undefined {
    locations.set(key, { other, at: now() })
    return other
  }

  async function locate(name: string): Promise<OtherProcess | undefined> {
    if (name === node) return undefined
    const found = (await values.get(nodes, name)) as { readonly address: string } | undefined // as `renew` writes it
    return found && { node: name, address: found.address }
  }

  async function poll(key: string): Promise<OtherProcess | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const owner = (await values.get(owners, key)) as Owner | undefined // as it is written below
      if (owner === undefined) {
        if (!(await values.add(owners, key, { node } satisfies Owner, keepMs))) continue
        written.set(key, now())
        return undefined
      }
      if (owner.node === node) {
        if (now() - (written.get(key) ?? -Infinity) > keepMs / 4) await write(key)
        return undefined
      }
      const other = await locate(owner.node)
      if (other) return other
      if (await takeOver(key, owner)) return undefined
      await sleep(50) // somebody else does
    }
    throw unknown('others take it over again and again')
  }

  /** Claims an entry of a dead process: of all processes that notice its end, one gets each entry. */
  async function takeOver(key: string, { node: deadNode }: Owner): Promise<boolean> {
    // After an outage of the store everybody looks lost; nobody judges before having been there for a whole lease.
    if (now() - renewedAt > leaseMs || now() - lockedSince < leaseMs) {
      throw unknown('the process that had it may be lost')
    }
    if (!(await once.add(`${owners} ${key} ${deadNode}`, leaseMs))) return false
    await write(key)
    return true
  }

  async function write(key: string): Promise<void> {
    await values.set(owners, key, { node } satisfies Owner, keepMs)
    written.set(key, now())
  }

  return {
    node,
    locate,
    forget: (key) => void locations.delete(key),
    async find(key) {
      const found = remembered(key)
      if (found) return found.other
      try {
        return remember(key, await poll(key))
      } catch (error) {
        if (error instanceof RpcError) throw error
        onError(error, { severity: 'error', operation: 'store' })
        throw unknown('the store of the cluster cannot be reached')
      }
    },
    async start(address) {
      own = { address }
      await renew()
      renewLater(heartbeatMs)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await renewing
      await values.delete(nodes, node).catch(() => undefined) // it runs out by itself
    },
  }
}

function unknown(why: string): RpcError {
  const message = `which process of the gateway this is for cannot be known now: ${why}; try again`
  return new RpcError('overloaded', message, { data: { retryAfterMs: 1_000 } })
}
