import { type ClusterStore, StoreUnavailable } from '@parley/cluster'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { startPatiently, until } from './until.ts'

/** A server of a test that can be ended, stopped and started again. */
interface FaultyServer extends AsyncDisposable {
  start(): Promise<void>
  kill(): Promise<void>
  pause(): void
  resume(): void
}

/** A store whose server fails. */
export interface FaultyEngine<Server extends FaultyServer, Options> {
  readonly name: string
  readonly isInstalled: boolean
  /** What is left of its data when its server was killed. */
  readonly keeps: 'everything' | 'nothing'
  start(): Promise<Server>
  /** With names of its own, unless the options say otherwise. */
  open(server: Server, options: Options): ClusterStore
}

/** What tests of one engine share. */
export interface FaultFrame<Server, Options> {
  readonly server: Server
  /** Closed after the test. */
  open(options?: Options): ClusterStore
  openStarted(options?: Options): Promise<ClusterStore>
}

export const longMs = 60_000
/** For a machine that does other work besides. */
export const patientMs = 20_000
export const limits = { events: 100, bytes: 1_000_000, endedMs: longMs, openMs: longMs }
export const key = { session: 's', stream: '1' }
export const batch = { writer: 'a', texts: ['one'], isLast: false }

/** The faults that every engine has to survive, then `more` of its own. */
export function describeFaults<
  Server extends FaultyServer,
  Options extends { readonly timeoutMs?: number | undefined },
>(engine: FaultyEngine<Server, Options>, more: (frame: FaultFrame<Server, Options>) => void): void {
  describe.skipIf(!engine.isInstalled)(`faults of ${engine.name}`, () => {
    let server: Server
    beforeAll(async () => {
      server = await engine.start()
    })
    afterAll(async () => {
      await server[Symbol.asyncDispose]()
    })

    function open(options: Partial<Options> = {}): ClusterStore {
      const store = engine.open(server, { timeoutMs: patientMs, ...options } as Options) // all others are optional
      onTestFinished(() => store.close())
      return store
    }

    async function openStarted(options?: Partial<Options>): Promise<ClusterStore> {
      const store = open(options)
      await startPatiently(store)
      return store
    }

    test('nothing works while the server is gone, and everything when it is back', async () => {
      const store = await openStarted()
      const received: string[] = []
      using _ = store.bus.subscribe('news', (text) => received.push(text))
      const { cursor } = await store.feeds.readSince('feed', undefined)
      await store.feeds.append('feed', 'kept', longMs)
      await store.streams.append(key, { ...batch, firstSequence: 1 }, limits)

      await server.kill()
      expect(await firstFailure(store)).toBeInstanceOf(StoreUnavailable)

      await server.start()
      await until(() => store.once.add('another', longMs).catch(() => false))
      const isStored = engine.keeps === 'everything'
      const page = await store.feeds.readSince('feed', cursor)
      expect([page.hasGap, page.texts.length]).toEqual(isStored ? [false, 1] : [true, 0])
      const next = { ...batch, firstSequence: 2 }
      expect(await store.streams.append(key, next, limits)).toBe(isStored)
      await until(() => {
        store.bus.publish('news', 'back')
        return received.includes('back')
      })
    })

    test('a server that has stopped does not answer in time, and does when it goes on', async () => {
      const timeoutMs = 300
      const store = await openStarted({ timeoutMs } as Partial<Options>) // an option of every engine

      server.pause()
      const failures = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) => store.once.add(`mark ${index}`, longMs)),
      )
      server.resume()

      for (const failure of failures) {
        expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
      }
      expect(JSON.stringify(failures.map(messageOf))).toContain('did not answer within 300 ms')
      await until(() => store.once.add('another', longMs).catch(() => false))
    })

    test('a start that fails can be repeated, and nothing works before it', async () => {
      const store = open()
      await expect(store.once.add('mark', longMs)).rejects.toThrow('await `start()` first')

      await server.kill()
      const failure: unknown = await store.start().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(StoreUnavailable)
      expect(`${String(failure)} ${String((failure as Error).cause)}`).toContain('ECONNREFUSED')

      await server.start()
      await startPatiently(store)
      expect(await store.once.add('mark', longMs)).toBe(true)
    })

    more({
      get server() {
        return server
      },
      open,
      openStarted,
    })
  })
}

/** The cursor of a reader that has seen two entries, the last of which `lose` takes away. */
export async function expectGapAfterLoss(
  { feeds }: ClusterStore,
  lose: () => Promise<unknown>,
): Promise<void> {
  const start = await feeds.readSince('news', undefined)
  await feeds.append('news', 'kept', longMs)
  await feeds.append('news', 'lost', longMs)
  const { texts, cursor } = await feeds.readSince('news', start.cursor)
  expect(texts).toEqual(['kept', 'lost'])

  await lose()
  expect((await feeds.readSince('news', cursor)).hasGap).toBe(true)
  await feeds.append('news', 'new', longMs)

  const page = await feeds.readSince('news', cursor)
  expect(page).toMatchObject({ texts: ['kept', 'new'], hasGap: true })
}

/** A client may take a moment to notice that its server is gone. */
function firstFailure({ once }: ClusterStore): Promise<unknown> {
  return until(() =>
    once.add('mark', longMs).then(
      () => undefined,
      (error: unknown) => error,
    ),
  )
}

function messageOf(resolved: PromiseSettledResult<unknown>): string {
  return resolved.status === 'rejected' ? String(resolved.reason) : ''
}
