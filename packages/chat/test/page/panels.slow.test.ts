import { rmSync } from 'node:fs'

import { createScriptedModel } from '@parley/host/models'
import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { createPlan, createWorkshop, inProcess } from '../workshop.ts'
import { canOpen, openPage, send } from './open-page.ts'

describe.skipIf(!canOpen)('beside the conversation', () => {
  test('context, activity, folders, messages and servers', async () => {
    const model = createScriptedModel(undefined, { announcement: '' })
    await using opened = await openPage({
      models: [model],
      servers: [
        inProcess('workshop', createWorkshop()),
        { name: 'gone', target: 'http://127.0.0.1:9/mcp' },
      ],
    })
    const page = await opened.newPage()
    const left = page.getByRole('navigation')
    await left.getByText('failed', { exact: true }).waitFor()

    await send(page, 'call workshop__echo {"text": "hi"}')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByRole('article', { name: 'Answer' }).getByText('You said: hi').waitFor()
    await page.getByText(/gone did not start: .*nothing listens there/).waitFor()
    await page.getByRole('button', { name: /^Context: / }).click()
    const context = page.getByRole('region', { name: 'Context by server' })
    await context.getByRole('row', { name: /^workshop 6/ }).waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const activity = page.getByRole('region', { name: 'Calls of the newest turn' })
    await activity.getByRole('row', { name: /^workshop · echo/ }).waitFor()

    await page.keyboard.press('Control+,')
    await page.getByRole('textbox', { name: 'Folder' }).fill(process.cwd())
    await page.getByRole('button', { name: 'Add the folder' }).click()
    await page.getByRole('button', { name: `Remove ${process.cwd()}` }).click()
    await page.getByText('None.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    const card = page.getByRole('region', { name: 'Call of echo' })
    await card.getByRole('button').first().click()
    await card.getByText(/^Allowed: /).waitFor()
    await card.getByRole('button', { name: 'Show the messages of this server' }).click()
    const trace = page.getByRole('region', { name: 'Trace', exact: true })
    await trace.getByText('tools/call').first().waitFor()
    await page.getByRole('button', { name: 'More for this chat' }).click()
    await page.getByRole('menuitem', { name: 'Hide the messages of servers' }).click()
    await trace.waitFor({ state: 'detached' })

    const settings = page.getByRole('region', { name: 'Servers', exact: true })
    await left.getByText('workshop', { exact: true }).click()
    await settings.getByRole('button', { name: 'Tools of workshop' }).click()
    const knows = settings.getByRole('checkbox', { name: 'The model is told of echo' })
    await knows.click()
    await expect.poll(() => knows.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Back' }).click()
    await send(page, 'call workshop__echo {"text": "again"}')
    await page.getByText('There is no tool "workshop__echo".').waitFor()
    await left.getByText('workshop', { exact: true }).click()
    await settings.getByRole('button', { name: 'Actions for workshop' }).click()
    await page.getByRole('menuitem', { name: 'Stop' }).click()
    await settings.getByText('not started').waitFor()
    await settings.getByRole('button', { name: 'Start', exact: true }).click()
    await settings.getByText('6 tools').waitFor()
    expect(opened.complaints).toEqual([])
  })

  test('an attached resource that changes, and a folder that vanishes, are shown; an account is left [RUI-06] [ROOTUI-03] [AUI-02]', async () => {
    const { server, change } = createPlan()
    const model = createScriptedModel(undefined, { announcement: '' })
    let isSignedIn = true
    const account = {
      grants: async () =>
        isSignedIn ? [{ issuer: 'https://id.example', scopes: ['read'], canRefresh: false }] : [],
      signOut: async () => {
        isSignedIn = false
        return ['https://id.example did not answer.']
      },
    }
    const plans = { ...inProcess('plans', server), account }
    await using opened = await openPage({ models: [model], servers: [plans] })
    const page = await opened.newPage()
    await page.getByRole('navigation').getByText('tools, ready').waitFor()
    const field = page.getByRole('combobox', { name: 'Message' })
    await field.pressSequentially('@week')
    await page.getByRole('option', { name: /week plan/ }).waitFor()
    await field.press('Enter')
    await page.getByRole('button', { name: 'Take week plan out' }).waitFor()
    await send(page, 'Read it.')
    await page.getByRole('button', { name: /^Context: / }).click()
    const attached = page.getByRole('region', { name: 'Attached resources' })
    await attached.getByText('plan://week').waitFor()
    const shown = new URL(page.url()).hash.slice(2)
    await expect.poll(() => opened.chat.host.attached(shown)[0]?.isFollowed).toBe(true)

    change('Monday: rest.\nTuesday: rest.')

    await page.getByText('plan://week has changed since the model read it').waitFor()
    await attached.getByText('Show the change').click()
    await attached.getByText('Monday: rest.').waitFor()
    await attached.getByRole('button', { name: 'Attach plan://week again' }).click()
    await page.getByRole('button', { name: 'Take plan://week out' }).waitFor()
    await send(page, 'And now?')
    await expect.poll(() => opened.chat.host.attached(shown)[0]?.change).toBeUndefined()
    await attached.getByText(/no change so far/).waitFor()
    await attached.getByRole('button', { name: 'Do not follow plan://week' }).click()
    await attached.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+,')
    const accounts = page.getByRole('region', { name: 'Accounts' })
    await accounts.getByText('by https://id.example: read').waitFor()
    await accounts.getByRole('button', { name: 'Sign out of plans' }).click()
    await accounts.getByText('https://id.example did not answer.').waitFor()
    await accounts.getByText('by https://id.example: read').waitFor({ state: 'detached' })

    const folder = folderWith({})
    await page.getByRole('textbox', { name: 'Folder' }).fill(folder)
    await page.getByRole('button', { name: 'Add the folder' }).click()
    await page.getByRole('button', { name: `Remove ${folder}` }).waitFor()
    rmSync(folder, { recursive: true })
    await page.getByText(`there is no folder ${folder}`).waitFor()
    expect(opened.complaints).toEqual([])
  })

  test('metrics are for programs with the token, not for other pages [OBS-10]', async () => {
    await using opened = await openPage({ models: [createScriptedModel('Hi.')], servers: [] })
    const { url, token } = opened.programs
    const address = new URL('api/metrics', url)

    const refused = await fetch(address)
    const given = await fetch(address, { headers: { authorization: `Bearer ${token}` } })

    expect(refused.status).toBe(401)
    expect(await given.text()).toContain('parley.tool.calls')
  })
})
