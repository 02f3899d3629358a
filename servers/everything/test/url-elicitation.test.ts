import { expect, test } from 'vitest'

import { answering, inEveryRevision, textsOf } from './support.ts'

const url = 'https://example.com/pay'

inEveryRevision((open, revision) => {
  const hasLinks = revision >= '2025-11-25'
  const hasNotice = revision === '2025-11-25'

  test('trigger-url-elicitation is there for clients that can show links', async () => {
    await using able = await open(answering)
    await using formsOnly = await open({ ...answering, elicitModes: ['form'] })

    const names = (await able.listTools().toArray()).map(({ name }) => name)
    const fewer = (await formsOnly.listTools().toArray()).map(({ name }) => name)

    expect(names.includes('trigger-url-elicitation')).toBe(hasLinks)
    expect(fewer).not.toContain('trigger-url-elicitation')
  })

  if (!hasLinks) return

  test('trigger-url-elicitation asks the user to open a link, and says when that is done', async () => {
    const asked: unknown[] = []
    let done: (id: string) => void = () => undefined
    const announced = new Promise<string>((resolve) => (done = resolve))
    await using client = await open(
      {
        elicit(request) {
          asked.push(request.mode === 'url' && [request.url, request.message])
          return { action: 'accept' }
        },
        onElicitationComplete: (id) => done(id),
      },
      { visitMs: 0 },
    )

    const elicitationId = 'payment-1'
    const result = await client.callTool('trigger-url-elicitation', { url, elicitationId })

    expect(asked).toEqual([[url, 'Please open the link to complete this action.']])
    expect(textsOf(result)[0]).toContain('agreed to open the link')
    if (hasNotice) expect(await announced).toBe(elicitationId)
  })

  test('trigger-url-elicitation takes no for an answer', async () => {
    await using client = await open({ elicit: () => ({ action: 'decline' }) })

    const result = await client.callTool('trigger-url-elicitation', { url })

    expect(textsOf(result)[0]).toContain('declined to open the link')
    expect(textsOf(result)[1]).toContain('"action": "decline"')
  })

  test('trigger-url-elicitation says what is wrong with an address', async () => {
    await using client = await open(answering)

    const result = await client.callTool('trigger-url-elicitation', { url: 'ftp://example.com/x' })

    expect(result.isError).toBe(true)
    expect(textsOf(result)[0]).toContain('https')
  })

  test('trigger-url-elicitation can demand another page first, and then lets the call through', async () => {
    const opened: string[] = []
    await using client = await open(
      {
        elicit(request) {
          if (request.mode === 'url') opened.push(request.url)
          return { action: 'accept' }
        },
      },
      { visitMs: 0 },
    )

    const result = await client.callTool(
      'trigger-url-elicitation',
      { url, errorPath: true },
      { retryAfterUrl: true },
    )

    expect(opened).toEqual(['https://example.com/everything/prerequisite', url])
    expect(textsOf(result)[0]).toContain('agreed to open the link')
  })

  if (!hasNotice) return

  test('trigger-url-elicitation lets a repeated call through once', async () => {
    await using client = await open(answering)
    const call = () => client.callTool('trigger-url-elicitation', { url, errorPath: true })

    await expect(call()).rejects.toMatchObject({ code: 'url_elicitation_required' })
    expect(textsOf(await call())[0]).toContain('agreed to open the link')
    await expect(call()).rejects.toMatchObject({ wireCode: -32042 })
  })
})
