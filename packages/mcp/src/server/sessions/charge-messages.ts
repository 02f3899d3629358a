import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import { jsonWeight } from '../../rpc/json/json-limits.ts'
import { MemoryShare, type MemoryBudget } from '../../rpc/memory-budget.ts'
import { isPromise } from '../../rpc/promise.ts'
import {
  type MessageSink,
  type RawMessage,
  type Transport,
  wrapTransport,
} from '../../rpc/transport.ts'

/** The byte account of the client at the other end of a channel. */
export interface SessionMemory {
  readonly quotaKey: MemoryBudget
  readonly caller: string
}

/** A message that is being received, and the bytes it holds. */
export interface ChargedMessage {
  readonly memory: MemoryShare
  /** There was no room for it. */
  readonly rejection: RpcError | undefined
}

/** Charges each message to its sender while it is received; calls that it starts may keep the bytes. */
export function chargeMessages(
  transport: Transport,
  { quotaKey, caller }: SessionMemory,
): { readonly transport: Transport; arriving(): ChargedMessage | undefined } {
  let arriving: ChargedMessage | undefined

  function charge(raw: RawMessage | RpcError): ChargedMessage | undefined {
    if (typeof raw !== 'string') return undefined // only text is measured
    const memory = new MemoryShare(quotaKey, caller)
    return { memory, rejection: memory.reserve(jsonWeight(raw)) }
  }

  function charging(sink: MessageSink): Pick<MessageSink, 'message'> {
    return {
      message(raw) {
        const own = charge(raw)
        arriving = own
        const pause = sink.message(raw)
        if (own === undefined) return pause
        if (isPromise(pause)) void pause.then(() => own.memory.close())
        else own.memory.close()
        return pause
      },
    }
  }

  return {
    arriving: () => arriving,
    transport: wrapTransport(transport, { sink: charging }),
  }
}
