/**
 * Looks at one state of a page, in every size that matters: nothing but panes scrolls, no text is tiny or cut without a way to
 * read it, and those who cannot see or use the page well find nothing in their way.
 *
 * By day texts are looked at in one size of each state, and axe looks where a walk asks for it; at night everything is looked at
 * everywhere.
 */

import { mkdir } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { seriousFindings, showInColours } from './axe.ts'
import { isThorough } from './thorough.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 390, height: 800 },
] as const
const [largest, , smallest] = sizes

/** At which sizes axe looks by day, in light colours. */
const axeSizes = { none: [], large: [largest], 'large and small': [largest, smallest] }

/** A folder for a picture of each state, to look at beside the design. */
const { PARLEY_PICTURES: pictures } = process.env

/** What a walk may ask of a state. */
export interface WalkOptions {
  /** Pages for reading scroll as documents: only their width is bounded. */
  readonly isDocument?: boolean
}

/** The colours that are shown, and the others. */
type Colours = readonly ['light', 'dark'] | readonly ['dark', 'light']

/** One walk through a page. */
export interface PageWalk {
  /** Looks at what the page shows now. Where axe looks by day it sees dark colours too, at the largest size. */
  look(state: string, axe?: keyof typeof axeSizes): Promise<void>
}

/** Begins a walk of a page in light colours. It is left in the widest window, in either colours. */
export function walkThrough(page: Page, program: string, options: WalkOptions = {}): PageWalk {
  let count = 0
  let colours: Colours = ['light', 'dark']
  return {
    async look(state, axe = 'none') {
      const at = count
      count += 1
      const dear = sizes[at % sizes.length]
      const [, other] = colours
      if (at === 0) {
        // The registry's home has its field in place of the palette button.
        const names = options.isDocument === true ? headerNames.slice(1) : headerNames
        expect(await page.evaluate<string[]>(readHeader)).toEqual(names)
      }
      for (const size of sizes) {
        await page.setViewportSize(size)
        await untilStill(page)
        const found = await page.evaluate<string[]>(
          `(${findProblems})(${options.isDocument === true}, ${isThorough || size === dear})`,
        )
        if (isThorough || axeSizes[axe].some((one) => one === size)) {
          found.push(...(await seriousFindings(page, undefined, 'all')))
        }
        if (pictures !== undefined)
          await takePictures(page, `${program}-${at}-${state}-${size.width}`, colours)
        expect(found, `${state} at ${size.width}`).toEqual([])
      }
      await page.setViewportSize(largest)
      if (isThorough || axe !== 'none') {
        await showInColours(page, other)
        const found = await seriousFindings(page, undefined, 'colours')
        expect(found, `${state}, ${other}`).toEqual([])
        colours = other === 'dark' ? ['dark', 'light'] : ['light', 'dark']
      }
    },
  }
}

/** Pictures of one state of a page that follows the system's colours, wide and narrow, where they are asked for. */
export async function takeLooks(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await mkdir(pictures, { recursive: true })
  for (const size of [largest, smallest]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${pictures}/${name}-${size.width}-${colorScheme}.png` })
    }
  }
}

async function takePictures(page: Page, name: string, [shown, other]: Colours): Promise<void> {
  if (pictures === undefined || name.endsWith('1024')) return
  await mkdir(pictures, { recursive: true })
  for (const colours of [shown, other, shown]) {
    await showInColours(page, colours)
    await page.screenshot({ path: `${pictures}/${name}-${colours}.png` })
  }
}

/** Two frames: what listens to the width of the window has drawn. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  )
}

/** What the header of every program has, in this order. */
const headerNames = ['Search or run a command', 'Help', 'Settings']
const readHeader = `[...document.querySelectorAll('header.top button')]
  .map((one) => one.ariaLabel)
  .filter((name) => ${JSON.stringify(headerNames)}.includes(name))`

/** Ways in which the document scrolls though only panes should, and texts that cannot be read. Text, since it runs in the page. */
const findProblems = `(isDocument, withTexts) => {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
  const faults = []
  if (!isDocument && scrollHeight !== clientHeight) faults.push('the document is ' + scrollHeight + ' high in a window of ' + clientHeight)
  const pane = document.querySelector('#workspace')
  if (isDocument && pane !== null && pane.scrollWidth > innerWidth) faults.push('#workspace is ' + pane.scrollWidth + ' wide')
  if (scrollWidth !== clientWidth) faults.push('the document is ' + scrollWidth + ' wide in a window of ' + clientWidth)
  if (!withTexts) return faults

  const say = (what, one) => faults.push('text is ' + what + ': ' + one.className + ': ' + one.textContent.trim().slice(0, 60))
  for (const one of document.querySelectorAll('body *')) {
    const style = getComputedStyle(one)
    const isTiny = one.childElementCount === 0 && parseFloat(style.fontSize) < 12
    if (isTiny && one.textContent.trim() !== '' && one.getClientRects().length > 0) say('tiny', one)
    // Cut without an ellipsis.
    if (style.overflowX !== 'hidden' || one.scrollWidth <= one.clientWidth + 1) continue
    if (style.textOverflow === 'ellipsis' || one.clientWidth < 2) continue
    // A line of text, not a pane whose parts scroll by themselves.
    const isLine = [...one.childNodes].every((node) => node.nodeType === 3 || getComputedStyle(node).display.startsWith('inline'))
    if (isLine && one.checkVisibility() && one.textContent.trim() !== '' && !one.matches('.visually-hidden, svg *')) say('cut', one)
  }
  return faults
}`
