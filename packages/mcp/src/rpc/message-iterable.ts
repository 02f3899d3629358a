import type { RpcError } from './errors/rpc-error.ts'
import type { MessageSink, RawMessage } from './transport.ts'

/** What a pushing transport delivers, as an async iterable: the next message is taken when the last is done with. */
export async function* iterateMessages(
  receive: (sink: MessageSink) => void,
): AsyncGenerator<RawMessage | RpcError> {
  const arrived: (RawMessage | RpcError)[] = []
  let ending: { readonly error?: unknown } | undefined
  let wake = (): void => {}
  let makeRoom = (): void => {}

  receive({
    message(message) {
      arrived.push(message)
      wake()
      return new Promise<void>((resolve) => (makeRoom = resolve))
    },
    end(error) {
      ending = error === undefined ? {} : { error }
      wake()
    },
  })

  for (;;) {
    const message = arrived.shift()
    if (message !== undefined) {
      yield message
      makeRoom()
    } else if (ending) {
      if ('error' in ending) throw ending.error
      return
    } else {
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}
