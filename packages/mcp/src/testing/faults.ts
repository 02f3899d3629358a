import { systemClock } from '../rpc/time/clock.ts'
import type { Clock } from '../rpc/time/clock.ts'
import type { Transport } from '../rpc/transport.ts'
import { OutgoingMessage } from '../rpc/transport/outgoing-message.ts'
import { wrapTransport } from '../rpc/transport/wrap-transport.ts'
import { createInbox } from '../transport/memory/inbox.ts'
import { createFaultLane } from './fault-lane.ts'
import { createFaultChooser } from './fault-rules.ts'
import type { FaultRule } from './fault-rules.ts'
import { createSeededRandom } from './seeded-random.ts'

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
