import type { Catalogue } from '@parley/inspector'
import { describe, expect, onTestFinished, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { serveEverything } from '../service/everything.ts'
import { canOpen, openInspector, openTab } from './open-inspector.ts'

async function open() {
  const everything = await serveEverything()
  const filled: unknown[] = []
  const catalogue: Catalogue = {
    url: 'https://registry.test',
    search: async (text) =>
      text === 'none'
        ? []
        : [
            {
              name: 'com.example/everything',
              version: '1.0.0',
              title: 'Everything <img src=x onerror=alert(1)>',
              description: 'All of it \u202Eat once',
              status: 'deprecated',
              statusMessage: 'use something else',
              flags: ['looks like com.example/everythlng'],
            },
          ],
    read: async (name, version = '1.0.0') => ({
      item: { name, version, description: '', status: 'active', flags: [] },
      plans: [
        {
          title: 'https://everything.example.com/mcp',
          kind: 'url',
          questions: [
            { id: 'KEY', isRequired: true, isSecret: true, format: 'string' },
            {
              id: 'region',
              isRequired: false,
              isSecret: false,
              format: 'string',
              choices: ['eu', 'us'],
            },
          ],
        },
      ],
    }),
    async fill(choice) {
      filled.push(choice)
      return everything.entry
    },
  }
  const inspector = await openInspector({ openCatalogue: async () => catalogue })
  onTestFinished(async () => {
    await inspector[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  const page = await inspector.newPageAt(inspector.createUrl())
  await page
    .getByRole('button', { name: /^add (?:a )?server/i })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add a server' })
  await dialog.getByText('Browse', { exact: true }).click()
  return { inspector, page, dialog, filled }
}

describe.skipIf(!canOpen)('browsing a registry in the page', () => {
  test('finds a server, asks its questions, and connects to it', async () => {
    const { inspector, page, dialog, filled } = await open()
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('none')
    await dialog.getByText('No server matches.').waitFor()
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('every')
    const found = dialog.getByRole('list', { name: 'Servers found' })
    await found.getByText('All of it ‹U+202E›at once').waitFor()
    await found.getByText('<img src=x onerror=alert(1)>').waitFor()
    await found.getByRole('button').click()

    await dialog.getByText('use something else').waitFor()
    const add = dialog.getByRole('button', { name: 'Add and connect' })
    expect(await add.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'KEY' }).fill('secret')
    await add.click()

    await openTab(page, 'Overview')
    await page.getByText('Everything Reference Server').first().waitFor()
    expect(filled).toEqual([
      {
        name: 'com.example/everything',
        version: '1.0.0',
        plan: 'https://everything.example.com/mcp',
        answers: { KEY: 'secret' },
      },
    ])
    expect([...inspector.origins]).toEqual([new URL(inspector.url).origin])
    expect(inspector.complaints).toEqual([])
  })

  test('keeps nobody out, wide or narrow', async () => {
    const { page, dialog } = await open()
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('every')
    await dialog.getByRole('list', { name: 'Servers found' }).waitFor()
    const bar = 'document.querySelector("[role=dialog] [role=radiogroup]")'
    for (const [width, colours] of [
      [1280, 'light'],
      [1280, 'dark'],
      [400, 'dark'],
      [400, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 720 })
      await showInColours(page, colours)
      const isWide = await page.evaluate<boolean>(`${bar}.scrollWidth > ${bar}.clientWidth`)
      expect([width, isWide]).toEqual([width, false])
      expect(await seriousFindings(page, '[role=dialog]')).toEqual([])
    }
    await dialog.getByRole('list', { name: 'Servers found' }).getByRole('button').click()
    await dialog.getByRole('textbox', { name: 'KEY' }).waitFor()
    for (const [width, colours] of [
      [400, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 720 })
      await showInColours(page, colours)
      expect(await seriousFindings(page, '[role=dialog]')).toEqual([])
    }
  })
})
