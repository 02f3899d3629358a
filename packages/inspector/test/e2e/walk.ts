import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

import { field, openTool, go } from '../page/open-inspector.ts'

/** What a tool answered, once it has. */
export function resultIn(page: Page): Locator {
  return page.getByRole('region', { name: 'Result' })
}

/** Connects; resolves when the rail says that it is ready, and in which revision. */
export async function connectIn(page: Page, server: string, revision = '20'): Promise<void> {
  await go(page, server, 'overview')
  await page.getByRole('main').getByRole('button', { name: 'Connect' }).click()
  await page
    .getByRole('navigation')
    .getByRole('button', { name: new RegExp(`^${server} .*Ready ${revision}`) })
    .waitFor()
}

/** Both sides of what was agreed. */
export async function seeOverview(page: Page, server: string): Promise<void> {
  await go(page, server, 'overview')
  for (const part of [
    'What we requested',
    'What the server answered',
    'Server capabilities',
    'Client capabilities',
  ]) {
    await page.getByRole('region', { name: part }).waitFor()
  }
}

/** Opens a tool, fills its form in and runs it. */
export async function call(...what: Parameters<typeof fillIn>): Promise<void> {
  await fillIn(...what)
  await what[0].locator('[data-run]').click()
}

async function fillIn(
  page: Page,
  server: string,
  tool: string,
  values: { readonly [label: string]: string } = {},
): Promise<void> {
  await openTool(page, tool, server)
  for (const [label, value] of Object.entries(values)) {
    await field(page, new RegExp(`^${label}`)).fill(value)
  }
}

/** Tools: a form, progress, cancellation, and what kinds of results look like. */
export async function seeTools(page: Page, server: string): Promise<void> {
  await call(page, server, 'toggle-simulated-logging')
  await call(page, server, 'echo', { message: `hello ${server}` })
  await resultIn(page).getByText(`Echo: hello ${server}`).first().waitFor()

  await call(page, server, 'trigger-long-running-operation', { duration: '10', steps: '40' })
  await resultIn(page)
    .getByText(/[1-9]\d* %/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await resultIn(page).getByText('cancelled', { exact: true }).first().waitFor()

  await call(page, server, 'get-tiny-image')
  await resultIn(page)
    .getByRole('img', { name: /image\/png/ })
    .waitFor()
  await call(page, server, 'get-resource-reference')
  await resultIn(page).getByText('Embedded resource').first().waitFor()
}

/** Resources: reading, a template with completion, and changes of what is followed. */
export async function seeResources(page: Page, server: string): Promise<void> {
  await go(page, server, 'resources', 'demo://resource/static/document/features.md')
  await page.getByText(/read in/).waitFor()

  await go(page, server, 'resources', 'demo://resource/dynamic/text/{resourceId}')
  await page.getByLabel('resourceId').first().fill('7')
  await page.getByRole('option', { name: '7', exact: true }).click()
  await page.getByRole('button', { name: 'Read', exact: true }).first().click()
  await page.getByText(/read in/).waitFor()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await page.getByText('watching').waitFor()
}

/** What is followed was changed, and the page has heard of it. */
export async function seeUpdates(page: Page, server: string): Promise<void> {
  await call(page, server, 'toggle-subscriber-updates')
  await resultIn(page).getByText('Answered', { exact: true }).waitFor()
  await page.locator('.trace-filter input').fill(`server:${server} method:resources/updated`)
  await page.locator('.trace-row').first().waitFor()
  await page.locator('.trace-filter input').fill('')
}

/** A prompt whose second argument is completed by the first. */
export async function seePrompts(page: Page, server: string): Promise<void> {
  await go(page, server, 'prompts', 'completable-prompt')
  for (const [label, typed, value] of [
    [/department/i, 'E', 'Engineering'],
    [/name/i, 'A', 'Alice'],
  ] as const) {
    await page.getByLabel(label).first().fill(typed)
    await page.getByRole('option', { name: value }).click()
  }
  await page.getByRole('button', { name: 'Get messages' }).click()
  await page
    .getByRole('list', { name: 'Messages' })
    .getByText(/Engineering/)
    .first()
    .waitFor()
}

/** Shows the open question of a kind; others may wait as well. */
export async function openQuestion(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: /^\d+ requests? waits?/ }).click()
  const open = page.getByRole('listbox', { name: 'Requests' }).getByRole('option')
  await open.filter({ hasText: kind }).filter({ hasText: 'open' }).first().click()
}

/** What a server asks is answered by hand, and the answer arrives. */
export async function seeRequests(page: Page, server: string): Promise<void> {
  await call(page, server, 'trigger-elicitation-request')
  await openQuestion(page, 'Input')
  await field(page, /^name|^Full Name|^String/i).fill('Ada')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await go(page, server, 'tools', 'trigger-elicitation-request')
  await resultIn(page).getByText(/Ada/).first().waitFor()

  await call(page, server, 'trigger-sampling-request', { prompt: 'Why?' })
  await openQuestion(page, 'Sampling')
  await page.getByRole('textbox', { name: 'What the model says' }).fill('by hand')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await go(page, server, 'tools', 'trigger-sampling-request')
  await resultIn(page)
    .getByText(/by hand/)
    .first()
    .waitFor()
}

/** Log messages of the server, which have come with each call since they were switched on. */
export async function seeLogs(page: Page, server: string): Promise<void> {
  await go(page, server, 'logs')
  await page.locator('.log-row[data-level]:not([data-level=stderr])').first().waitFor()
}

/** Starts a task; it goes on while others are looked at. */
export async function startTask(page: Page, server: string): Promise<void> {
  await fillIn(page, server, 'simulate-research-query', { topic: 'tea' })
  await page.getByRole('button', { name: 'More ways to run' }).click()
  await page.getByRole('menuitem', { name: 'Run as task' }).click()
}

/** The task that was started has been followed to its end. */
export async function seeTask(page: Page, server: string): Promise<void> {
  await go(page, server, 'tasks')
  const tasks = page.getByRole('region', { name: 'Tasks' })
  await tasks.getByText('completed').waitFor()
  await page.getByRole('region', { name: 'Task', exact: true }).getByText(/tea/).first().waitFor()
}

/** Each request is one row, with how it ended and what it took. */
export async function seeTrace(page: Page, server: string): Promise<void> {
  await page.locator('.trace-filter input').fill(`server:${server} method:tools/call text:hello`)
  const row = page.locator('.trace-row').first()
  await row.waitFor()
  expect(await row.textContent()).toMatch(/→.*tools\/call.*echo.*ok.*\d (ms|s|µs)/s)
  await page.locator('.trace-filter input').fill('')
}

/** Lets the server go, so that it says nothing more. */
export async function disconnectIn(page: Page, server: string): Promise<void> {
  await page.getByRole('button', { name: `What to do with ${server}` }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
}
