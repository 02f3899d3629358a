import { loadConfig } from '@parley/foundation/config'
import { createScriptedModel } from '@parley/host/models'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { createWorkshop, inProcess, tinyPicture } from '../workshop.ts'
import { canOpen, openPage, send } from './open-page.ts'

describe.skipIf(!canOpen)('the whole story', () => {
  test('from the first run to a finished turn with consent, a form, the model and a picture', async () => {
    const folder = folderWith({
      'other.json': { mcpServers: { workshop: { command: 'workshop', args: ['--stdio'] } } },
    })
    await using opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [],
      setup: {
        load: () => loadConfig({ files: [`${folder}/other.json`] }),
        toServer: ({ name }) => inProcess(name, createWorkshop()),
        openModel: (name) => createScriptedModel(undefined, { name, announcement: '' }),
        findLocal: async () => [],
      },
    })
    const page = await opened.newPage()
    await firstRun(page)

    await send(page, 'call workshop__echo {"text": "hello"}')
    await page.getByRole('region', { name: 'The model wants to run echo of workshop' }).waitFor()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByRole('region', { name: 'Call of echo' }).getByText('done').waitFor()
    await page.getByRole('article', { name: 'Answer' }).getByText('You said: hello').waitFor()

    await send(page, 'call workshop__form')
    await allow(page, 'form')
    const form = page.getByRole('region', { name: 'workshop asks you something' })
    await form.getByRole('textbox', { name: /name/i }).fill('Ada')
    await form.getByRole('button', { name: 'Send to workshop' }).click()
    await page
      .getByText(/"name":"Ada"/)
      .first()
      .waitFor()

    await send(page, 'call workshop__sum')
    await allow(page, 'sum')
    const review = page.getByRole('region', { name: /wants to ask the model something/ })
    expect(await review.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(
      'Sum it up. password: [redacted]',
    )
    await review.getByRole('button', { name: /^Send to/ }).click()
    const answered = page.getByRole('region', { name: /give it the answer\?/ })
    await answered.getByRole('textbox', { name: 'Answer of the model' }).fill('In short: fine.')
    await answered.getByRole('button', { name: 'Give it to workshop' }).click()
    await page.getByText('The model said: In short: fine.').first().waitFor()

    await send(page, 'call workshop__picture')
    await allow(page, 'picture')
    await page
      .getByRole('region', { name: 'Call of picture' })
      .getByRole('img', { name: /image\/png/ })
      .waitFor()
    await pastePicture(page)
    await send(page, 'What is this?')
    await page.getByRole('article', { name: 'You' }).last().getByRole('img').waitFor()

    expect(opened.complaints).toEqual([])
    expect([...opened.origins]).toHaveLength(1)
  })

  test('a page that is loaded anew in the middle of a turn shows all of it', async () => {
    let resume = (): void => {}
    const waited = new Promise<void>((resolve) => (resume = resolve))
    await using opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [inProcess('workshop', createWorkshop({ wait: () => waited }))],
    })
    const page = await opened.newPage()
    await send(page, 'call workshop__wait')
    await allow(page, 'wait')
    const card = page.getByRole('region', { name: 'Call of wait' })
    await card.getByText('a quarter is done').waitFor()
    await card.getByText('25 %').waitFor()

    await page.reload()

    await page.getByRole('article', { name: 'You' }).getByText('call workshop__wait').waitFor()
    await card.getByText('a quarter is done').waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await send(page, 'And now?')
    await page.getByText('It is sent when the answer is complete.').waitFor()
    resume()
    await page.getByRole('article', { name: 'Answer' }).getByText('waited').waitFor()
    await page.getByRole('article', { name: 'You' }).getByText('And now?').waitFor()
    await page.getByText('I follow a script.').waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
  })

  test('stopping a call, and conversations that are renamed, forked, found and removed', async () => {
    await using opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [
        inProcess(
          'workshop',
          createWorkshop({
            wait: (signal) =>
              new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
          }),
        ),
      ],
    })
    const page = await opened.newPage()
    await send(page, 'call workshop__wait')
    await allow(page, 'wait')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('You stopped this answer.').waitFor()

    const list = page.getByRole('region', { name: 'Chats', exact: true })
    await choose(page, 'call workshop__wait', 'Rename')
    await list.getByRole('textbox', { name: /^New title/ }).fill('About waiting')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: 'About waiting', exact: true }).waitFor()
    await page.getByRole('button', { name: /^Branch/ }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    await list.getByRole('textbox', { name: 'Search chats' }).fill('nothing like this')
    await list.getByText('No chat matches.').waitFor()
    await list.getByRole('textbox', { name: 'Search chats' }).fill('')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    const download = page.waitForEvent('download')
    await choose(page, 'About waiting', 'Export as Markdown')
    expect((await download).suggestedFilename()).toBe('About-waiting.md')
    await choose(page, 'About waiting', 'Delete this chat')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    expect(opened.complaints).toEqual([])
  })
})

async function firstRun(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'What do you want to find out?' }).waitFor()
  const steps = page.getByRole('region', { name: 'Finish setting up' })
  await steps.getByText('0 of 3 done').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await steps.getByRole('button', { name: 'Choose servers' }).click()
  await steps.getByText('workshop --stdio').waitFor()
  await steps.getByRole('checkbox', { name: 'workshop' }).check()
  await steps.getByRole('button', { name: 'Add the chosen server' }).click()
  await page.getByRole('navigation').getByText('tools, ready').waitFor()
  await steps.getByRole('button', { name: 'Choose folder' }).click()
  await steps.getByRole('button', { name: 'Use this folder' }).click()
  await steps.getByText('2 of 3 done').waitFor()
  await steps.getByRole('button', { name: 'Choose model' }).click()
  await steps.getByRole('radio', { name: 'scripted' }).waitFor()
  await steps.getByRole('button', { name: 'Hide this list' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Try echo/ }).click()
  const field = page.getByRole('combobox', { name: 'Message' })
  expect(await field.inputValue()).toBe('call workshop__echo {"message": "Hello"}')
}

async function allow(page: Page, tool: string): Promise<void> {
  const sheet = page.getByRole('region', { name: `The model wants to run ${tool} of workshop` })
  await sheet.getByRole('button', { name: 'Allow once' }).click()
  await sheet.waitFor({ state: 'detached' })
}

async function choose(page: Page, conversation: string, what: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions for ${conversation}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: what }).click()
}

/** As if a picture came from the clipboard. */
async function pastePicture(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Message' }).focus()
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(tinyPicture)}), (one) => one.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'point.png', { type: 'image/png' }))
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })()`)
  await page.getByRole('button', { name: 'Take point.png out' }).waitFor()
}
