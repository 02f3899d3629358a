/**
 * Looks at one state of a page, in every width that matters: nothing but panes scrolls, no text is cut without a way to read it,
 * and those who cannot see or use the page well find nothing in their way.
 *
 * By day texts are looked at in one width of each state; at night in all, with axe in both colours.
 */

import { mkdir } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { seriousFindings, showInColours } from './axe.ts'
import { isThorough } from './thorough.ts'

const widths = [1440, 1024, 390] as const
/** A folder for a picture of each state, to look at beside the design. */
const { PARLEY_PICTURES: pictures } = process.env

/** What a walk may ask of a state. */
export interface WalkOptions {
  /** Pages for reading scroll as documents: only their width is bounded. */
  readonly isDocument?: boolean
}

/** One walk through a page. */
export interface PageWalk {
  /** Looks at what the page shows now, in every width. */
  look(state: string): Promise<void>
}

/** Begins a walk. The page is left in the widest window, in light colours. */
export function walkThrough(page: Page, program: string, options: WalkOptions = {}): PageWalk {
  let count = 0
  return {
    async look(state) {
      const at = count
      count += 1
      const dear = widths[at % widths.length]
      if (at === 0) {
        // The registry's home has its field in place of the palette button.
        const names = options.isDocument === true ? headerNames.slice(1) : headerNames
        expect(await page.evaluate<string[]>(readHeader)).toEqual(names)
      }
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        const found: string[] = []
        found.push(
          ...(await page.evaluate<string[]>(`(${scrolls})(${options.isDocument === true})`)),
        )
        if (isThorough || width === dear) {
          found.push(...(await page.evaluate<string[]>(`(${cutTexts})()`)))
        }
        if (isThorough) found.push(...(await seriousFindings(page)))
        if (pictures !== undefined) await takePictures(page, `${program}-${at}-${state}-${width}`)
        expect(found, `${state} at ${width}`).toEqual([])
      }
      await page.setViewportSize({ width: widths[0], height: 900 })
      if (isThorough) {
        await showInColours(page, 'dark')
        expect(await seriousFindings(page), `${state}, dark`).toEqual([])
        await showInColours(page, 'light')
      }
    },
  }
}

async function takePictures(page: Page, name: string): Promise<void> {
  if (pictures === undefined || name.endsWith('1024')) return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: `${pictures}/${name}-light.png` })
  await showInColours(page, 'dark')
  await page.screenshot({ path: `${pictures}/${name}-dark.png` })
  await showInColours(page, 'light')
}

/** Two frames: what listens to the width of the window has drawn. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  )
}

/** What the header of every program has, in this order. */
const headerNames = ['Search or run a command', 'Help', 'Settings']
const readHeader = `[...document.querySelectorAll('header.top button')]
  .map((one) => one.ariaLabel)
  .filter((name) => ${JSON.stringify(headerNames)}.includes(name))`

/** Ways in which the document scrolls though only panes should. Text, since it runs in the page. */
const scrolls = `(isDocument) => {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
  return [
    ...(isDocument || scrollHeight === clientHeight ? [] : ['the document is ' + scrollHeight + ' high in a window of ' + clientHeight]),
    ...(scrollWidth === clientWidth ? [] : ['the document is ' + scrollWidth + ' wide in a window of ' + clientWidth]),
  ]
}`

/** Texts that are cut without an ellipsis. */
const cutTexts = `() => [...document.querySelectorAll('body *')]
  .filter((one) => {
    const style = getComputedStyle(one)
    if (style.overflowX !== 'hidden' || one.scrollWidth <= one.clientWidth + 1) return false
    if (style.textOverflow === 'ellipsis' || one.clientWidth < 2) return false
    // A line of text, not a pane whose parts scroll by themselves.
    const isLine = [...one.childNodes].every((node) => node.nodeType === 3 || getComputedStyle(node).display.startsWith('inline'))
    return isLine && one.checkVisibility() && one.textContent.trim() !== '' && !one.matches('.visually-hidden, svg *')
  })
  .map((one) => 'text is cut: ' + one.className + ': ' + one.textContent.trim().slice(0, 60))`
