import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { createScriptedModel } from '@parley/host/models'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { canOpen, openPage, send, type OpenPage } from './open-page.ts'

const require = createRequire(import.meta.url)

/** A program as a server. */
function program(name: string, file: string, ...args: readonly string[]) {
  return { name, target: { command: execPath, args: [file, ...args] } }
}

/** A program of the official examples. */
function official(name: string, module: string) {
  return program(name, join(dirname(module), 'index.js'), '--stdio')
}

const everything = fileURLToPath(
  new URL('../../../../servers/everything/dist/main.js', import.meta.url),
)

describe.skipIf(!canOpen)('apps in a chat', () => {
  let opened: OpenPage
  let page: Page

  beforeAll(async () => {
    opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [
        program('everything', everything, '--extras'),
        official('vanilla', require.resolve('@modelcontextprotocol/server-basic-vanillajs')),
        official('budget', require.resolve('@modelcontextprotocol/server-budget-allocator')),
      ],
    })
    page = await opened.newPage({ height: 1000 })
  })
  afterAll(() => opened[Symbol.asyncDispose](), 120_000)

  function card(tool: string) {
    return page.getByRole('region', { name: `Call of ${tool}` }).last()
  }

  function view(tool: string): FrameLocator {
    return card(tool).frameLocator('.app-frame iframe').frameLocator('iframe')
  }

  async function call(server: string, tool: string): Promise<void> {
    await send(page, `call ${server}__${tool}`)
    await page.getByRole('button', { name: 'Allow once' }).click()
  }

  test('roll-dice is shown in its card, and rolls again once the person allows it', async () => {
    await call('everything', 'roll-dice')
    const dice = view('roll-dice').locator('output')
    await expect.poll(() => dice.textContent()).toMatch(/ = \d+$/)

    await view('roll-dice').getByRole('button', { name: 'Roll again' }).click()
    const sheet = page.getByRole('region', { name: /wants to run roll-dice/ })
    await sheet.waitFor()
    expect(await view('roll-dice').locator('p').textContent()).toContain('Waiting')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expect.poll(() => view('roll-dice').locator('p').textContent()).toBe('')
  })

  test('a call of an app that the person refuses is not made', async () => {
    await view('roll-dice').getByRole('button', { name: 'Roll again' }).click()
    await page.getByRole('region', { name: /wants to run roll-dice/ }).waitFor()
    await page
      .getByRole('button', { name: /^(Deny|Refuse|Do not)/ })
      .first()
      .click()

    await expect
      .poll(() => view('roll-dice').locator('p').textContent())
      .toMatch(/not called|refused|denied|did not/i)
  })

  test('two apps of the official examples are shown', async () => {
    await call('vanilla', 'get-time')
    await expect.poll(() => view('get-time').locator('body').textContent()).toMatch(/\d\d:\d\d/)
    await call('budget', 'get-budget-data')
    await view('get-budget-data').locator('canvas').first().waitFor()

    expect(opened.complaints).toEqual([])
    expect([...opened.origins].every((origin) => origin.includes('127.0.0.1'))).toBe(true)
  })

  test('an app says something in the conversation once the person has read and allowed it', async () => {
    await view('get-time').getByRole('button', { name: 'Send Message' }).click()
    const asked = card('get-time').getByRole('group', {
      name: 'The app wants to say this in your name',
    })
    await asked.getByText('This is message text.').waitFor()
    await asked.getByRole('button', { name: 'Send' }).click()

    await page.getByText('I follow a script.').waitFor()
    await expect.poll(() => asked.count()).toBe(0)
    await page.getByText('This is message text.').waitFor()
  })
})
