import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { hasFocus } from '../../../../test-support/element-state.ts'
import {
  canOpen,
  everythingEntry,
  field,
  inspectorForAll,
  openTab,
  openTool,
} from './open-inspector.ts'

describe.skipIf(!canOpen)('requests of a server in the page', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'everything', entry: everythingEntry, connect: true },
        {
          name: 'older',
          entry: everythingEntry,
          connect: true,
          settings: { era: '2025-11-25' },
        },
      ],
    },
    async (opened) => {
      page = await opened.newPage()
    },
  )

  async function run(tool: string) {
    await openTool(page, tool)
    await page.getByRole('button', { name: 'Example' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: '1 request waits' }).click()
  }

  async function seeResult() {
    await openTab(page, 'Tools')
    await page.getByText('Answered', { exact: true }).waitFor()
    return page.getByRole('region', { name: 'Result' }).textContent()
  }

  test('a form can be accepted, declined and cancelled, three different ends [EUI-01, EUI-02, ELIC-05, ELIC-15, ELIC-18]', async () => {
    const ends: (string | null)[] = []

    await run('trigger-elicitation-request')
    await field(page, /^name|^Full Name|^String/i).fill('Ada')
    await page.getByRole('button', { name: 'Send answer' }).click()
    ends.push(await seeResult())
    for (const end of ['Decline', 'Dismiss']) {
      await run('trigger-elicitation-request')
      await page.getByRole('button', { name: end, exact: true }).click()
      ends.push(await seeResult())
    }

    expect(ends[0]).toContain('Ada')
    expect(ends[1]).toMatch(/decline/i)
    expect(ends[2]).toMatch(/cancel/i)
  })

  test('a form is answered where the call is: its defaults are values, what is missing is marked, the result follows [EUI-01, EUI-03]', async () => {
    await openTool(page, 'trigger-elicitation-request')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const result = page.getByRole('region', { name: 'Result', exact: true })
    const card = result.getByRole('region', { name: 'everything asks for input' })
    await card.getByText('Please provide inputs for the following fields:').waitFor()

    // As the client would send them: nothing goes out that the form does not show.
    for (const [name, value] of [
      ['String with default', 'It was a dark and stormy night.'],
      ['Integer', '42'],
      ['One of several', 'Monica'],
      ['One of several, with titles', 'The first hero'],
    ] as const) {
      expect(await card.getByLabel(name, { exact: true }).first().inputValue()).toBe(value)
    }
    await expect.poll(() => page.locator('.mantine-Notification-root').count()).toBe(0)
    await card.getByRole('button', { name: 'Send answer' }).click()
    await card.getByText('must be given', { exact: true }).waitFor()
    const name = card.getByRole('textbox', { name: 'String', exact: true })
    expect(await hasFocus(name)).toBe(true)
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await name.fill('Ada')
    await card.getByRole('spinbutton', { name: 'Integer' }).fill('7')
    await page.keyboard.press('Control+Enter')

    await result.getByText('Answered', { exact: true }).waitFor()
    const text = (await result.textContent()) ?? ''
    expect(text).toContain('Ada')
    expect(text).toContain('Favorite Integer: 7')
    expect(await hasFocus(result)).toBe(true)
  })

  test('what is written stays when it is looked at elsewhere, and the answer leads back to the result', async () => {
    await openTool(page, 'trigger-elicitation-request')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('textbox', { name: 'String', exact: true }).fill('Grace')
    await page.getByRole('button', { name: '1 request waits' }).click()
    const name = page.getByRole('textbox', { name: 'String', exact: true })
    expect(await name.inputValue()).toBe('Grace')

    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('button', { name: 'Show the result' }).click()

    const result = page.getByRole('region', { name: 'Result', exact: true })
    await result.getByText(/Grace/).first().waitFor()
  })

  test('sampling is answered where the call is [SUI-01]', async () => {
    await openTool(page, 'trigger-sampling-request')
    await page.getByRole('button', { name: 'Example' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const card = page.getByRole('region', { name: 'everything asks a model' })
    await card.getByRole('textbox', { name: 'What the model says' }).fill('said in place')
    await card.getByRole('button', { name: 'Send reply' }).click()

    const result = page.getByRole('region', { name: 'Result', exact: true })
    await result
      .getByText(/said in place/)
      .first()
      .waitFor()
  })

  test('sampling is shown with its limits and answered by hand [SUI-01, INSP-10, SAMP-03, SAMP-19, TRUST-03, TRUST-11]', async () => {
    await run('trigger-sampling-request')
    await page.getByText(/at most \d+ tokens/).waitFor()
    await page.getByText('System prompt').waitFor()
    await page.getByRole('textbox', { name: 'What the model says' }).fill('written by hand')
    await page.getByRole('button', { name: 'Send reply' }).click()

    expect(await seeResult()).toContain('written by hand')
  })

  test('a link is shown in full with its host, and never opened by itself', async () => {
    await run('trigger-url-elicitation')

    const link = page.getByRole('link').filter({ has: page.locator('strong') })
    await link.first().waitFor()
    expect(await link.first().getAttribute('href')).toMatch(/^https?:/)
    expect(page.context().pages()).toHaveLength(1)
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
  })

  test('a link to a host that imitates another says so', async () => {
    await openTool(page, 'trigger-url-elicitation')
    await page.getByRole('button', { name: 'Example' }).click()
    await page.getByRole('textbox', { name: /^url/ }).fill('https://xn--pple-43d.com/sign-in')
    await page.getByRole('button', { name: 'Run', exact: true }).click()

    const card = page.getByRole('region', { name: 'everything asks for input' })
    await card.getByText(/is written in Punycode/).waitFor()
    await card.getByText(/mixes letters of Latin and Cyrillic/).waitFor()
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await card.getByRole('button', { name: 'Decline' }).click()
  })

  test('a rule answers without a person [INSP-10, HDEC-06]', async () => {
    await openTab(page, 'Requests')
    await page.getByText('Rules', { exact: true }).click()
    await page.getByRole('button', { name: 'Add rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'For' }).or(dialog.getByLabel('For')).first().click()
    await page.getByRole('option', { name: 'Sampling' }).click()
    await dialog.getByRole('textbox', { name: 'What the model says' }).fill('by rule: {{prompt}}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: /by rule/ }).waitFor()

    await openTool(page, 'trigger-sampling-request')
    await page.getByRole('button', { name: 'Example' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()

    await page
      .getByRole('region', { name: 'Result' })
      .getByText(/by rule: /)
      .first()
      .waitFor()
  })

  test('a question asked as a task says so, and how the task is', async () => {
    await page.getByRole('button', { name: 'older' }).first().click()
    await run('trigger-elicitation-request-async')
    await page.getByText('as a task, working').waitFor()
    await field(page, /^name/i).fill('Ada')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('as a task', { exact: true }).first().click()
    await page.getByText('as a task, ended').waitFor()

    expect(await seeResult()).toContain('[COMPLETED]')
  })

  test('no page complained', () => {
    expect(inspector.complaints).toEqual([])
  })
})
