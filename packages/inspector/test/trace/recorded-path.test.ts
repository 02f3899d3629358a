import { criticalPath, readTrace, timeByWho } from '@parley/foundation/trace'
import { describe, expect, onTestFinished, test } from 'vitest'

import { serveEverything } from '../service/everything.ts'
import { openPage, type PageClient } from '../service/page-client.ts'

async function openEverything(era: string) {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/settings', { name: 'all', settings: { era } })
  await page.ask('servers/connect', { name: 'all' })
  return page
}

/** Runs a tool that asks, and answers as a person. */
async function runAndAnswer(page: PageClient, name: string, args = {}) {
  const params = { name, arguments: args }
  const running = page.ask('runs/start', { server: 'all', run: 'r', method: 'tools/call', params })
  const { questions } = await page.next('questions/changed', (data) =>
    data.questions.some(({ state }) => state === 'open'),
  )
  await page.ask('questions/answer', { id: questions[0]?.id ?? '', answer: { action: 'decline' } })
  await running
}

/** The path of the first call of a tool, as it was recorded. */
async function recordedPath(page: PageClient) {
  const { text } = await page.ask('trace/export', { format: 'jsonl' })
  const { records } = readTrace(text)
  const call = records.find(({ message }) => JSON.stringify(message)?.includes('"tools/call"'))
  return criticalPath(records, call?.seq ?? 0)
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('in %s', (era) => {
  test('a call that asks is known to have waited for a person', async () => {
    const page = await openEverything(era)
    await runAndAnswer(page, 'trigger-elicitation-request')

    const path = await recordedPath(page)

    expect(path?.isOpen).toBe(false)
    expect(path && timeByWho(path).person).toBeGreaterThan(0)
    expect(path?.segments[0]?.what).toContain('the client prepares the request')
    expect(path?.segments.at(-1)?.who).not.toBe('person')
  })
})

describe.each(['2025-11-25', '2026-07-28'])('in %s', (era) => {
  test('a task that asks is followed to its outcome', async () => {
    const page = await openEverything(era)
    await runAndAnswer(page, 'simulate-research-query', { topic: 'tides', ambiguous: true })

    const path = await recordedPath(page)
    const whats = path?.segments.map(({ what }) => what) ?? []

    expect(path?.isOpen).toBe(false)
    expect(path && timeByWho(path).person).toBeGreaterThan(0)
    expect(whats[0]).toBe('the client prepares the request')
    expect(whats.at(-1)).toMatch(/^tasks\/(get|result)/) // how it travels may take no time at all
  })
})
