import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { open } from '../gateway/running.ts'
import { canOpen, openBrowser, show, type OpenBrowser } from './open-page.ts'
import { hiding, notes, startPage, wholeConfig, type RunningPage } from './running-page.ts'

describe.skipIf(!canOpen)('the page of a gateway', () => {
  let running: RunningPage
  let browser: OpenBrowser
  let page: Page
  let key = ''

  beforeAll(async () => {
    running = await startPage(wholeConfig, { servers: { HIDDEN: hiding() } })
    const made = await running.config().operated.keys?.createKey({ name: 'ada' })
    key = made?.key ?? ''
    browser = await openBrowser()
    page = await browser.newPage(running)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await running[Symbol.asyncDispose]()
  })

  async function call(tool: string, args = {}): Promise<void> {
    await using client = await open(running.gateway, {
      protocolVersion: 'legacy',
      headers: { authorization: `Bearer ${key}` },
    })
    await client.listTools().toArray()
    await client.callTool(tool, args)
  }

  test('shows who calls, what passes, and why a server cannot be used', async () => {
    await call('notes__read')
    await show(page, 'Overview')

    const map = page.getByRole('region', { name: 'Who calls what' })
    await map.getByText('ada').waitFor()
    await map.getByText('trying again').waitFor()
    await map.getByText(/Attempt \d+; next/).waitFor()
    await map.getByRole('button', { name: 'notes' }).click()
    await page.getByRole('main', { name: 'Servers' }).waitFor()
    await page.getByText('notes__read').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('is used with the keyboard alone', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('main', { name: 'API keys' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('main', { name: 'Servers' }).waitFor()
    await page.getByRole('button', { name: 'notes' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Restart' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Restart notes' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction("document.activeElement.textContent === 'Restart'")
  })

  test('text of servers is text, and what does not show is named', async () => {
    await show(page, 'Quarantine')
    await call('notes__read')

    const waiting = page.getByRole('article', { name: 'tool look of hidden' })
    await waiting.getByText('U+202E').waitFor()
    await waiting.getByText('<img src=x onerror=alert(1)>').first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
  })

  test('approves a definition, and it waits no more', async () => {
    await show(page, 'Quarantine')
    const waiting = page.getByRole('article', { name: 'tool look of hidden' })

    await waiting.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()

    await waiting.waitFor({ state: 'detached' })
  })

  test('shows both hops of a call side by side', async () => {
    await show(page, 'Traffic')
    await call('notes__write', { path: '/a', password: 'hunter2' })

    await page
      .getByRole('option', { name: /notes__write/ })
      .or(page.getByText('notes__write'))
      .first()
      .click()
    const hops = page.getByRole('region', { name: 'Both hops' })
    await hops.getByText('"notes__write"').waitFor()
    await hops.getByText('"write"').waitFor()
    await hops.getByText('"/a"').first().waitFor()
    expect(await page.getByText('hunter2').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('tests the policy', async () => {
    await show(page, 'Policy')
    await page.getByRole('combobox', { name: 'Server' }).selectOption('notes')
    await page.getByRole('textbox', { name: 'Name' }).fill('fail')
    await page.keyboard.press('Enter')

    const decision = page.getByRole('region', { name: 'Decision' })
    await decision.getByRole('heading', { name: 'Refused' }).waitFor()
    await decision.getByRole('row', { name: /rule 1 allow false/ }).waitFor()
  })

  test('shows a new key once, and revokes it', async () => {
    await show(page, 'API keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Holder' }).fill('grace')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const shown = (await page.getByTestId('new-key').textContent()) ?? ''
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('button', { name: 'Revoke the key of grace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()

    await page.getByRole('row', { name: /grace .* revoked/ }).waitFor()
    expect(shown).toMatch(/^pgk_/)
    expect(await page.content()).not.toContain(shown)
  })

  test('shows the audit, and verifies its chain', async () => {
    await show(page, 'Audit')
    await page.getByRole('combobox', { name: 'Kind of entry' }).selectOption('operation')
    await page.getByRole('row', { name: /keys\/revoke/ }).waitFor()
    await page.getByRole('button', { name: 'Verify the chain' }).click()

    await page.getByText(/entries, none changed/).waitFor()
  })

  test('shows what a reload would change before it is applied', async () => {
    running.write(`${wholeConfig}limits: { concurrency: 8 }\n`)
    await show(page, 'Configuration')
    await page.getByRole('button', { name: 'Check for changes' }).click()
    const file = page.getByRole('region', { name: 'The file now' })
    await file.getByText('limits').first().waitFor()

    await file.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()

    await file.getByText('The file is as the gateway uses it.').waitFor()
  })

  test('closes a session', async () => {
    await using client = await open(running.gateway, {
      protocolVersion: 'legacy',
      headers: { authorization: `Bearer ${key}` },
    })
    await client.callTool('notes__read')
    await show(page, 'Sessions')
    await page
      .getByRole('button', { name: /Close the session of ada/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click()

    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('nothing in it complains, and nothing is fetched from elsewhere', () => {
    expect(browser.complaints).toEqual([])
  })
})

describe.skipIf(!canOpen)('without what can be configured', () => {
  test('each view says what is missing, and that the gateway is gone', async () => {
    const running = await startPage('servers:\n  notes: { url: UPSTREAM }\n', { server: notes() })
    await using browser = await openBrowser()
    const page = await browser.newPage(running)

    await show(page, 'Policy')
    await page.getByText('No policy. Every caller can use every tool.').waitFor()
    await show(page, 'Quarantine')
    await page.getByText('This gateway pins no tools').waitFor()
    await show(page, 'Audit')
    await page.getByText('This gateway writes no audit').waitFor()
    await show(page, 'API keys')
    await page.getByText('This gateway uses no API keys').waitFor()
    await show(page, 'Sessions')
    await page.getByText('No sessions').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await running[Symbol.asyncDispose]()

    await page.getByRole('alert').getByText('The gateway does not answer').waitFor()
  })

  test('a browser without a link is told how to get one', async () => {
    await using running = await startPage('servers:\n  notes: { url: UPSTREAM }\n')
    await using browser = await openBrowser()
    const page = await browser.newPage(running)
    await page.context().clearCookies()
    await page.evaluate('localStorage.clear()')

    await page.goto(running.page.url.href)
    await page.reload()

    await page.getByText('This browser has no access yet').waitFor()
    await vi.waitFor(() => expect(browser.complaints.join(' ')).toContain('401'))
  })
})
