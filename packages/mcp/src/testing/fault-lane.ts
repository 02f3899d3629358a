import type { RpcError } from '../rpc/errors/rpc-error.ts'
import { isRpcError } from '../rpc/errors/rpc-error.ts'
import type { Clock } from '../rpc/time/clock.ts'
import type { RawMessage } from '../rpc/transport.ts'
import type { Fault } from './fault-rules.ts'

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
export function createFaultLane({ clock, deliver, close }: FaultLaneOptions): FaultLane {
  const late = new Set<Disposable>()
  let held: { readonly frame: Frame } | undefined
  let isEnded = false

  function deliverLater(frame: Frame, ms: number): void {
    const timer = clock.setTimer(() => {
      late.delete(timer)
      forget(deliver(frame))
    }, ms)
    late.add(timer)
  }

  function deliverWithHeld(frame: Frame): Promise<void> | void {
    const room = deliver(frame)
    if (!held) return room
    const { frame: overtaken } = held
    held = undefined
    return waitForBoth(room, deliver(overtaken))
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
          if (held) return deliverWithHeld(frame)
          held = { frame }
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
      if (held) forget(deliver(held.frame))
      held = undefined
    },
  }
}

function waitForBoth(first: Promise<void> | void, second: Promise<void> | void) {
  if (!first || !second) return first ?? second
  return Promise.all([first, second]).then(() => {})
}

/** Nobody waits for a frame that goes out by itself; a channel closed meanwhile is part of the game. */
function forget(room: Promise<void> | void): void {
  room?.catch(() => {})
}

/** Cuts the text of a frame as a broken connection would: by bytes, wherever that is. */
function truncate(frame: Frame, bytes: number): Frame {
  if (isRpcError(frame)) return frame
  const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes))
}
