import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { seriousFindings, showInColours } from '../../../../test-support/axe.ts'
import { visitAs } from '../../../../test-support/person.ts'
import { serveNotes } from '../service/notes-server.ts'
import { canOpen, inspectorForAll, openTab } from './open-inspector.ts'

describe.skipIf(!canOpen)('signing in, in the page', () => {
  let notes: Awaited<ReturnType<typeof serveNotes>>
  let page: Page
  beforeAll(async () => {
    notes = await serveNotes()
    return () => notes.service.drain({ deadlineMs: 0 })
  })
  const inspector = inspectorForAll(
    () => ({ servers: [{ name: 'notes', entry: { url: notes.url.href } }] }),
    async (opened) => {
      page = await opened.newPage({ height: 1000 })
      await openTab(page, 'Auth')
    },
  )

  /** Follows the link that the page shows, another one than before. */
  async function followLink(before?: string): Promise<string> {
    const link = page.locator('.note a').first()
    await expect.poll(() => link.getAttribute('href')).not.toBe(before ?? null)
    const href = (await link.getAttribute('href')) ?? ''
    await visitAs(notes.user, notes.password, new URL(href))
    return href
  }

  test('a server that answers 401 says that it wants a sign-in, and one button leads there', async () => {
    await openTab(page, 'Overview')
    await page.getByRole('main').getByRole('button', { name: 'Connect' }).click()
    await page.getByText('notes requires sign-in').waitFor()
    const rail = page.getByRole('navigation', { name: 'Connections' })
    await rail.getByText('Sign-in needed').waitFor()
    await expect.poll(() => page.getByText('could not be reached').count()).toBe(0)
    for (const colorScheme of ['dark', 'light'] as const) {
      await showInColours(page, colorScheme)
      expect(await seriousFindings(page)).toEqual([])
    }

    await expect.poll(() => page.getByText('notes did not connect').count()).toBe(0)

    await rail.getByRole('button', { name: 'Sign in to notes' }).click()
    const note = page.locator('.note').filter({ hasText: 'Sign in on the page of the issuer' })
    const link = note.getByRole('link', { name: 'Open sign-in page' })
    await link.waitFor()
    expect(await note.locator('strong').textContent()).toBe(notes.url.host)
    expect(await note.getByText(/code_challenge/).isVisible()).toBe(false)
    await note.getByText('Full address').click()
    await note.getByText(/code_challenge/).waitFor()
    expect(await seriousFindings(page, '#workspace')).toEqual([])
    await followLink()
    await rail.getByRole('button', { name: /^notes Ready/ }).waitFor()

    await page.getByRole('button', { name: 'Sign out and revoke' }).click()
    await page.getByText('Not signed in').waitFor()
  })

  test('a call that needs more scopes is followed from the challenge to the answer', async () => {
    const card = page.getByRole('region', { name: 'Step-up' })
    await card.getByLabel('Tool').first().fill('write')
    await page.keyboard.press('Escape')
    await card.getByLabel('Start with these scopes').fill('notes:read')
    await card.getByRole('button', { name: 'Try it' }).click()
    const first = await followLink()
    await card.getByText('403 insufficient_scope').waitFor()
    await followLink(first)

    const stages = card.getByRole('list', { name: 'What happened with write' })
    await stages.getByText('The call was sent again, and it was answered').waitFor()
    await expect.poll(() => stages.getByText('right', { exact: true }).count()).toBe(4)
    await expect.poll(() => stages.getByText('wrong', { exact: true }).count()).toBe(0)
    expect(await seriousFindings(page, '#workspace')).toEqual([])
  })

  test('signing out takes the tokens back, and says that the server refuses them now [AUI-02]', async () => {
    await page.getByRole('button', { name: 'Sign out and revoke' }).click()

    const note = page.getByRole('alert').filter({ hasText: 'Signed out here' })
    await note.getByText('The issuer revoked the tokens.').waitFor()
    await note.getByText('The server rejects the old token: 401.').waitFor()
    await page.getByRole('button', { name: /Revoke the refresh token/ }).waitFor()
    expect(inspector.complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  test('a call that was refused says what it needs, and one press asks for it', async () => {
    await page.getByLabel('Scopes', { exact: true }).fill('notes:read')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const first = await followLink()
    await page.getByText('Signed in', { exact: true }).waitFor()
    await openTab(page, 'Tools')
    await page.getByRole('option', { name: /^write/ }).click()
    await page.locator('[data-run]').click()
    await page.getByText('the Auth tab asks for them').waitFor()
    await openTab(page, 'Auth')

    const note = page.locator('.note').filter({ hasText: 'it needs more scopes' })
    await note.getByText('notes:write').waitFor()
    await note.getByRole('button', { name: 'Ask for them' }).click()
    await followLink(first)

    await expect
      .poll(() => page.getByRole('row', { name: /^Scopes/ }).textContent())
      .toContain('notes:write')
  })
})
