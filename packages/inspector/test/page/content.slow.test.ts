import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import {
  canOpen,
  everythingEntry,
  inspectorForAll,
  openTab,
  pick,
  showServer,
} from './open-inspector.ts'

const contentEntry = {
  command: execPath,
  args: [fileURLToPath(new URL('fixtures/content.mjs', import.meta.url))],
}

describe.skipIf(!canOpen)('what servers send, in the page', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'content', entry: contentEntry, connect: true },
        { name: 'everything', entry: everythingEntry, connect: true },
      ],
    },
    async (opened) => {
      page = await opened.newPage()
    },
  )

  test('Markdown is rendered, safe, and its source is one press away [RUI-08]', async () => {
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'Read me')
    const view = page.getByRole('region', { name: 'Resource', exact: true })
    await view.getByRole('heading', { name: 'Heading of the text' }).waitFor()

    expect(await view.getByRole('link', { name: 'link' }).getAttribute('rel')).toContain('noopener')
    expect(await view.textContent()).toContain('(https://example.com/path)')
    expect(await view.textContent()).toContain('not loaded: https://example.com/cat.png')
    expect(await view.textContent()).toContain('<script>window.isPwned=true</script>')
    await expect.poll(() => view.locator('img, script, a[href^=javascript]').count()).toBe(0)
    expect(await page.evaluate('window.isPwned')).toBeUndefined()
    expect(await seriousFindings(page, '#workspace')).toEqual([])

    await view.getByRole('button', { name: 'Show source' }).press('Enter')
    await view.getByText('# Heading of the text').waitFor()
    await view.getByRole('button', { name: 'Show rendered' }).press('Enter')
  })

  test('results, prompts, descriptions and instructions are rendered, plain text only on request', async () => {
    await openTab(page, 'Tools')
    await pick(page, 'tools', 'notes')
    const call = page.getByRole('region', { name: 'Call', exact: true })
    await call.getByRole('list').getByText('with a list').waitFor()
    await page.locator('[data-run]').click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('heading', { name: 'Heading of the text' }).waitFor()

    await openTab(page, 'Prompts')
    await pick(page, 'prompts', 'summary')
    await page.getByRole('button', { name: 'Get messages' }).click()
    await page.getByRole('list', { name: 'Messages' }).locator('strong').waitFor()

    await openTab(page, 'Resources')
    await pick(page, 'resources', 'plain.txt')
    await page.getByText('plain **words**').waitFor()
    await page.getByRole('button', { name: 'Show rendered' }).click()
    await page.getByRole('region', { name: 'Resource', exact: true }).locator('strong').waitFor()

    await openTab(page, 'Overview')
    await page.getByRole('heading', { name: 'How to use it' }).waitFor()
  })

  test('CSV is a table, and its text is one press away', async () => {
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'sizes.csv')
    await page.getByRole('cell', { name: 'a, b' }).waitFor()
    const table = page.getByRole('region', { name: 'Table CSV' })
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['name', 'size'])

    await page.getByRole('button', { name: 'Show as text' }).click()
    await page.getByText('"a, b",4').waitFor()
  })

  test('names come first, then titles, and icons in messages are pictures; others are asked for [N11-ICON-05]', async () => {
    await openTab(page, 'Tools')
    await page.getByRole('textbox', { name: 'Search tools' }).fill('')
    const row = (name: string) => page.getByRole('option', { name: new RegExp(`(?:^|\\s)${name}`) })
    await row('lying').waitFor()

    expect(await row('notes').textContent()).toMatch(/^notes.*Notes of today\./s)
    expect(await row('notes').locator('img').getAttribute('src')).toMatch(/^data:image\/png/)
    expect(await row('drawn').locator('img').getAttribute('src')).toMatch(/^data:image\/svg/)
    await expect.poll(() => row('far').locator('img').count()).toBe(0)
    await expect.poll(() => row('lying').locator('img').count()).toBe(0)
    const server = page.getByRole('navigation').getByRole('button', { name: /^content / })
    await expect.poll(() => server.locator('img').count()).toBe(1)

    await row('far').click()
    await page.getByRole('button', { name: 'Load icons from icons.invalid' }).press('Enter')
    await page.getByText('The icon could not be loaded').waitFor()
    await openTab(page, 'Overview')
    await page.getByRole('heading', { name: 'Content of all kinds' }).waitFor()
    await expect.poll(() => page.locator('.overview-head img').count()).toBe(1)
    expect(await page.evaluate('window.isPwned')).toBeUndefined()
  })

  test('remarks on a schema stand in the list and beside the tool, with where and what to do', async () => {
    await openTab(page, 'Tools')
    await page.getByRole('textbox', { name: 'Search tools' }).fill('')
    const row = page.getByRole('option', { name: /odd-schema/ })
    expect(await row.textContent()).toContain('5 remarks')
    await row.click()
    await page.getByRole('button', { name: '5 remarks' }).click()
    const remarks = page.getByRole('list', { name: 'Remarks on its definition' })

    for (const pointer of ['either/type', 'anything', 'sizes'])
      await remarks.getByText(`/inputSchema/properties/${pointer}`, { exact: true }).waitFor()
    await remarks.getByText('/inputSchema/if', { exact: true }).waitFor()
    expect(await seriousFindings(page, '#workspace')).toEqual([])
  })

  test('several resources are selected by the keyboard, read and followed at once', async () => {
    await openTab(page, 'Resources')
    await page.getByRole('textbox', { name: 'Search resources' }).fill('')
    await page.getByRole('button', { name: 'Select', exact: true }).press('Enter')
    const list = page.getByRole('listbox', { name: 'Resources' })
    await list.press('Home')
    await list.press('Space')
    await list.press('ArrowDown')
    await list.press('Space')
    const view = page.getByRole('region', { name: 'Resource', exact: true })
    await view.getByRole('heading', { name: '2 resources selected' }).waitFor()
    await expect.poll(() => list.getByRole('option', { checked: true }).count()).toBe(2)
    expect(await seriousFindings(page, '#workspace')).toEqual([])

    await view.getByRole('button', { name: 'Select all' }).click()
    await view.getByRole('button', { name: 'Read all' }).click()
    const read = view.getByRole('list', { name: 'Selected resources' })
    await read.getByRole('heading', { name: 'Heading of the text' }).waitFor()
    await read.getByRole('cell', { name: 'a, b' }).waitFor()
    await view.getByRole('button', { name: 'Copy texts' }).waitFor()
    await view.getByRole('button', { name: 'Subscribe all' }).click()
    await view.getByRole('button', { name: 'Unsubscribe all' }).waitFor()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
  })

  test('lists are fetched page by page, with the cursor in sight, and refreshed only where that is wanted', async () => {
    await openTab(page, 'Tools')
    await page.getByRole('textbox', { name: 'Search tools' }).fill('')
    const options = page.getByRole('listbox', { name: 'Tools' }).getByRole('option')
    const how = page.getByRole('button', { name: 'How the tools are fetched' })
    await how.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'One page at a time' }).press('Enter')
    await page.keyboard.press('Escape')
    const paging = page.getByRole('group', { name: 'Pages of the tools' })
    await paging.getByText('2', { exact: true }).waitFor()
    await expect.poll(() => options.count()).toBe(2)
    await paging.getByRole('button', { name: 'Next page' }).press('Enter')
    await paging.getByText('4', { exact: true }).waitFor()
    await expect.poll(() => options.count()).toBe(4)

    await how.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'One page at a time' }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: /^Refresh when/ }).press('Enter')
    await page.keyboard.press('Escape')
    await pick(page, 'tools', 'sixth')
    await page.locator('[data-run]').click()
    await page.getByText('changed', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Search tools' }).fill('added-6')
    await expect.poll(() => options.count()).toBe(0)
    await page.getByRole('button', { name: 'Fetch the tools again' }).press('Enter')
    await options.first().waitFor()
    await how.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: /^Refresh when/ }).press('Enter')
    await page.keyboard.press('Escape')
  })

  test('what stands in _meta is sent, and held back where it is no object', async () => {
    await openTab(page, 'Tools')
    await pick(page, 'tools', 'far')
    await page.getByText('Request _meta').click()
    const field = page.getByRole('textbox', { name: '_meta as JSON' })
    await field.fill('{ "example.com/tenant"')
    await page.locator('[data-run]').click()
    await page.getByText('Nothing was sent').first().waitFor()

    await field.fill('{ "example.com/tenant": "a" }')
    await page.locator('[data-run]').click()
    await page.getByRole('region', { name: 'Result' }).getByText('example.com/tenant').waitFor()
    await field.fill('')
  })

  test('skills are a tab where a server has them, and each file is checked', async () => {
    await expect.poll(() => page.getByRole('tab', { name: 'Skills' }).count()).toBe(0)
    await showServer(page, 'everything')
    await openTab(page, 'Skills')
    await pick(page, 'skills', 'test-a-client')
    await page.getByRole('heading', { name: 'Test a client', exact: true }).waitFor()
    await page.getByText('digest matches').waitFor()
    await page.getByRole('button', { name: 'references/LIST.md' }).press('Enter')
    await page.getByRole('heading', { name: 'What is there' }).waitFor()
    expect(await seriousFindings(page, '#workspace')).toEqual([])
  })

  test('a server is duplicated, and its copy starts only when it is confirmed', async () => {
    await page.getByRole('button', { name: 'What to do with content' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.textContent()).toContain('content-2')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review and start' }).waitFor()
  })

  test('nothing was fetched from elsewhere, and no page complained', () => {
    expect([...inspector.origins]).toEqual([new URL(inspector.url).origin])
    expect(inspector.complaints).toEqual([])
  })
})
