import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'

import { hasChromium, openChromium, type OpenChromium } from '../../../../test-support/chromium.ts'

/** Somebody at a real browser with a profile of their own. */
export interface PersonInChromium {
  /** Where programs sent them. */
  readonly visited: readonly URL[]
  /** The headings of the pages they answered. */
  readonly read: readonly string[]
  /** What the consent pages listed. */
  readonly allowed: readonly (readonly string[])[]
  /** What they answer from now on when asked whether they allow it. @defaultValue 'Allow' */
  answer: 'Allow' | 'Deny'
  /** Goes there, signs in if asked, answers, and comes back to the program. */
  open(url: URL): Promise<void>
}

/** Everybody's, in these tests. */
export const password = 'correct horse'

/** Tests with people at one Chromium; skipped where there is none. */
export function describeInChromium(
  title: string,
  tests: (createPerson: (name: string) => Promise<PersonInChromium>) => void,
): void {
  describe.skipIf(!hasChromium)(title, () => {
    let browser: OpenChromium
    beforeAll(async () => void (browser = await openChromium()), 60_000)
    afterAll(() => browser.close())

    tests(async (name) => {
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      return atPage(await context.newPage(), name)
    })
  })
}

function atPage(page: Page, name: string): PersonInChromium {
  const visited: URL[] = []
  const read: string[] = []
  const allowed: string[][] = []

  async function note(): Promise<void> {
    read.push((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')
  }

  const person: PersonInChromium = {
    visited,
    read,
    allowed,
    answer: 'Allow',

    async open(url) {
      visited.push(url)
      await page.goto(url.href)
      if ((await page.getByLabel('Password').count()) > 0) {
        await note()
        await page.getByLabel('Name').fill(name)
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForSelector('button[value=allow]')
      }
      if (new URL(page.url()).origin !== url.origin) return // nothing to answer
      await note()
      allowed.push(await page.getByRole('listitem').allTextContents())
      await page.getByRole('button', { name: person.answer, exact: true }).click()
      await page.waitForURL(({ origin }) => origin !== url.origin)
    },
  }
  return person
}
