import type { CustomEntry } from '@parley/chat'
import { openModel, createScriptedModel } from '@parley/host/models'
import { McpError } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { createWorkshop, inProcess } from '../workshop.ts'
import { canOpen, focusedOn, openPage, send } from './open-page.ts'

describe.skipIf(!canOpen)('setting up in the page', () => {
  test('a model whose key is asked for, a server by command, what was allowed, and a sign-in [HOST-15] [AUI-01] [AUI-08]', async () => {
    await using endpoint = await openModelEndpoint('Yes, I am here.', { key: 'right' })
    let isSignedIn = false
    let comeBack: () => void = () => undefined
    const cameBack = new Promise<void>((resolve) => (comeBack = resolve))
    const written: CustomEntry[] = []
    await using opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [
        {
          name: 'mail',
          target: {
            hash: 'mail',
            open: async (options) => {
              if (isSignedIn) return connect(createWorkshop(), options)
              throw new McpError('unauthorized', 'mail wants you to sign in', { details: {} })
            },
          },
          async signIn({ show }) {
            show(new URL('https://login.example.com/in'))
            await cameBack
            isSignedIn = true
          },
        },
      ],
      setup: {
        load: async () => ({ entries: [], problems: [], files: [] }),
        toServer: () => expect.fail('nothing was found'),
        openModel: (name, baseUrl) =>
          openModel({
            name,
            baseUrl,
            env: {},
            askKey: (variable, { signal, ...about }) =>
              opened.chat.askKey({ ...about, variable, isStored: false }, signal),
          }),
        findLocal: async () => [],
        own: {
          add: async (name, entry) => {
            written.push(entry)
            return inProcess(name, createWorkshop())
          },
          remove: async () => undefined,
        },
      },
    })
    const page = await opened.newPage()
    const { keyboard } = page
    const settings = page.getByRole('main', { name: 'Settings' })

    // A server by its command, which is shown word by word first.
    await page.getByRole('button', { name: 'Add a server' }).press('Enter')
    await settings.getByRole('button', { name: 'Add server' }).press('Enter')
    await settings.getByText('Add a server by its address or command').press('Enter')
    await settings.getByRole('textbox', { name: 'Address or command' }).fill('own --dir "a b"')
    await settings.getByRole('textbox', { name: 'Name' }).fill('own')
    await keyboard.press('Enter')
    await settings.getByText('a b', { exact: true }).waitFor()
    expect(written).toEqual([])
    expect(await seriousFindings(page)).toEqual([])
    await settings.getByRole('button', { name: 'Run and add it' }).press('Enter')
    await expect.poll(() => written).toEqual([{ command: 'own', args: ['--dir', 'a b'] }])
    await settings.getByRole('listitem', { name: 'own' }).getByText('6 tools').waitFor()

    // Another model, and its key.
    await settings.getByRole('radio', { name: 'Another one' }).press('Space')
    const models = page.getByRole('region', { name: 'Models and keys' })
    await models.getByRole('textbox', { name: 'Name' }).fill('mine')
    await models.getByRole('textbox', { name: /^Address/ }).fill(endpoint.baseUrl)
    expect(await seriousFindings(page)).toEqual([])
    await keyboard.press('Enter')
    await models.getByRole('radio', { name: 'mine' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    const question = page.getByRole('region', { name: 'mine needs an API key' })
    await send(page, 'Are you here?')
    await focusedOn(page, 'Go on without a key')
    expect(await seriousFindings(page)).toEqual([])
    await keyboard.press('Escape')
    await page.getByText('The model did not answer').waitFor()
    await send(page, 'And now?')
    await focusedOn(page, 'Go on without a key')
    await question.getByLabel('API key', { exact: true }).fill('right')
    await keyboard.press('Enter')
    const answers = page.getByRole('article', { name: 'Answer' }).getByText('Yes, I am here.')
    await expect.poll(() => answers.count()).toBe(1)
    await send(page, 'Still?')
    await expect.poll(() => answers.count()).toBe(2)
    expect(JSON.stringify(await opened.chat.conversations.list())).not.toContain('right')

    // What was allowed for good is listed, and taken back.
    await page.getByRole('combobox', { name: 'Model', exact: true }).press('Enter')
    await page.getByRole('option', { name: 'scripted' }).click()
    await send(page, 'call own__echo {"text": "a"}')
    await focusedOn(page, 'Deny')
    await keyboard.press('a')
    await page.getByText('You said: a').first().waitFor()
    await keyboard.press('Control+,')
    const allowed = page.getByRole('region', { name: 'Permissions' })
    await allowed.getByText('allowed').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await allowed.getByRole('button', { name: 'Ask again about echo of own' }).press('Enter')
    await allowed.getByText('You are asked about every call.').waitFor()

    // A sign-in: the page is named, and opened by nobody else.
    await settings.getByRole('button', { name: 'Sign in' }).press('Enter')
    const link = settings.getByRole('link', { name: 'Open login.example.com' })
    expect(await link.getAttribute('href')).toBe('https://login.example.com/in')
    comeBack()
    await settings.getByRole('listitem', { name: 'mail' }).getByText('6 tools').waitFor()
    expect(page.context().pages()).toHaveLength(1)
    expect(opened.complaints).toEqual([])
  })
})
