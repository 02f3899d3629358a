import type { Cores } from './cores.ts'
import type { Gateway } from './gateway.ts'

/** The inside of a gateway for its operator: more than callers can see and do. */
export interface GatewayInsides {
  readonly cores: Cores
  readonly servesOver: 'http' | 'stdio'
  readonly startedAt: number
  /**
   * Starts a server anew, stops it, or starts one that was stopped. Calls of the one that goes may finish for up to
   * `deadlineMs`. One that was stopped stays so until it is started, whatever is written to the file meanwhile.
   */
  act(server: string, action: ServerAction, deadlineMs: number): void
}

/** The actions on one server. */
export type ServerAction = 'restart' | 'stop' | 'start'

const existing = new WeakMap<Gateway, GatewayInsides>()

/** Once, by whoever makes the gateway. */
export function keepInsides(gateway: Gateway, insides: GatewayInsides): void {
  existing.set(gateway, insides)
}

/** Returns the inside of a gateway that `startGateway` created. */
export function insidesOf(gateway: Gateway): GatewayInsides {
  const insides = existing.get(gateway)
  if (insides === undefined) throw new TypeError('this gateway was not made by startGateway()')
  return insides
}
