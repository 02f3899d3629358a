import { type ClusterStore, createCluster } from '@parley/cluster'
import { expect, onTestFinished, test } from 'vitest'

import { openSession, post } from './by-hand.ts'
import { openProcess, type OpenProcess } from './open-process.ts'
import { startPatiently, until } from './until.ts'

const oldSecret = 'the old secret of these tests, long enough'
const newSecret = 'the new secret of these tests, long enough'

/** A process whose secrets can be changed while it runs. */
async function open(position: string, store: ClusterStore): Promise<OpenProcess & Rotating> {
  let secrets: readonly string[] = [oldSecret]
  const cluster = createCluster(store, { secret: () => secrets, leaseMs: 600 })
  const opened = await openProcess(position, cluster)
  return {
    ...opened,
    async rotate(now) {
      secrets = now
      await until(() => cluster.secrets()[0] === now[0] && cluster.secrets().length === now.length)
    },
  }
}

interface Rotating {
  rotate(secrets: readonly string[]): Promise<void>
}

/** Replacing the secret of processes that run, whatever store is between them. */
export function describeRotation(newStore: () => () => ClusterStore): void {
  test('a session outlives the change to another secret, and a stranger is refused throughout', async () => {
    const makeStore = newStore()
    const [a, b] = [await open('a', makeStore()), await open('b', makeStore())]
    const where = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'where' } }
    const before = await openSession(a.service.url)

    const steps = [
      [oldSecret, newSecret],
      [newSecret, oldSecret],
    ]
    for (const step of steps) {
      for (const { rotate } of [a, b]) {
        await rotate(step)
        for (const { service } of [a, b]) {
          expect((await post(service.url, before, where)).status).toBe(200)
          const opened = await openSession(service.url)
          for (const other of [a, b]) {
            expect((await post(other.service.url, opened, where)).status).toBe(200)
          }
        }
      }
    }
    await a.rotate([newSecret])
    await b.rotate([newSecret])
    const probe = makeStore()
    await startPatiently(probe)
    onTestFinished(() => probe.close())
    await until(async () => (await probe.leases.alive()).every(({ info }) => !info.includes(',')))

    const stranger = createCluster(makeStore(), { secret: 'nobody else has this one, long enough' })
    onTestFinished(() => stranger.close())
    await expect(stranger.start()).rejects.toThrow('the secret of this process is unknown')
    const late = createCluster(makeStore(), { secret: oldSecret })
    onTestFinished(() => late.close())
    await expect(late.start()).rejects.toThrow('the secret of this process is unknown')
  })
}
