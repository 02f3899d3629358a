import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { canOpen, connected, inspectorForAll } from '../page/open-inspector.ts'

const program = fileURLToPath(new URL('fixtures/forms-server.mjs', import.meta.url))

describe.skipIf(!canOpen)('the form of a tool', () => {
  let page: Page
  const inspector = inspectorForAll({ servers: [connected('forms', program)] }, async (opened) => {
    page = await opened.newPage({
      permissions: ['clipboard-read', 'clipboard-write'],
      trace: true,
    })
    await page.getByText('Ready').first().waitFor()
  })
  beforeEach(() => show(page, 'order'))

  test('sends what was filled in, and leaves out what was not', async () => {
    await page.getByRole('textbox', { name: 'Customer' }).fill('Ada')
    await page.getByRole('spinbutton', { name: 'amount' }).fill('12')
    await page
      .getByRole('group', { name: 'tags' })
      .getByRole('button', { name: 'Add item' })
      .click()
    await page.getByRole('textbox', { name: 'tags 1' }).fill('new')
    await page.getByRole('checkbox', { name: 'olives' }).check()
    await page.getByRole('button', { name: 'Ways to set note' }).click()
    await page.getByRole('menuitem', { name: 'Set to null' }).click()

    await page.keyboard.press('Control+Enter')

    await page.getByText('Answered').first().waitFor()
    expect(await sent(page)).toEqual({
      customer: 'Ada',
      amount: 12,
      tags: ['new'],
      toppings: ['olives'],
      note: null,
    })
  })

  test('keeps two uses of one definition apart', async () => {
    for (const [name, city] of [
      ['home', 'Graz'],
      ['work', 'Linz'],
    ] as const) {
      const group = page.getByRole('group', { name, exact: true })
      await group.getByRole('button', { name: `Add ${name}` }).click()
      await group.getByRole('textbox', { name: 'city' }).fill(city)
    }

    expect(await valueOf(page)).toMatchObject({ home: { city: 'Graz' }, work: { city: 'Linz' } })
  })

  test('takes text that is no JSON as such, and keeps the value before it', async () => {
    await page.getByRole('textbox', { name: 'Customer' }).fill('Ada')
    await showAs(page, 'JSON')
    const editor = page.getByRole('textbox', { name: 'Arguments of order as JSON' })

    await editor.fill('{ "customer": "Bob", ')

    await page.getByText('Not JSON').waitFor()
    await showAs(page, 'Form')
    expect(await page.getByRole('textbox', { name: 'Customer' }).inputValue()).toBe('Ada')

    await showAs(page, 'JSON')
    await editor.fill('{ "customer": "Bob", "amount": 3, "unheard": [1, { "of": null }] }')
    await showAs(page, 'Form')
    expect(await page.getByRole('textbox', { name: 'Customer' }).inputValue()).toBe('Bob')
    expect(await valueOf(page)).toEqual({
      customer: 'Bob',
      amount: 3,
      unheard: [1, { of: null }],
    })
  })

  test('changes the shape of a union and starts it with its constant', async () => {
    const payment = page.getByRole('group', { name: 'payment' })
    await payment.getByRole('combobox', { name: 'Shape of payment' }).click()
    await page.getByRole('option', { name: 'Card' }).click()
    await payment.getByRole('textbox', { name: 'number' }).fill('4111')
    await payment.getByText('Cash', { exact: true }).click()

    expect(await valueOf(page)).toMatchObject({ payment: { kind: 'cash' } })
  })

  test('shows the fields of a union at the root, and says at the field what is missing', async () => {
    await show(page, 'union')
    const id = page.getByRole('spinbutton', { name: 'id' })
    await id.focus()
    await page.keyboard.press('Tab')
    expect(await id.getAttribute('aria-invalid')).toBe(null) // nothing was sent yet

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('must be given', { exact: true }).waitFor()
    const described = await id.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).textContent()).toContain('must be given')

    await page.getByText('By name', { exact: true }).click()
    await page.getByRole('textbox', { name: 'name' }).fill('x')
    expect(await valueOf(page)).toEqual({ name: 'x' })
  })

  test('moves the items of a list by keyboard', async () => {
    const tags = page.getByRole('group', { name: 'tags' })
    for (const text of ['a', 'b', 'c']) {
      await tags.getByRole('button', { name: 'Add item' }).click()
      await page.keyboard.type(text)
    }

    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')

    expect(await page.getByRole('textbox', { name: 'tags 1' }).evaluate(isFocused)).toBe(true)
    expect(await valueOf(page)).toMatchObject({ tags: ['c', 'a', 'b'] })
  })

  test('marks what is missing on Run, leads to the first of it, and sends it only when told to', async () => {
    const customer = page.getByRole('textbox', { name: 'Customer' })
    await page.getByRole('spinbutton', { name: 'amount' }).fill('100')
    const forget = page.getByRole('button', { name: 'Clear the history of this tool' })
    if (await forget.isVisible()) await forget.click()

    await page.getByRole('button', { name: 'Run', exact: true }).click()

    await page.getByText('must be given', { exact: true }).waitFor()
    expect(await customer.evaluate(isFocused)).toBe(true)
    expect(await customer.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('No result yet').waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await showInColours(page, colorScheme)
      expect(await seriousFindings(page, '#workspace')).toEqual([])
    }

    await page.getByRole('button', { name: 'Send anyway' }).click()
    const result = page.getByRole('region', { name: 'Result', exact: true })
    await expect.poll(() => result.textContent()).toContain('{ 1 }amount: 100')
    await customer.fill('Ada')
    await page.getByRole('spinbutton', { name: 'amount' }).fill('9')
    await page.getByText('Not sent').waitFor({ state: 'detached' })
  })

  test('shows the default of every kind of field, and leaves it to the server', async () => {
    await show(page, 'fields')

    const shown = page.getByRole('group', { name: 'Arguments of fields' })
    expect(await page.getByRole('textbox', { name: 'text' }).getAttribute('placeholder')).toBe(
      'default: as ever',
    )
    expect(await page.getByRole('combobox', { name: 'speed' }).getAttribute('placeholder')).toBe(
      'default: fast',
    )
    await shown.getByText('default: true', { exact: true }).waitFor()
    await shown.getByText('default: b', { exact: true }).waitFor()
    expect(await valueOf(page)).toEqual({})
  })

  test('picks a moment, and takes a file as base64', async () => {
    await show(page, 'fields')
    await page.getByRole('button', { name: 'Pick date and time of when' }).click()
    await page.getByLabel('Date and time', { exact: true }).fill('2026-01-31T12:30:00')
    await page.getByRole('button', { name: 'Done' }).click()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file for picture' }).click()
    const chooser = await choosing
    await chooser.setFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('bytes') })
    await page.getByText('a.png: 8 characters of base64').waitFor()

    const moment = new Date('2026-01-31T12:30:00').toISOString().replace('.000', '')
    expect(await valueOf(page)).toEqual({ when: moment, picture: btoa('bytes') })
  })

  test('says of a tool that it takes no arguments, and can send some all the same', async () => {
    await show(page, 'nothing')
    await page.getByText('Takes no arguments.').waitFor()
    expect(await page.getByRole('textbox', { name: /^Name of a new member/ }).isVisible()).toBe(
      false,
    )

    await page.getByText('Send arguments anyway').click()
    await page.getByRole('textbox', { name: /^Name of a new member/ }).waitFor()
  })

  test('follows a definition into itself as deep as the value goes', async () => {
    await show(page, 'tree')
    await page.getByRole('textbox', { name: 'name' }).first().fill('top')
    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByRole('textbox', { name: 'name' }).nth(1).fill('below')

    expect(await valueOf(page)).toEqual({ root: { name: 'top', children: [{ name: 'below' }] } })
  })

  test.each(['light', 'dark'] as const)('keeps nobody out, %s', async (colorScheme) => {
    await showInColours(page, colorScheme)
    await page.getByRole('button', { name: 'Example' }).click()
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await showAs(page, 'JSON')
    expect(await seriousFindings(page, '#workspace')).toEqual([])
  })

  test('never offended the content policy, and threw nothing', () => {
    expect(inspector.complaints).toEqual([])
  })
})

