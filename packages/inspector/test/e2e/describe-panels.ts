import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest'

import { canOpen, inspectorForAll } from '../page/open-inspector.ts'
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

/** Walks through every panel with each server, in one page: as somebody does who has them all. */
export function describePanels(title: string, cases: readonly Case[]): void {
  describe.skipIf(!canOpen)(title, () => {
    const served: Served[] = []
    let page: Page | undefined
    beforeAll(async () => {
      served.push(...(await Promise.all(cases.map(({ serve }) => serve()))))
      return () => Promise.all(served.map((one) => one[Symbol.asyncDispose]()))
    })
    const inspector = inspectorForAll(() => ({
      servers: cases.map(({ name, revision }, index) => ({
        name,
        entry: served[index]?.entry ?? { url: '' },
        ...(revision !== undefined && { settings: { era: revision } }),
      })),
    }))

    test.each(cases)(
      'works against $name [INSP-03..08, INSP-10, INSP-11]',
      async ({ name, revision, hasTasks }) => {
        page ??= await inspector.newPage({ trace: true })
        const used = page
        onTestFailed(async () => {
          page = undefined // whatever it shows now is nothing to begin with
          await used.context().close()
        })
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
      },
    )

    test('and no page complained', () => {
      expect(inspector.complaints).toEqual([])
    })
  })
}
