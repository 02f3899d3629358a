import { performance } from 'node:perf_hooks'

import type { ClusterHealth } from '@parley/mcp/http'

import { StoreUnavailable } from '../store/cluster-store.ts'
import type { Leases } from '../store/leases.ts'

export interface MembershipOptions {
  readonly leases: Leases
  readonly node: string
  /** For people who look at the cluster. */
  readonly info: string
  readonly leaseMs: number
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
  isLost(node: string): Promise<boolean>
  /** Nobody has to wait for this process. */
  stop(): Promise<void>
}

export function createMembership(options: MembershipOptions): Membership {
  const { leases, node, info, leaseMs, onError, onRenewed } = options
  const heartbeatMs = leaseMs / 3
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let renewedAt = -Infinity
  let heldSince = Infinity // without a gap

  /** Counted from before it was asked for: the store may have granted it at once, and answered late. */
  async function renew(): Promise<void> {
    const askedAt = performance.now()
    await leases.renew(node, leaseMs, info)
    if (askedAt - renewedAt > leaseMs) heldSince = askedAt
    renewedAt = askedAt
    onRenewed?.(performance.now() - askedAt)
  }

  function beat(): void {
    renew().catch(report).finally(renewLater)
  }

  function renewLater(): void {
    if (isStopped) return
    timer = setTimeout(beat, heartbeatMs)
    timer.unref()
  }

  function report(error: unknown): void {
    if (!isStopped) onError(error)
  }

  return {
    async start() {
      await renew()
      renewLater()
    },

    health() {
      const silentMs = performance.now() - renewedAt
      if (silentMs < (leaseMs * 2) / 3) return { isReady: true }
      const why = Number.isFinite(silentMs)
        ? `the cluster's store has not answered for ${Math.round(silentMs)} ms`
        : 'the cluster is not started'
      return { isReady: false, why }
    },

    async isLost(other) {
      const now = performance.now()
      if (other === node || now - renewedAt > leaseMs || now - heldSince < leaseMs) return false
      return !(await leases.isAlive(other))
    },

    async stop() {
      isStopped = true
      clearTimeout(timer)
      try {
        await leases.release(node)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error // it runs out by itself
      }
    },
  }
}
