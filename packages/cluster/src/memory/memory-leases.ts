import type { Leases } from '../store/leases.ts'
import { createExpiringMap } from './expiring-map.ts'

export function createMemoryLeases(now: () => number): Leases {
  const leases = createExpiringMap<string>(now)
  return {
    renew: async (node, leaseMs, info) => leases.set(node, info, leaseMs),
    isAlive: async (node) => leases.get(node) !== undefined,
    release: async (node) => leases.delete(node),
    async alive() {
      const nodes = [...leases.entries()].map(([node, info]) => ({ node, info }))
      return nodes.toSorted((a, b) => (a.node < b.node ? -1 : 1))
    },
  }
}
