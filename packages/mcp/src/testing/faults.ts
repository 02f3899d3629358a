/**
 * A transport that loses, repeats, delays, reorders or cuts messages, for tests.
 *
 * Wraps another transport; which message has which fault is drawn from a seed, so that a failing run can be repeated. Part of
 * `@parley/mcp/testing`, for authors of transports and servers too.
 */
import { systemClock, type Clock } from '../rpc/clock.ts'
import { type RpcError, isRpcError } from '../rpc/errors/rpc-error.ts'
import {
  type Transport,
  OutgoingMessage,
  wrapTransport,
  type RawMessage,
} from '../rpc/transport.ts'
import { createInbox } from '../transport/memory.ts'

/** How a transport is to misbehave. */
export interface Faults {
  /** For rules with a probability. @defaultValue 1 */
  readonly seed?: number | undefined
  /** For delays. @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined
  /** First rule that fits a frame decides; no rule, no fault. */
  readonly rules: readonly FaultRule[]
}

/** A transport that misbehaves on command. The same seed misbehaves the same way. */
export function withFaults(transport: Transport, faults: Faults): Transport {
  const { seed = 1, clock = systemClock, rules } = faults
  const choose = createFaultChooser(rules, createSeededRandom(seed))
  const inbox = createInbox()
  const close = () => void transport[Symbol.asyncDispose]()
  const incoming = createFaultLane({ clock, close, deliver: inbox.put })
  const outgoing = createFaultLane({
    clock,
    close,
    deliver: (frame) => transport.send(new OutgoingMessage(frame)),
  })
  let isClosed = false

  return wrapTransport(transport, {
    sink(sink) {
      inbox.receive(sink)
      return {
        message: (message) => incoming.pass(message, choose('in', message)),
        end(error) {
          incoming.end()
          inbox.end(error)
        },
      }
    },
    send(message) {
      if (isClosed) return transport.send(message)
      return outgoing.pass(message.raw, choose('out', message.raw))
    },
    async close() {
      isClosed = true
      outgoing.end()
      await transport[Symbol.asyncDispose]()
    },
  })
}

type Frame = RawMessage | RpcError

/** One direction of a faulty channel. */
export interface FaultLane {
  /** Passes the frame on as the fault has it. A returned promise means: wait for room. */
  pass(frame: Frame, fault: Fault | undefined): Promise<void> | void
  /** Passes on what waits to change places and forgets what is late; the lane takes nothing more. */
  end(): void
}

export interface FaultLaneOptions {
  readonly clock: Clock
  readonly deliver: (frame: Frame) => Promise<void> | void
  readonly close: () => void
}

/** Applies faults to the frames that pass one after the other. */
function createFaultLane({ clock, deliver, close }: FaultLaneOptions): FaultLane {
  const late = new Set<Disposable>()
  let delayed: { readonly frame: Frame } | undefined
  let isEnded = false

  function deliverLater(frame: Frame, ms: number): void {
    const timer = clock.setTimer(() => {
      late.delete(timer)
      forget(deliver(frame))
    }, ms)
    late.add(timer)
  }

  function deliverWithHeld(frame: Frame): Promise<void> | void {
    const drained = deliver(frame)
    if (!delayed) return drained
    const { frame: overtaken } = delayed
    delayed = undefined
    return waitForBoth(drained, deliver(overtaken))
  }

  return {
    pass(frame, fault) {
      if (isEnded) return undefined
      switch (fault?.kind) {
        case undefined:
          return deliverWithHeld(frame)
        case 'drop':
          return undefined
        case 'duplicate':
          return waitForBoth(deliverWithHeld(frame), deliver(frame))
        case 'reorder':
          if (delayed) return deliverWithHeld(frame)
          delayed = { frame }
          return undefined
        case 'close':
          return close()
        case 'delay':
          return deliverLater(frame, fault.ms)
        case 'truncate':
          return deliverWithHeld(truncate(frame, fault.bytes))
        case 'replace':
          return deliverWithHeld(fault.text)
      }
    },
    end() {
      isEnded = true
      for (const timer of late) timer[Symbol.dispose]()
      late.clear()
      if (delayed) forget(deliver(delayed.frame))
      delayed = undefined
    },
  }
}

function waitForBoth(first: Promise<void> | void, second: Promise<void> | void) {
  if (!first || !second) return first ?? second
  return Promise.all([first, second]).then(() => {})
}

/** Nobody waits for a frame that goes out by itself; a channel closed meanwhile is part of the game. */
function forget(drained: Promise<void> | void): void {
  drained?.catch(() => {})
}

/** Cuts the text of a frame as a broken connection would: by bytes, wherever that is. */
function truncate(frame: Frame, bytes: number): Frame {
  if (isRpcError(frame)) return frame
  const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes))
}

/** The direction, seen from the transport that is made to misbehave. */
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
  /** The fault for such a frame. */
  readonly fault: Fault
}

/** A fault in a frame. */
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
      /** The text that is sent instead. */
      readonly text: string
    }

/** Says what is to go wrong with each frame, in the order they pass. */
export type ChooseFault = (
  direction: Direction,
  message: RawMessage | RpcError,
) => Fault | undefined

/** The first rule that fits decides. `random` gives numbers from 0 to 1. */
function createFaultChooser(rules: readonly FaultRule[], random: () => number): ChooseFault {
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
    const requestMethod = requests.get(key)
    requests.delete(key)
    return { method: requestMethod, isResponse: true }
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

/** Numbers from 0 up to 1 that look random and are the same for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0
  // A Weyl sequence with a mixing step: plenty for choosing faults, useless for secrets.
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
