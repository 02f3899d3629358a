import { join } from 'node:path'

import { storeContract } from '@parley/cluster/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startWorker, type TestWorker } from '../../../../test-support/workerd.ts'

describe('a store in a Durable Object', () => {
  let worker: TestWorker
  beforeAll(async () => {
    worker = await startWorker({
      entry: join(import.meta.dirname, 'contract-worker.ts'),
      objects: { CONTRACT: 'Contract' },
    })
  })
  afterAll(async () => {
    await worker[Symbol.asyncDispose]()
  })

  const names = storeContract(() => Promise.reject(new Error('they run in the Worker')))
  for (const [index, { name }] of names.entries()) {
    test(name, async () => {
      expect(await check(String(index))).toBe('holds')
    })
  }

  test('texts that are longer than a row are kept whole, and nothing of them is left', async () => {
    expect(await check('long')).toBe('holds')
  })

  async function check(path: string): Promise<string> {
    return (await fetch(new URL(`/${path}`, worker.url()))).text()
  }
})
