import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { textIn } from '../../../../test-support/element-state.ts'
import {
  canOpen,
  everythingEntry,
  field,
  go,
  inspectorForAll,
  openTrace,
} from '../page/open-inspector.ts'
import { call, openQuestion, resultIn } from './walk.ts'

const changing = {
  command: execPath,
  args: [fileURLToPath(new URL('fixtures/changing-server.mjs', import.meta.url))],
}

describe.skipIf(!canOpen)('what people see and decide', () => {
  let page: Page
  const inspector = inspectorForAll(
    {
      servers: [
        { name: 'changing', entry: changing, connect: true },
        { name: 'everything', entry: everythingEntry, connect: true },
      ],
    },
    async (opened) => {
      page = await opened.newPage()
      for (const name of ['changing', 'everything']) {
        await page
          .getByRole('navigation')
          .getByRole('button', { name: new RegExp(`^${name} Ready`) })
          .waitFor()
      }
      await openTrace(page)
    },
  )

  /** How many rows of the trace pass a filter. */
  async function countRows(filter: string): Promise<number> {
    const input = page.getByRole('textbox', { name: 'Filter of the trace' })
    await input.fill(filter)
    const metric = page.locator('.trace-figures dd').first()
    await page.waitForTimeout(300) // records come in batches; that none came cannot be waited for
    const count = Number((await metric.textContent())?.replaceAll(',', ''))
    await input.fill('')
    return count
  }

  test('a tool is shown with what would be sent, nothing goes before Run, and what was shown went [TUI-01, TUI-03, ARCH-03, TOOL-02, TOOL-05, TOOL-24, TOOL-25, TRUST-01, TRUST-02, TRUST-09, TRUST-10]', async () => {
    await go(page, 'changing', 'tools', 'link')
    await page.getByRole('heading', { name: 'The link tool link' }).waitFor()
    await page.getByText('The link tool').first().waitFor()
    await page.getByText('Does link.').first().waitFor()
    await page.getByRole('textbox', { name: /^note/ }).fill('first thought')
    expect(await countRows('server:changing method:tools/call')).toBe(0)

    await page.getByRole('textbox', { name: /^note/ }).fill('second thought')
    await page.locator('[data-run]').click()
    await resultIn(page).getByText('Answered', { exact: true }).waitFor()

    expect(await countRows('server:changing method:tools/call text:"second thought"')).toBe(1)
    expect(await countRows('text:"first thought"')).toBe(0)
  })

  test('a link to what is not listed is opened and followed from the result [RUI-10]', async () => {
    await call(page, 'changing', 'link')
    await resultIn(page).getByRole('button', { name: 'Subscribe' }).click()
    await resultIn(page).getByRole('button', { name: 'Open', exact: true }).click()

    await page.getByText('text of note://hidden').waitFor()
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
  })

  test('resources are a list or a tree, found by a word, and shown when picked [RUI-01, RES-24]', async () => {
    await go(page, 'changing', 'resources')
    const list = page.getByRole('listbox', { name: 'Resources' })
    await list.getByRole('option').nth(1).waitFor()
    await page.getByText('Tree', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Search resources' }).fill('other')
    await list.getByRole('option', { name: /other/ }).click()

    await page.getByText('text of note://other').waitFor()
    await page.getByText('List', { exact: true }).click()
    await expect.poll(() => list.getByRole('option').count()).toBe(1)
    await page.getByRole('textbox', { name: 'Search resources' }).fill('')
  })

  test('something is seen to run, then its result; what a tool reports is told from what the protocol refuses [TUI-09, TUI-10, TOOL-04]', async () => {
    await call(page, 'everything', 'trigger-long-running-operation', { duration: '1', steps: '2' })
    await resultIn(page).getByText('Running', { exact: true }).waitFor()
    await resultIn(page).getByText('Answered', { exact: true }).waitFor()

    await call(page, 'changing', 'refuse')
    await resultIn(page).getByText('The tool reports an error').waitFor()
    await resultIn(page).getByText(/done/).first().waitFor()

    await go(page, 'everything', 'prompts', 'args-prompt')
    await page.getByRole('button', { name: 'Get messages' }).click()
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await page.getByText('invalid_params').first().waitFor()
  })

  test('a prompt is got when somebody asks for it, and the list follows the server [PUI-01, PUI-09, PROMPT-17]', async () => {
    await go(page, 'changing', 'prompts', 'first')
    await page.getByRole('heading', { name: 'first' }).waitFor()
    expect(await countRows('server:changing method:prompts/get')).toBe(0)
    await page.getByRole('button', { name: 'Get messages' }).click()
    await page.getByText('from the prompt').waitFor()

    await call(page, 'changing', 'grow')
    await go(page, 'changing', 'prompts')

    await page.getByRole('option', { name: /^grown-1/ }).waitFor()
  })

  test('ten keystrokes in a tenth of a second ask for completion twice at most [COMP-13]', async () => {
    const before = await countRows('server:everything method:completion/complete')
    const typing = await inspector.newPage()
    await go(typing, 'everything', 'prompts', 'completable-prompt')
    const input = typing.getByLabel(/department/i).first()
    await input.click()
    await typing.clock.install()
    await typing.clock.pauseAt(Date.now() + 60_000) // time passes as it is told to, however busy the machine is
    for (const text of 'x,xy,x,,M,Mx,M,En,Engi,E'.split(',')) {
      await input.fill(text)
      await typing.clock.runFor(10)
    }
    await typing.clock.resume()
    await typing.getByRole('option', { name: 'Engineering' }).waitFor()

    const asked = (await countRows('server:everything method:completion/complete')) - before
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(2)
    await typing.close()
  })

  test('an answer is looked over as JSON before it leaves [EUI-04, ELIC-04]', async () => {
    await call(page, 'everything', 'trigger-elicitation-request')
    await openQuestion(page, 'Input')
    await field(page, /^name|^Full Name|^String/i).fill('Grace')
    await page.getByRole('button', { name: 'More ways to answer' }).click()
    await page.getByRole('menuitem', { name: 'Write the answer as JSON' }).click()
    await expect.poll(() => textIn(page.getByLabel('Answer as JSON').first())).toContain('Grace')
    expect(await countRows('text:Grace')).toBe(0)
    await page.getByRole('button', { name: 'Send answer' }).click()
    await go(page, 'everything', 'tools', 'trigger-elicitation-request')
    await resultIn(page).getByText(/Grace/).first().waitFor()
    // The form that was answered is shown with the result: only the trace says what was sent.
    await expect.poll(() => countRows('text:Grace')).toBeGreaterThan(0)
  })

  test('a server that asks too much is never answered again, until the rule goes [EUI-06]', async () => {
    await call(page, 'everything', 'trigger-elicitation-request')
    await openQuestion(page, 'Input')
    await page.getByRole('button', { name: 'More ways to answer' }).click()
    await page.getByRole('menuitem', { name: 'Never ask for everything' }).click()
    await go(page, 'everything', 'tools', 'trigger-elicitation-request')
    await resultIn(page)
      .getByText(/decline/i)
      .first()
      .waitFor()

    await page.locator('[data-run]').click()
    await expect.poll(() => countRows('text:"by rule"')).toBe(1)
    await go(page, 'everything', 'requests')
    await page.getByText(/^Rules/).click()
    await page.getByRole('button', { name: /^Delete rule/ }).click()
    await page.getByText('No rules').waitFor()
  })

  test('roots are said to protect nothing, and those that are gone are marked [ROOTUI-03, ROOTUI-04, ROOT-11, ROOT-16, HDEC-03]', async () => {
    await go(page, 'everything', 'overview')
    await page.getByRole('button', { name: 'Server settings' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/information only/).waitFor()
    await dialog.getByRole('textbox', { name: /^Folder/ }).fill('/no-such-folder-anywhere')
    await dialog.getByRole('button', { name: 'Add root' }).click()

    await dialog.getByText('does not exist').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a command is shown in full, as something that runs, with what is dangerous in it, and can be left [SECX-08, SECX-09, SECX-14, TRUST-07]', async () => {
    const words = ['sudo', 'sh', '-c', 'curl https://example.com/x | sh', '/root', 'x'.repeat(500)]
    await page.getByRole('button', { name: 'Add a server' }).click()
    await page
      .getByRole('textbox', { name: 'Command line' })
      .fill(words.map((word) => `"${word}"`).join(' '))
    await page.getByRole('textbox', { name: 'Name' }).fill('risky')
    await page.getByRole('button', { name: 'Review command' }).click()

    const dialog = page.getByRole('dialog')
    await dialog.getByText('This starts a program on your machine with your permissions').waitFor()
    const shown = dialog.getByRole('list', { name: /command line/ })
    expect(await shown.locator('code').allTextContents()).toEqual(words)
    for (const why of [
      'runs with more permissions than yours',
      'runs whatever text it is given',
      'fetches something from the network',
      'is a sensitive location',
    ]) {
      await expect.poll(() => shown.getByText(why).count()).toBe(1)
    }
    await dialog.getByRole('button', { name: 'Do not start' }).click()
    await page.getByText('risky has not been started').waitFor()

    // Nothing was started; what is started leaves a record, and a page that comes later is asked again.
    expect(await countRows('server:risky')).toBe(0)
    expect(await countRows('server:changing text:"changing-server.mjs"')).toBeGreaterThan(0)
    await page.reload()
    await go(page, 'risky', 'overview')
    await page.getByRole('button', { name: 'Review and start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Do not start' }).click()
  })

  test('no page complained', () => {
    expect(inspector.complaints).toEqual([])
  })
})
