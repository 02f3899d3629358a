import type { ChatCatalogue } from '@parley/chat'
import { readConfigText } from '@parley/foundation/config'
import { createScriptedModel } from '@parley/host/models'
import { describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { createWorkshop, inProcess } from '../workshop.ts'
import { canOpen, openPage, send } from './open-page.ts'

const item = {
  name: 'com.example/workshop',
  version: '1.2.0',
  title: 'Workshop',
  description: 'Tools to try \u202Ethings with <img src=x onerror=alert(1)>',
  status: 'active',
  flags: [],
}
const looks = [
  [1280, 'light'],
  [760, 'dark'],
  [400, 'light'],
] as const
const catalogue: ChatCatalogue = {
  search: async (text) => ({
    registry: 'https://registry.test',
    items: text === 'none' ? [] : [item],
  }),
  read: async () => ({
    item,
    plans: [
      {
        title: 'npm @example/workshop@1.2.0',
        kind: 'command',
        questions: [{ id: 'API_KEY', isRequired: true, isSecret: true, format: 'string' }],
      },
    ],
  }),
  review: async ({ as }) => ({
    shown: `npx -y @example/workshop@1.2.0 --name ${as} (with API_KEY)`,
    file: '/home/ada/.config/parley/mcp.json',
  }),
  async add({ as }) {
    const text = JSON.stringify({ mcpServers: { [as]: { command: 'npx' } } })
    const [entry] = readConfigText(text, { name: 'mcp.json', cwd: '/' }).entries
    if (entry === undefined) throw new Error('no entry')
    return entry
  },
}

describe.skipIf(!canOpen)('browsing a registry in the chat', () => {
  test('finds a server, shows exactly what would run, and uses it, at every width and colour [HOST-17]', async () => {
    await using opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [],
      setup: {
        load: async () => ({ entries: [], problems: [], files: [] }),
        toServer: ({ name }) => inProcess(name, createWorkshop()),
        openModel: (name) => createScriptedModel(undefined, { name }),
        findLocal: async () => [],
        catalogue,
      },
    })
    const page = await opened.newPage()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Browse the registry' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Find a server in a registry' })
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('none')
    await dialog.getByText('No server matches.').waitFor()
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('tools')
    const found = dialog.getByRole('list', { name: 'Servers found' })
    await found.getByText('‹U+202E›').waitFor()
    await found.getByText('<img src=x onerror=alert(1)>').waitFor()
    await found.getByRole('button').press('Enter')

    const review = dialog.getByRole('button', { name: 'Review' })
    expect(await review.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'API_KEY' }).fill('secret')
    await review.click()
    await dialog.getByText('npx -y @example/workshop@1.2.0 --name workshop').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('tools')
    await review.click() // what was shown is another thing by now
    await dialog.getByText('--name tools (with API_KEY)').waitFor()
    for (const [width, colours] of looks) {
      await page.setViewportSize({ width, height: 800 })
      await showInColours(page, colours)
      expect(await seriousFindings(page, '[role=dialog]')).toEqual([])
      const isWide = await page.evaluate<boolean>(
        'document.querySelector("[role=dialog]").scrollWidth > innerWidth',
      )
      expect([width, isWide]).toEqual([width, false])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('button', { name: 'Run and use this server' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('listitem', { name: 'tools' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await send(page, 'call tools__echo {"text": "hi"}')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByRole('article', { name: 'Answer' }).getByText('You said: hi').waitFor()
    expect(opened.complaints).toEqual([])
    expect([...opened.origins]).toHaveLength(1)
  })
})
