import { apiKeyGuard } from '@parley/auth/resource'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { adminKeys, documentOf } from '../registry-under-test.ts'
import { canOpen, exampleDocuments, servePage } from './served-page.ts'

const hostile = '<img src=x onerror="window.hacked=1">'
const keys = { admin: { ...adminKeys.admin, moderate: ['*'] } }
const looks = [
  [1280, 'light'],
  [760, 'dark'],
  [400, 'light'],
] as const
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByRole('textbox', { name: 'Token' }).fill(token)
  await dialog.getByRole('textbox', { name: 'Token' }).press('Enter')
}

describe.skipIf(!canOpen)('moderation in the page', () => {
  test('is for moderators, who hide, note, set and remove rules with reasons [REG-07]', async () => {
    const looksAlike = documentOf('com.example/map5', '1.0.0')
    const served = await servePage([...exampleDocuments, looksAlike], { auth: { keys } })
    onTestFinished(() => served[Symbol.asyncDispose]())
    const reader = await served.newPage('?server=com.example%2Fmap5')
    await card(reader, 'Publisher').getByRole('button', { name: 'Report' }).click()
    const report = reader.getByRole('dialog', { name: 'Report com.example/map5' })
    await report.getByRole('combobox', { name: 'What is wrong' }).click()
    await reader.getByRole('option', { name: 'It pretends to be another server' }).click()
    await report.getByRole('textbox', { name: 'Details' }).fill(hostile)
    await report.getByRole('button', { name: 'Report' }).click()
    await report.getByText('were told').waitFor()
    expect(await seriousFindings(reader)).toEqual([])
    await reader.close()
    const page = await served.newPage('?view=moderation')
    await page.getByText('For moderators').waitFor()
    await signIn(page, 'wrong')
    await page.getByText('does not know this token').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await signIn(page, await served.registry.token())
    await page.getByRole('link', { name: 'Moderation' }).waitFor()
    await card(page, 'Reports').getByText(hostile).waitFor()
    await card(page, 'Look twice').getByText('looks like com.example/maps').waitFor()
    await card(page, 'Look twice').getByRole('button', { name: 'Hide com.example/map5' }).click()
    const hide = page.getByRole('dialog', { name: 'Hide the server' })
    expect(await hide.getByRole('button', { name: 'Hide it' }).isDisabled()).toBe(true)
    await hide.getByRole('textbox', { name: 'Reason' }).fill(`imitates ${hostile}`)
    await hide.getByRole('button', { name: 'Hide it' }).click()
    await card(page, 'Rules').getByText('com.example/map5').waitFor()
    await card(page, 'Rules').getByText(hostile).waitFor()
    expect((await served.registry.ask('servers/com.example%2Fmap5/versions')).status).toBe(404)

    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: /^pin/ }).click()
    await page.getByRole('textbox', { name: /^Name, or/ }).fill('io.github.ada/weather')
    await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
    await card(page, 'New rule').getByRole('button', { name: 'Set the rule' }).click()
    const set = page.getByRole('dialog', { name: 'Set a rule' })
    await set.getByRole('textbox', { name: 'Reason' }).fill('tested')
    await set.getByRole('button', { name: 'Set the rule' }).click()
    await card(page, 'Rules').getByText('io.github.ada/weather').waitFor()

    for (const [width, colours] of looks) {
      await page.setViewportSize({ width, height: 800 })
      await showInColours(page, colours)
      expect(await seriousFindings(page)).toEqual([])
      const isWide = await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > innerWidth || document.querySelector("#workspace").scrollWidth > innerWidth',
      )
      expect([width, isWide]).toEqual([width, false])
    }
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.goto(new URL('?server=io.github.ada%2Fweather', served.url).href)
    await card(page, 'Install').getByText('weather@1.0.0').first().waitFor()
    await card(page, 'Notes').getByRole('button', { name: 'Add a note' }).click()
    const note = page.getByRole('dialog', { name: 'Add a note' })
    await note.getByRole('textbox', { name: 'Note' }).fill('Asked its author.')
    await note.getByRole('button', { name: 'Add the note' }).click()
    await card(page, 'Notes').getByText('Asked its author.').waitFor()
    await card(page, 'Rules')
      .getByRole('button', { name: 'Remove the rule pin io.github.ada/weather' })
      .click()
    const remove = page.getByRole('dialog', { name: 'Remove a rule' })
    await remove.getByRole('textbox', { name: 'Reason' }).fill('newer is fine')
    await remove.getByRole('button', { name: 'Remove the rule' }).click()
    await card(page, 'Install').getByText('weather@1.1.0').first().waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await card(page, 'Moderation').waitFor({ state: 'detached' })
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect([...served.origins]).toEqual([served.url.origin])
    expect(served.complaints).toEqual([])
  })

  test('a private registry shows its entries to those who sign in, and the tools that were seen', async () => {
    const read = apiKeyGuard({ 'reader-key-0123456789': 'reader' })
    const served = await servePage(exampleDocuments, { auth: { read } })
    onTestFinished(() => served[Symbol.asyncDispose]())
    const name = 'io.github.ada/weather'
    const seen = (version: string, tools: readonly object[]) =>
      served.registry.ask('x/snapshots', { body: { name, version, tools } })
    await seen('1.0.0', [{ name: 'forecast', description: 'One' }, { name: 'old' }])
    await seen('1.1.0', [{ name: 'forecast', description: 'Two' }, { name: 'warnings' }])
    const page = await served.newPage()
    await page.getByText('This registry answers known callers only.').waitFor()

    await signIn(page, 'reader-key-0123456789')
    const results = page.getByRole('list', { name: 'Servers' }).getByRole('link')
    await expect.poll(() => results.count()).toBe(4)
    expect(await page.getByRole('link', { name: 'Moderation' }).count()).toBe(0)
    await page.goto(new URL('?server=io.github.ada%2Fweather', served.url).href)

    const tools = card(page, '2 tools')
    await tools.getByText('compared with 1.0.0').waitFor()
    const rows = await tools.getByRole('listitem').allTextContents()
    expect(rows).toEqual(['forecastchangedTwo', 'warningsnew', 'oldremoved'])
    expect(await page.getByRole('region', { name: 'Moderation' }).count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
  })
})
