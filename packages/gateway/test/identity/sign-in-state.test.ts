import { createMemoryCluster } from '@parley/cluster'
import { expect, onTestFinished, test } from 'vitest'

import {
  createLocalSignInState,
  createSharedSignInState,
  type SignInState,
} from '../../src/identity/sign-in-state.ts'
import { secret } from '../cluster/two-processes.ts'

async function openShared(): Promise<SignInState> {
  const cluster = createMemoryCluster({ secret })
  onTestFinished(() => cluster.close())
  await cluster.start()
  return createSharedSignInState(cluster, () => undefined)
}

test.each([
  ['this process', async () => createLocalSignInState()],
  ['a cluster', openShared],
])('of several who take or add the same at once in %s, one does', async (_, open) => {
  const state = await open()
  await state.set('waiting', 'one', { upstream: 'docs' })

  const taken = await Promise.all([0, 1, 2].map(() => state.take('waiting', 'one')))
  const added = await Promise.all([0, 1, 2].map((at) => state.add('browser', 'one', at)))

  expect(taken.filter((value) => value !== undefined)).toEqual([{ upstream: 'docs' }])
  expect(added.filter(Boolean)).toHaveLength(1)
  expect(await state.get('waiting', 'one')).toBeUndefined()
})
