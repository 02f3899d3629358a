import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** The rules that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What keeps people out: the serious and critical findings, each with where it is; of a part, if one is named. A dark page
 * differs in its colours alone, and they are all that is looked at there: each test that shows one shows a light one too.
 */
export async function seriousFindings(page: Page, part?: string): Promise<readonly string[]> {
  await page.mouse.move(0, 0) // what the pointer rests on looks different
  const builder = await axeFor(page)
  if (part !== undefined) builder.include(part)
  if (await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches"))
    builder.withRules(colourRules)
  const { violations } = await builder.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/**
 * Axe for a page. A document without frames is judged in place, by the copy of axe it was given before: frames need a
 * page of their own to put the parts together, and axe is larger than what it judges. No rule that runs needs the style
 * sheets read once more.
 */
export async function axeFor(page: Page): Promise<AxeBuilder> {
  const isAlone = page.frames().length === 1
  const isThere = isAlone && (await page.evaluate<boolean>("'axe' in globalThis"))
  return new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .setLegacyMode(isAlone)
    .options({ preload: false, resultTypes: ['violations'] })
}

/** Shows a page in light or dark colours, and waits until they are on the screen. */
export async function showInColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
}
