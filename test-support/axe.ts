import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

import { faintTexts } from './contrast.ts'
import { isThorough } from './thorough.ts'

/** The axe that is for Playwright, in few bytes: a page is given all of it. */
const require = createRequire(import.meta.url)
const besideBuilder = createRequire(require.resolve('@axe-core/playwright'))
export const axeSource = readFileSync(besideBuilder.resolve('axe-core/axe.min.js'), 'utf8')

/** No rule that runs needs the style sheets read once more. */
const options = { preload: false, resultTypes: ['violations' as const] }

/** The rule that takes longer than all others together; `contrast.ts` finds the same, and stands in for it by day. */
const dearRule = 'color-contrast'

/** The rules that look at colours. */
const onlyColours = {
  runOnly: {
    type: 'rule' as const,
    values: [...(isThorough ? [dearRule] : []), 'link-in-text-block'],
  },
}

/** What is read of a finding. */
interface Finding {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

/**
 * What keeps people out: the serious and critical findings, each with where it is; of a part, if one is named. A dark page
 * differs in its colours alone, and they are all that is looked at there unless `rules` says otherwise: each test that shows
 * one shows a light one too.
 */
export async function seriousFindings(
  page: Page,
  part?: string,
  rules?: 'all' | 'colours',
): Promise<readonly string[]> {
  await page.mouse.move(0, 0) // what the pointer rests on looks different
  const [hasAxe, isDark] = await page.evaluate<readonly [boolean, boolean]>(
    "['axe' in globalThis, matchMedia('(prefers-color-scheme: dark)').matches]",
  )
  const look = page.frames().length > 1 ? lookIntoFrames : lookInPlace
  if (!hasAxe && look === lookInPlace) await page.evaluate(axeSource)
  const isPartial = rules === undefined ? isDark : rules === 'colours'
  const violations = await look(page, part, { ...options, ...(isPartial && onlyColours) })
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  if (isThorough) return found
  const faint = await Promise.all(
    page.frames().map((frame) => faintTexts(frame, frame === page.mainFrame() ? part : undefined)),
  )
  return [...found, ...faint.flat().map((text) => `${dearRule}: ${text}`)]
}

type Options = typeof options & Partial<typeof onlyColours>

/**
 * A document without frames is judged by the copy of axe that it was given before: axe is larger than what it judges.
 * Rules that find nothing serious are left out; each has one impact.
 */
async function lookInPlace(
  page: Page,
  part: string | undefined,
  run: Options,
): Promise<readonly Finding[]> {
  const where = part === undefined ? 'document' : JSON.stringify({ include: [[part]] })
  return await page.evaluate(`{
    const rules = Object.fromEntries(axe._audit.rules
      .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
      .map(({ id }) => [id, { enabled: false }]))
    if (!${isThorough}) rules[${JSON.stringify(dearRule)}] = { enabled: false }
    axe.run(${where}, { rules, ...${JSON.stringify(run)} }).then(({ violations }) => violations)
  }`)
}

/** Frames need a page of their own, to put the parts together. */
async function lookIntoFrames(
  page: Page,
  part: string | undefined,
  run: Options,
): Promise<readonly Finding[]> {
  const builder = new AxeBuilder({ page }).options(run)
  if (!isThorough && !('runOnly' in run)) builder.disableRules(dearRule)
  if (part !== undefined) builder.include(part)
  const { violations } = await builder.analyze()
  return violations
}

/** Shows a page in light or dark colours, and waits until they are on the screen. */
export async function showInColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
}
