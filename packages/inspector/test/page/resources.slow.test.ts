import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { hasFocus } from '../../../../test-support/element-state.ts'
import {
  canOpen,
  everythingEntry,
  inspectorForAll,
  openTab,
  pick,
  showServer,
  stubbornEntry,
} from './open-inspector.ts'

describe.skipIf(!canOpen)('resources, prompts and logs in the page', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'everything', entry: everythingEntry, connect: true },
        { name: 'stubborn', entry: stubbornEntry, connect: true },
      ],
    },
    async (opened) => {
      page = await opened.newPage()
    },
  )

  test('reads a resource that is picked [INSP-04, RUI-05]', async () => {
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'features.md')

    await page.getByText(/read in/).waitFor()
    expect(
      await page.getByRole('region', { name: 'Resource', exact: true }).textContent(),
    ).toContain('demo://resource/static/document/features.md')
  })

  test('shows resources as a tree whose folders close', async () => {
    await openTab(page, 'Resources')
    await page.getByRole('textbox', { name: 'Search resources' }).fill('')
    await page.getByText('Tree', { exact: true }).click()
    await page.getByRole('option', { name: 'document' }).click()

    await expect.poll(() => page.getByRole('option', { name: 'features.md' }).count()).toBe(0)
    await page.getByText('List', { exact: true }).click()
  })

  test('fills a template with completion and reads the address it makes [RUI-02]', async () => {
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'Dynamic Blob Resource')
    await page.getByLabel('resourceId').first().fill('7')
    await page.getByRole('button', { name: 'Read', exact: true }).first().click()

    await page.getByText('00000000').first().waitFor()
    expect(await page.getByLabel('Address', { exact: true }).textContent()).toBe(
      'demo://resource/dynamic/blob/7',
    )
  })

  test('follows a resource and shows what changed [RUI-06]', async () => {
    await showServer(page, 'stubborn')
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'changing')
    await page.getByText('reading 1').waitFor()
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('reading 2').waitFor()
    await page.getByText('Changes', { exact: true }).click()

    const lines = page.getByRole('region', { name: 'What changed' }).locator('.diff-line')
    await lines.first().waitFor()
    expect(await lines.allTextContents()).toEqual([
      ' first line',
      '−removed: reading 1',
      '+added: reading 2',
      ' last line',
    ])
    await showServer(page, 'everything')
  })

  test('completes an argument of a prompt and shows the messages [INSP-05, PUI-05]', async () => {
    await openTab(page, 'Prompts')
    await pick(page, 'prompts', 'completable-prompt')
    await page
      .getByLabel(/department/i)
      .first()
      .fill('E')
    await page.getByRole('option', { name: 'Engineering' }).waitFor()
    await expect.poll(() => page.getByRole('option', { name: 'Marketing' }).count()).toBe(0)
    await page.getByRole('option', { name: 'Engineering' }).click()
    await page.getByLabel(/name/i).first().fill('A')
    await page.getByRole('option', { name: 'Alice' }).click()
    await page.getByRole('button', { name: 'Get messages' }).click()

    await page
      .getByRole('list', { name: 'Messages' })
      .getByText(/Engineering/)
      .first()
      .waitFor()
  })

  test('an argument that is required is asked for before anything is sent; others may be left out [PUI-04, INSP-05]', async () => {
    await openTab(page, 'Prompts')
    await pick(page, 'prompts', 'args-prompt')
    const city = page.getByRole('textbox', { name: 'city' })
    const about = (await city.getAttribute('aria-describedby'))?.split(' ') ?? []
    expect(await page.locator(`[id="${about[0]}"]`).textContent()).toBe('A city')
    await page.getByText('The state it is in', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Get messages' }).click()

    await page.getByText('The prompt requires it.').waitFor()
    expect(await hasFocus(city)).toBe(true)
    await expect.poll(() => page.getByText('invalid_params').count()).toBe(0)
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await city.fill('Graz\nand around')
    await page.keyboard.press('Control+Enter')
    const messages = page.getByRole('list', { name: 'Messages' })
    await messages.getByText(/Graz\s+and around/).waitFor()
  })

  test('an argument that is missing can be sent as such, and the error of the server is shown [INSP-09]', async () => {
    await openTab(page, 'Prompts')
    await pick(page, 'prompts', 'args-prompt')
    await page.getByRole('textbox', { name: 'city' }).fill('')
    await page.getByRole('button', { name: 'Get messages' }).click()
    await page.getByRole('button', { name: 'Send anyway' }).click()

    await page.getByText('invalid_params').first().waitFor()
  })

  test('log messages arrive, and the level can be set [INSP-07, OBS-06, OBS-07, LOG-13, LOG-15]', async () => {
    await openTab(page, 'Logs')
    const asked = page.getByRole('combobox', { name: 'Level requested from the server' })
    await asked.click()
    await page.getByRole('option', { name: 'debug', exact: true }).click()
    await expect.poll(() => asked.inputValue()).toBe('debug')

    // The level of its message is random: asked for less than all levels, the server may keep it to itself.
    await openTab(page, 'Tools')
    await pick(page, 'tools', 'toggle-simulated-logging')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Answered', { exact: true }).waitFor()
    await openTab(page, 'Logs')

    await page.locator('.log-row').first().waitFor()
    expect(await page.locator('.log-level').first().textContent()).toMatch(/\w+/)
  })

  test('no page complained', () => {
    expect(inspector.complaints).toEqual([])
  })
})
