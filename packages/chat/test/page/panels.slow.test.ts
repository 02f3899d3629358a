import { scriptedModel } from '@parley/host/models'
import { describe, expect, test } from 'vitest'

import { createWorkshop, inProcess } from '../workshop.ts'
import { canOpen, openPage, send } from './open-page.ts'

describe.skipIf(!canOpen)('beside the conversation', { timeout: 240_000 }, () => {
  test('context, activity, folders, messages and servers', async () => {
    const model = scriptedModel(undefined, { announcement: '' })
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
    await left.getByText(/nothing listens there/).waitFor()

    await send(page, 'call workshop__echo {"text": "hi"}')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByRole('article', { name: 'Answer' }).getByText('You said: hi').waitFor()
    const context = page.getByRole('region', { name: 'Context by server' })
    await context.getByRole('row', { name: /^workshop 6/ }).waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const activity = page.getByRole('region', { name: 'Calls of the newest turn' })
    await activity.getByRole('row', { name: /^workshop · echo/ }).waitFor()

    await page.getByRole('tab', { name: 'Folders' }).click()
    await page.getByRole('textbox', { name: 'Folder' }).fill(process.cwd())
    await page.getByRole('button', { name: 'Add the folder' }).click()
    await page.getByRole('button', { name: `Remove ${process.cwd()}` }).click()
    await page.getByText('None.', { exact: true }).waitFor()

    const card = page.getByRole('region', { name: 'Call of echo' })
    await card.getByRole('button').first().click()
    await card.getByText(/^Allowed: /).waitFor()
    await card.getByRole('button', { name: 'Show the messages of this server' }).click()
    const trace = page.getByRole('region', { name: 'Trace', exact: true })
    await trace.getByText('tools/call').first().waitFor()
    await page.getByRole('button', { name: 'Messages of servers' }).click()
    await trace.waitFor({ state: 'detached' })

    await left.getByText('workshop', { exact: true }).click()
    const knows = left.getByRole('checkbox', { name: 'The model is told of echo' })
    await knows.click()
    await expect.poll(() => knows.isChecked()).toBe(false)
    await send(page, 'call workshop__echo {"text": "again"}')
    await page.getByText('There is no tool "workshop__echo".').waitFor()
    await left.getByRole('button', { name: 'Actions for workshop' }).click()
    await page.getByRole('menuitem', { name: 'Stop' }).click()
    await left.getByText('not started').waitFor()
    await left.getByRole('button', { name: 'Actions for workshop' }).click()
    await page.getByRole('menuitem', { name: 'Try again' }).click()
    await left.getByText('ready', { exact: true }).waitFor()
    expect(opened.complaints).toEqual([])
  })

  test('metrics are for programs with the token, not for other pages [OBS-10]', async () => {
    await using opened = await openPage({ models: [scriptedModel('Hi.')], servers: [] })
    const { url, token } = opened.programs
    const address = new URL('api/metrics', url)

    const refused = await fetch(address)
    const given = await fetch(address, { headers: { authorization: `Bearer ${token}` } })

    expect(refused.status).toBe(401)
    expect(await given.text()).toContain('parley.tool.calls')
  })
})
