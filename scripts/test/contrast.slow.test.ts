import { describe, expect, onTestFinished, test } from 'vitest'

import { axeSource } from '../../test-support/axe.ts'
import { hasChromium, openChromium } from '../../test-support/chromium.ts'
import { faintTexts } from '../../test-support/contrast.ts'

/** Texts on what they lie on, by what makes them hard or easy to read. */
const gallery: Readonly<Record<string, string>> = {
  grey: '<p style="color: #888">word</p>',
  'dark grey': '<p style="color: #555">word</p>',
  'half transparent': '<p style="color: rgb(0 0 0 / 40%)">word</p>',
  'mixed in another space': '<p style="color: color-mix(in oklab, black 40%, white)">word</p>',
  'on a transparent ground':
    '<div style="background: rgb(0 0 0 / 40%)"><p style="color: #333">word</p></div>',
  'on a dark ground': '<div style="background: #222"><p style="color: #ddd">word</p></div>',
  'dark on dark':
    '<div style="background: #222"><section><p style="color: #666">word</p></section></div>',
  'faded by what it is in': '<div style="opacity: .4"><p style="color: #000">word</p></div>',
  'faded with its ground':
    '<div style="opacity: .95; background: #000"><p style="color: #fff">word</p></div>',
  'faint and large': '<p style="color: #888; font-size: 24px">word</p>',
  'faint, bold and less large':
    '<p style="color: #888; font-size: 19px; font-weight: 700">word</p>',
  'too faint though large': '<p style="color: #aaa; font-size: 24px">word</p>',
  'on the mark of a segment':
    '<div style="position: relative"><div style="position: absolute; inset: 0; background: #555"></div><p style="position: relative; color: #222">word</p></div>',
  'beside a mark':
    '<div style="position: relative"><div style="position: absolute; inset: 0 90% 0 0; background: #000"></div><p style="position: relative; color: #222; margin-left: 50%">word</p></div>',
  'in a field': '<input aria-label="field" style="color: #999; background: #fff" value="word" />',
  'in a field that is disabled':
    '<input aria-label="field" disabled style="color: #999" value="word" />',
  'in a button that is disabled':
    '<button disabled style="color: #999; background: #fff">word</button>',
  'hidden from everybody': '<p style="color: #eee; visibility: hidden">word</p>',
  'for the eyes alone': '<p aria-hidden="true" style="color: #eee">word</p>',
  'on a picture':
    '<div style="background: linear-gradient(#777, #888)"><p style="color: #999">word</p></div>',
  'on a ground over a picture':
    '<div style="background: linear-gradient(#777, #888)"><p style="color: #999; background: #fff">word</p></div>',
  'a single character': '<p style="color: #eee">×</p>',
}

describe.skipIf(!hasChromium)('texts that are too faint', () => {
  test('are those that axe finds, in light and dark', async () => {
    const browser = await openChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const parts = Object.entries(gallery).map(
      ([name, html], at) => `<article data-name="${name}" id="n${at}">${html}</article>`,
    )
    await page.setContent(`<style>:root { color-scheme: light dark }</style>${parts.join('')}`)
    await page.evaluate(axeSource)

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const byAxe = await page.evaluate<
        readonly string[]
      >(`axe.run({ runOnly: ['color-contrast'] }).then(({ violations }) => violations
        .flatMap(({ nodes }) => nodes.map(({ target }) => document.querySelector(target[0]).closest('article').dataset.name)))`)
      const byUs: string[] = []
      for (const [at, name] of Object.keys(gallery).entries()) {
        if ((await faintTexts(page.mainFrame(), `#n${at}`)).length > 0) byUs.push(name)
      }

      expect(byUs, colorScheme).toEqual(byAxe)
    }
  })
})
