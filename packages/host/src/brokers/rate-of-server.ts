import { createCallRate, type CallRate } from '../turn/limits.ts'

/** Counts for each server by itself what it asked within a minute. */
export interface RateOfServers {
  /** Throws if the server has asked too often. */
  take(server: string, what: string): void
}

export function createRateOfServers(perMinute: number): RateOfServers {
  const rates = new Map<string, CallRate>()
  return {
    take(server, what) {
      const rate = rates.get(server) ?? createCallRate(perMinute)
      rates.set(server, rate)
      if (rate.take() === 0) return
      throw new Error(`${server} asked for ${what} more than ${perMinute} times within a minute`)
    },
  }
}
