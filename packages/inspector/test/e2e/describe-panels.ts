import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { canOpen, openInspector, type OpenInspector } from '../page/open-inspector.ts'
import type { Served } from './served.ts'
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

/** A server to walk through: how to reach it, in which revision, and whether it has tasks. */
export interface Case {
  readonly name: string
  readonly revision?: string
  readonly hasTasks: boolean
  readonly serve: () => Promise<Served>
}

/** Walks through every panel with each server, in one browser. */
export function describePanels(title: string, cases: readonly Case[]): void {
  describe.skipIf(!canOpen)(title, { timeout: 90_000 }, () => {
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
    }, 30_000)

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
}
