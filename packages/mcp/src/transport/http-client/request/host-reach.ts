import { classifyAddress, isLoopbackHost } from '../../../rpc/address/ip-address.ts'

/** From where an address can be reached, the nearest first. */
export const reaches = { machine: 0, network: 1, anywhere: 2 } as const
export type Reach = (typeof reaches)[keyof typeof reaches]

/**
 * How far a host of a URL reaches, as far as it says so itself. Names are looked up by nobody here: but for `localhost`
 * they may be anywhere.
 */
export function reachOf(hostname: string): Reach {
  if (isLoopbackHost(hostname)) return reaches.machine
  const kind = classifyAddress(hostname.replace(/\.$/, ''))
  // A connection to `0.0.0.0` and the like reaches this machine.
  if (kind === 'unspecified') return reaches.machine
  return kind === 'private' ? reaches.network : reaches.anywhere
}
