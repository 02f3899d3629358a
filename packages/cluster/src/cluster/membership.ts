import type { ClusterHealth } from '@parley/mcp/http'

import { StoreUnavailable, type ClusterLeases, type LiveNode } from '../store/cluster-store.ts'
import { letExit } from '../store/deadline.ts'

export interface MembershipOptions {
  readonly leases: ClusterLeases
  readonly node: string
  /** Returns this process's description; called with every renewal. */
  readonly info: () => string
  readonly leaseMs: number
  /** Milliseconds that never go back. @defaultValue performance.now */
  readonly now?: (() => number) | undefined
  /** Throws if this process cannot be one of those that are alive, itself among them. */
  readonly admit?: ((alive: readonly LiveNode[]) => void) | undefined
  /** Hears that the lease could not be renewed. */
  readonly onError: (error: unknown) => void
  /** How long each renewal took. */
  readonly onRenewed?: ((ms: number) => void) | undefined
}

/** Whether this process is alive in the eyes of the others, and whether it may say so of them. */
export interface Membership {
  /** Rejects if the lease cannot be taken. */
  start(): Promise<void>
  health(): ClusterHealth
  /**
   * True if another process is lost. Nobody judges before having held the own lease for its whole length: after an outage
   * of the store every lease has run out, and whoever comes back first would take all others for lost.
   */
  isDisconnected(node: string): Promise<boolean>
  /** Nobody has to wait for this process. */
  stop(): Promise<void>
}

export function createMembership(options: MembershipOptions): Membership {
  const { leases, node, info, leaseMs, admit, onError, onRenewed } = options
  const { now = () => performance.now() } = options
  const heartbeatMs = leaseMs / 3
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let isStopped = false
  let renewedAt = -Infinity
  let lockedSince = Infinity // without a gap
  let failure: unknown

  /**
   * Counts from before it was asked for, since the store may have granted it at once and answered late. It counts as held
   * without a gap only if the store says so: one that came back empty has forgotten all leases, whatever our clock says.
   */
  async function renew(): Promise<void> {
    const wasLocked = await leases.isAlive(node)
    const requestedAt = now()
    await leases.renew(node, leaseMs, info())
    const answeredAt = now()
    if (!wasLocked || answeredAt - renewedAt > leaseMs) lockedSince = answeredAt
    renewedAt = requestedAt
    failure = undefined
    onRenewed?.(answeredAt - requestedAt)
  }

  async function beat(): Promise<void> {
    try {
      await renew()
      beatLater(heartbeatMs)
    } catch (error) {
      failure = error
      if (isStopped) return
      onError(error)
      beatLater(heartbeatMs / 4)
    }
  }

  function beatLater(ms: number): void {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => (beating = beat()), ms)
    letExit(timer)
  }

  async function release(): Promise<void> {
    renewedAt = -Infinity
    lockedSince = Infinity
    try {
      await leases.release(node)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error // it runs out by itself
    }
  }

  return {
    async start() {
      await renew()
      try {
        admit?.(await leases.alive())
      } catch (error) {
        await release()
        throw error
      }
      beatLater(heartbeatMs)
    },

    health() {
      const silentMs = now() - renewedAt
      if (silentMs < (leaseMs * 2) / 3) return { isReady: true }
      if (isStopped) return { isReady: false, why: 'the cluster is closed' }
      if (silentMs === Infinity) return { isReady: false, why: 'the cluster is not started' }
      const seconds = (silentMs / 1_000).toFixed(1)
      const cause = failure instanceof Error ? `: ${failure.message}` : ''
      return {
        isReady: false,
        why: `the cluster's store has not answered for ${seconds} s${cause}`,
      }
    },

    async isDisconnected(other) {
      const hasLease = now() - renewedAt <= leaseMs && now() - lockedSince >= leaseMs
      if (other === node || !hasLease) return false
      return !(await leases.isAlive(other))
    },

    async stop() {
      isStopped = true
      clearTimeout(timer)
      await beating // a renewal under way must not come after the release
      await release()
    },
  }
}
