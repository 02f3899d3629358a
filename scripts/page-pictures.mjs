#!/usr/bin/env node
/**
 * Puts the four looks of each view, wide and narrow, light and dark, into one small picture for `docs/internals/pages.md`.
 *
 *     PARLEY_PICTURES=/tmp/pictures npx vitest run packages/{chat,inspector,gateway,registry}/test/page packages/auth/test/server/pages-in-browser
 *     npm run docs:build && npm run docs:check
 *     node scripts/page-pictures.mjs /tmp/pictures
 */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process, { exit } from 'node:process'

import { chromium } from 'playwright-core'

import { shrinkPng } from '../test-support/small-png.mjs'
import { root } from './source-files.mjs'

/** The views, by the name of the state in the walk through the pages. */
const views = {
  'chat-start': 'chat-start',
  'chat-thread': 'chat-thread',
  'chat-consent': 'chat-consent-three',
  'chat-settings': 'chat-settings',
  'inspector-tools': 'inspector-tools-ran',
  'inspector-question': 'inspector-question',
  'gateway-overview': 'gateway-overview',
  'gateway-server': 'gateway-server',
  'registry-home': 'registry-home',
  'registry-entry': 'registry-entry',
  'oauth-consent': 'oauth-consent',
  'docs-home': 'landing',
}
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('name the folder with the pictures: node scripts/page-pictures.mjs /tmp/pictures')
  exit(1)
}
const site = join(root, 'site/.pictures')
const pictures = [folder, site].flatMap((from) =>
  existsSync(from) ? readdirSync(from).map((file) => join(from, file)) : [],
)
const target = join(root, 'docs/internals/pages')
mkdirSync(target, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
})
const page = await browser.newPage({ viewport: { width: 1_000, height: 700 } })
for (const [name, state] of Object.entries(views)) {
  const [program = '', ...rest] = state.split('-')
  const looks = ['1440-light', '390-light', '1440-dark', '390-dark'].map((look) => {
    const pattern = new RegExp(
      `^(?:${program}(?:-\\d+)?-${rest.join('-')}-${look}|${look}_${state})\\.png$`,
    )
    return pictures.find((file) => pattern.test(basename(file)))
  })
  if (looks.includes(undefined)) {
    console.log(`${name}: not among the pictures`)
    continue
  }
  const images = looks.map((file) => {
    const bytes = readFileSync(file ?? '').toString('base64')
    return `<img src="data:image/png;base64,${bytes}">`
  })
  await page.setContent(`<style>
    body { margin: 0; background: #c8ccd6; display: grid; gap: 8px; padding: 8px; width: max-content;
      grid-template-columns: 720px auto; }
    img { display: block; height: 450px; }
  </style>${images.join('')}`)
  await page.waitForFunction('[...document.images].every((one) => one.complete)')
  const path = join(target, `${name}.png`)
  await page.locator('body').screenshot({ path })
  console.log(`${name}: ${await shrinkPng(path)} bytes`)
}
await browser.close()
