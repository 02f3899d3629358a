/** A Worker whose objects run the cases of the contract: `/3` runs the fourth. */
import { equal } from 'node:assert/strict'

import {
  createDurableObjectClusterStore,
  type DurableObjectStore,
  type ObjectContext,
  type ObjectNamespace,
} from '@parley/cluster/workers'

// Not the entry: it starts processes too, and a Worker has no `node:child_process`.
import { storeContract } from '../../src/testing/store-contract.ts'

export class Contract {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  async fetch(request: Request): Promise<Response> {
    const store = createDurableObjectClusterStore(this.#context.storage)
    const cases = storeContract(async () => ({ first: store, second: store }))
    const { pathname } = new URL(request.url)
    try {
      if (pathname === '/long') {
        await checkLongTexts(store)
        equal(this.#context.storage.sql.exec('SELECT * FROM parley_parts').toArray().length, 0)
      } else await cases[Number(pathname.slice(1))]?.run()
      return new Response('holds')
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 })
    }
  }
}

/** A row has room for 2 MB. */
async function checkLongTexts(store: DurableObjectStore): Promise<void> {
  const text = `ä${'🎈'.repeat(600_000)}`
  const key = { group: 'g', id: 'long' }
  await store.records.put(key, text, 0, 60_000)
  equal((await store.records.get(key))?.text === text, true)
  await store.records.put(key, `${text}!`, 1, 1)
  const position = { session: 's', stream: '1' }
  const limits = { events: 10, bytes: 100_000_000, endedMs: 1, openMs: 60_000 }
  const batch = { writer: 'a', firstSequence: 1, isLast: false }
  await store.streams.append(position, { ...batch, texts: [text, 'short', text] }, limits)
  const page = await store.streams.read(position, 0, { events: 2, bytes: 1 })
  equal(page?.texts.length === 1 && page.texts[0] === text, true)
  await store.streams.append(
    position,
    { ...batch, firstSequence: 4, isLast: true, texts: [] },
    limits,
  )
  await new Promise((resolve) => setTimeout(resolve, 20))
  equal(store.sweep(), undefined)
}

export default {
  fetch(request: Request, env: { readonly CONTRACT: ObjectNamespace }): Promise<Response> {
    const name = new URL(request.url).pathname
    return env.CONTRACT.get(env.CONTRACT.idFromName(name)).fetch(request)
  },
}
