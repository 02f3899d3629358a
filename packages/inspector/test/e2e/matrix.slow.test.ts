import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { canOpen, openInspector, type OpenInspector } from '../page/open-inspector.ts'
import { serveOfficial, serveOurs, type Route, type Served } from './served.ts'
import {
  connectIn,
  disconnectIn,
  seeLogs,
  seeOverview,
  seePrompts,
  seeRequests,
  seeResources,
  seeTask,
  seeTools,
  seeTrace,
  seeUpdates,
  startTask,
} from './walk.ts'

interface Case {
  readonly name: string
  readonly revision?: string
  readonly hasTasks: boolean
  readonly serve: () => Promise<Served>
}

const routes: readonly Route[] = ['stdio', 'http', 'sse', 'websocket']
const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const ours = routes.flatMap((route) =>
  revisions
    .filter((revision) => route !== 'sse' || revision < '2026-07-28')
    .map((revision): Case => {
      const hasTasks = revision > '2025-06-18'
      return { name: `${route}-${revision}`, revision, hasTasks, serve: () => serveOurs(route) }
    }),
)
const official = (['stdio', 'http', 'sse'] as const).map((route): Case => {
  return { name: `official-${route}`, hasTasks: true, serve: () => serveOfficial(route) }
})
const cases = [...ours, ...official]

describe.skipIf(!canOpen)('every panel', { timeout: 90_000 }, () => {
  const served: Served[] = []
  const complaints: string[] = []
  let inspector: OpenInspector
  let browser: BrowserContext

  beforeAll(async () => {
    served.push(...(await Promise.all(cases.map(({ serve }) => serve()))))
    inspector = await openInspector({
      servers: cases.map(({ name, revision }, index) => ({
        name,
        entry: served[index]?.entry ?? { url: '' },
        ...(revision !== undefined && { settings: { era: revision } }),
      })),
    })
    browser = (await inspector.newPage()).context()
    browser.on('weberror', (error) => complaints.push(error.error().message))
    browser.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
  }, 60_000)

  afterAll(async () => {
    await inspector?.[Symbol.asyncDispose]()
    await Promise.all(served.map((one) => one[Symbol.asyncDispose]()))
  })

  test.each(cases)(
    'works against $name [INSP-03..08, INSP-10, INSP-11]',
    async ({ name, revision, hasTasks }) => {
      const page = await browser.newPage()
      await page.goto(new URL('/', inspector.url).href)
      await connectIn(page, name, revision)
      await seeOverview(page, name)
      if (hasTasks) await startTask(page, name)
      await seeTools(page, name)
      await seeResources(page, name)
      await seeUpdates(page, name)
      await seePrompts(page, name)
      await seeRequests(page, name)
      await seeLogs(page, name)
      if (hasTasks) await seeTask(page, name)
      await seeTrace(page, name)
      await disconnectIn(page, name)
      await page.close()
    },
  )

  test('and no page complained', () => {
    expect(complaints).toEqual([])
  })
})
