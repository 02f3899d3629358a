import type { RpcError } from '../rpc/errors/rpc-error.ts'
import { isRpcError } from '../rpc/errors/rpc-error.ts'
import type { RawMessage } from '../rpc/transport.ts'

/** As seen from the transport that is made to misbehave. */
export type Direction = 'in' | 'out'

/** When to misbehave, and how. */
export interface FaultRule {
  /** All that is given must fit. @defaultValue every frame */
  readonly when?:
    | {
        readonly direction?: Direction | undefined
        /** Requests and notifications of this method and, if `direction` is given, responses to it going that way. */
        readonly method?: string | undefined
        /** The n-th frame that fits, from 1. Frames decided by an earlier rule count too. */
        readonly nth?: number | undefined
        /** Between 0 and 1. */
        readonly probability?: number | undefined
      }
    | undefined
  /** What to do with such a frame. */
  readonly fault: Fault
}

/** What is done to a frame. */
export type Fault =
  /** `reorder` lets the next frame of the same direction go first. `close` loses the frame and ends the channel. */
  | { readonly kind: 'drop' | 'duplicate' | 'reorder' | 'close' }
  /** Later frames overtake it. What is still late when the channel ends is lost. */
  | {
      readonly kind: 'delay'
      /** How much later, in milliseconds. */
      readonly ms: number
    }
  | {
      /** Sends the beginning of the frame only. */
      readonly kind: 'truncate'
      /** How many bytes are sent. */
      readonly bytes: number
    }
  | {
      /** Sends something else. */
      readonly kind: 'replace'
      /** What is sent instead. */
      readonly text: string
    }

/** Says what is to go wrong with each frame, in the order they pass. */
export type ChooseFault = (
  direction: Direction,
  message: RawMessage | RpcError,
) => Fault | undefined

/** The first rule that fits decides. `random` gives numbers from 0 to 1. */
export function createFaultChooser(rules: readonly FaultRule[], random: () => number): ChooseFault {
  const counts = rules.map(() => 0)
  const findMethod = createMethodFinder()

  return (direction, message) => {
    const { method, isResponse } = findMethod(direction, message)
    let chosen: Fault | undefined
    for (const [index, { when = {}, fault }] of rules.entries()) {
      if (when.direction !== undefined && when.direction !== direction) continue
      if (when.method !== undefined && when.method !== method) continue
      if (when.method !== undefined && isResponse && when.direction === undefined) continue
      const count = (counts[index] ?? 0) + 1
      counts[index] = count
      if (when.nth !== undefined && when.nth !== count) continue
      // Drawn even if an earlier rule has decided, so that adding a rule does not change the luck of the others.
      if (when.probability !== undefined && random() >= when.probability) continue
      chosen ??= fault
    }
    return chosen
  }
}

/** A response has no method of its own: it goes by that of its request, seen earlier in the other direction. */
function createMethodFinder() {
  const requests = new Map<string, string>()

  return (direction: Direction, message: RawMessage | RpcError) => {
    const { id, method } = readFrame(message)
    if (method !== undefined) {
      if (id !== undefined) requests.set(`${direction} ${id}`, method)
      return { method, isResponse: false }
    }
    const key = `${direction === 'in' ? 'out' : 'in'} ${id}`
    const asked = requests.get(key)
    requests.delete(key)
    return { method: asked, isResponse: true }
  }
}

function readFrame(message: RawMessage | RpcError): { id?: string; method?: string } {
  const value = typeof message === 'string' ? parse(message) : message
  if (typeof value !== 'object' || value === null || isRpcError(value)) return {}
  const { id, method }: { id?: unknown; method?: unknown } = value
  return {
    ...(id !== undefined && id !== null && { id: JSON.stringify(id) }),
    ...(typeof method === 'string' && { method }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // malformed frames have neither method nor id
  }
}
