import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { run } from './run.ts'

let service: HttpService
beforeAll(async () => {
  const server = createServer({ name: 'asker', version: '1.0.0', title: 'The Asker' })
  server.tool('ask', {}, async (_, context) => {
    const answer = await context.elicit({
      message: 'Who are \u001b[2Jyou?',
      requestedSchema: z.object({
        name: z.string().min(2).describe('As others call you'),
        age: z.number().int().max(150).optional(),
        isMember: z.boolean(),
        color: z.enum(['red', 'green']).default('green'),
        password: z.string().optional(),
      }),
    })
    return JSON.stringify(answer)
  })
  server.tool('visit', {}, async (_, context) => {
    const { action } = await context.elicit({
      mode: 'url',
      url: 'https://bank.example/pay?x=1',
      message: 'Pay\nSend it? [Y/n]',
    })
    return action
  })
  server.tool('imitate', {}, async (_, context) => {
    const url = 'https://b\u0430nk.example/pay' // a Cyrillic a
    return (await context.elicit({ mode: 'url', url, message: 'Pay' })).action
  })
  service = await serveHttp(server, { port: 0, ownsProcess: false })
})
afterAll(() => service.drain())

/** Somebody who types these lines. */
function type(...lines: readonly string[]) {
  return run(['call', service.url.href, 'ask'], {
    isTTY: true,
    input: lines.map((line) => `${line}\n`).join(''),
  })
}

describe('a form at the terminal', () => {
  test('asks field by field, checks each, and shows what is sent [EUI-01] [EUI-03] [ELIC-03, ELIC-17, ELIC-20]', async () => {
    const { code, stdout, stderr } = await type('A', 'Ada', 'x', '36', 'maybe', 'y', '1', '', '')

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      action: 'accept',
      content: { name: 'Ada', age: 36, isMember: true, color: 'red' },
    })
    expect(stderr).toContain('The Asker asks:\n  | Who are \\e[2Jyou?')
    expect(stderr).toContain('As others call you')
    expect(stderr).toContain('1. red')
    expect(stderr).toContain('This is sent to The Asker: {"name":"Ada"')
  })

  test('warns of what looks like a password [EUI-05, HDEC-04]', async () => {
    expect((await type('Ada', '', 'y', '', '', '')).stderr).toContain('looks like a password')
  })

  test('keeps what is preset, and leaves out what is not needed', async () => {
    const { stdout } = await type('Ada', '', 'n', '', '', 'y')

    expect(JSON.parse(stdout)).toEqual({
      action: 'accept',
      content: { name: 'Ada', isMember: false, color: 'green' },
    })
  })

  test.each([
    ['!decline', 'decline'],
    ['!cancel', 'cancel'],
  ])('%s ends it so [EUI-02]', async (word, action) => {
    expect((await type('Ada', word)).stdout).toContain(`"action":"${action}"`)
  })

  test('the end of input cancels', async () => {
    expect((await type('Ada')).stdout).toContain('"action":"cancel"')
  })

  test('nothing is sent when the answers are not confirmed', async () => {
    expect((await type('Ada', '', 'y', '', '', 'n')).stdout).toContain('"action":"decline"')
  })
})

describe('a link at the terminal', () => {
  function visit(line: string) {
    return run(['call', service.url.href, 'visit'], { isTTY: true, input: line })
  }

  test('is shown in full with its host, and what the server says cannot pass for ours', async () => {
    const { stdout, stderr } = await visit('n\n')

    expect(stdout).toBe('decline\n')
    expect(stderr).toContain(
      'The Asker asks you to visit bank.example:\n  | Pay\n  | Send it? [Y/n]\n',
    )
    expect(stderr).toContain('  https://bank.example/pay?x=1\n')
  })

  test('is shown with what is odd about its host [N11-URL-13]', async () => {
    const { stderr } = await run(['call', service.url.href, 'imitate'], {
      isTTY: true,
      input: 'n\n',
    })

    expect(stderr).toMatch(/warning: The host xn--bnk-6cd\.example is written in Punycode/)
    expect(stderr).toMatch(/warning: "b\u0430nk" in the host mixes letters of Latin and Cyrillic/)
  })

  test('is not opened by accident', async () => {
    expect((await visit('\n')).stdout).toBe('cancel\n')
    expect((await visit('')).stdout).toBe('cancel\n')
  })
})

test('with --json nobody is asked unless told to', async () => {
  const words = ['call', service.url.href, 'ask', '--json']
  const options = { isTTY: true, input: 'Ada\n\ny\n\n\n\n' }

  expect(await run(words, options)).toMatchObject({ code: 3 })
  expect(await run([...words, '--interactive'], options)).toMatchObject({ code: 0 })
})
