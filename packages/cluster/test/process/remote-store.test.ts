import { createMemoryClusterStore, StoreUnavailable } from '@parley/cluster'
import {
  createRemoteStore,
  serveStore,
  type StoreChannel,
  type StoreMessage,
} from '@parley/cluster/process'
import { storeContract } from '@parley/cluster/testing'
import { describe, expect, test } from 'vitest'

/** Both ends of a channel that carries JSON, as the one between processes does. */
function openChannel() {
  const ends = [createEnd(), createEnd()] as const
  ends[0].other = ends[1]
  ends[1].other = ends[0]
  return {
    parent: ends[0].channel,
    child: ends[1].channel,
    close: () => ends.forEach((end) => end.close()),
  }
}

function createEnd() {
  let onText: (message: StoreMessage) => void = () => undefined
  let onClosed: () => void = () => undefined
  let isOpen = true
  const end = {
    other: undefined as { take(text: string): void } | undefined,
    take: (text: string) =>
      queueMicrotask(() => isOpen && onText(JSON.parse(text) as StoreMessage)),
    close() {
      isOpen = false
      onClosed()
    },
    channel: {
      send(message) {
        if (!isOpen) throw new Error('closed')
        end.other?.take(JSON.stringify(message))
      },
      listen(hearing, closing) {
        onText = hearing
        onClosed = closing
      },
    } satisfies StoreChannel,
  }
  return end
}

function openStore(store = createMemoryClusterStore()) {
  const { parent, child, close } = openChannel()
  serveStore(store, parent)
  return { remote: createRemoteStore(child, { timeoutMs: 20_000 }), child, close }
}

describe('a store of the parent process', () => {
  const cases = storeContract(async () => {
    const store = createMemoryClusterStore()
    return { first: openStore(store).remote, second: openStore(store).remote }
  })
  for (const { name, run } of cases) test(name, run)

  test('fails at once when the parent is gone, and what waits fails too', async () => {
    const store = createMemoryClusterStore()
    const { promise, resolve } = withResolver()
    store.once.add = () => promise.then(() => true)
    const { remote, close } = openStore(store)
    await remote.start()
    const waiting = remote.once.add('mark', 1_000)

    close()

    await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(remote.once.add('mark', 1_000)).rejects.toBeInstanceOf(StoreUnavailable)
    resolve()
  })

  test('lets a child call methods of a store and nothing else', async () => {
    const { parent, child } = openChannel()
    serveStore(createMemoryClusterStore(), parent)
    const answers: StoreMessage[] = []
    child.listen(
      (message) => answers.push(message),
      () => undefined,
    )

    const names = [
      ['records', 'constructor'],
      ['toString', 'call'],
      ['close', 'call'],
      ['bus', 'publish'],
    ]
    names.forEach(([part = '', method = ''], id) =>
      child.send({ store: 'call', id, part, method, args: [] }),
    )
    await expect.poll(() => answers.length).toBe(names.length)

    expect(answers).toEqual(
      names.map(([part, method], id) => ({
        store: 'failure',
        id,
        why: `the store has no method ${part}.${method}`,
      })),
    )
  })
})

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