/** Shows the empty form of a tool. */
async function show(page: Page, tool: string) {
  const address = `${page.url().replace(/#.*$/, '')}#/forms/tools/${tool}`
  if (page.url() !== address) {
    await page.goto(address)
    await page.getByRole('heading', { name: tool }).waitFor()
  }
  await showAs(page, 'Form')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
}

async function showAs(page: Page, mode: 'Form' | 'JSON' | 'Schema') {
  const modes = page.getByRole('radiogroup', { name: 'How to show the arguments' })
  if (await modes.getByRole('radio', { name: mode, exact: true }).isChecked()) return
  await modes.getByText(mode, { exact: true }).click()
}

function isFocused(element: { readonly ownerDocument: { readonly activeElement: unknown } }) {
  return element.ownerDocument.activeElement === element
}

/** The arguments as the JSON editor has them, which stays open. */
async function valueOf(page: Page): Promise<unknown> {
  await showAs(page, 'JSON')
  const lines = await page.locator('.json-editor .cm-line').allTextContents()
  return JSON.parse(lines.join('\n'))
}

/** The arguments as the server got them: the newest call in the trace, and its answer. */
async function sent(page: Page): Promise<unknown> {
  await page.locator('.trace-row', { hasText: 'tools/call' }).last().click()
  await page.getByRole('radiogroup', { name: 'Part of the row' }).getByText('Answer').click()
  const text = await page.locator('.trace-detail .json-row', { hasText: 'text: "{' }).textContent()
  await page.keyboard.press('Escape')
  return JSON.parse(JSON.parse(text?.replace(/^text: /, '') ?? 'null'))
}
