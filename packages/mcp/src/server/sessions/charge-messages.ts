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
  readonly account: MemoryBudget
  readonly caller: string
}

/** A message that is being received, and the bytes it holds. */
export interface Arriving {
  readonly held: MemoryShare
  /** There was no room for it. */
  readonly refusal: RpcError | undefined
}

/** Charges each message to its sender while it is received; calls that it starts may keep the bytes. */
export function chargeMessages(
  transport: Transport,
  { account, caller }: SessionMemory,
): { readonly transport: Transport; arriving(): Arriving | undefined } {
  let arriving: Arriving | undefined

  function charge(raw: RawMessage | RpcError): Arriving | undefined {
    if (typeof raw !== 'string') return undefined // only text is measured
    const held = new MemoryShare(account, caller)
    return { held, refusal: held.reserve(jsonWeight(raw)) }
  }

  function charging(sink: MessageSink): Pick<MessageSink, 'message'> {
    return {
      message(raw) {
        const own = charge(raw)
        arriving = own
        const pause = sink.message(raw)
        if (own === undefined) return pause
        if (isPromise(pause)) void pause.then(() => own.held.close())
        else own.held.close()
        return pause
      },
    }
  }

  return {
    arriving: () => arriving,
    transport: wrapTransport(transport, { sink: charging }),
  }
}
