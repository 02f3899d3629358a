import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import {
  createConsent,
  readRules,
  type ConsentAnswer,
  type ConsentQuestion,
  type Consent,
  type HostOptions,
  type HostServer,
} from '@parley/host'
import type { ModelMessage } from '@parley/host/models'
import { ToolError, type JsonObject } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { call, consentBy, inProcess, of, play, testHost } from '../playing.ts'

function crm(more: Partial<HostServer> = {}) {
  const heard: string[] = []
  const server = createServer({ name: 'crm', version: '1.0.0' })
  const customer = z.object({ id: z.string(), name: z.string() })
  server.tool(
    'get',
    {
      description: 'Reads a customer.',
      inputSchema: z.object({ id: z.string() }),
      outputSchema: customer,
      annotations: { readOnlyHint: true },
    },
    ({ id }) => {
      heard.push(`get ${id}`)
      return { id, name: `Name of ${id}` }
    },
  )
  server.tool('remove', { inputSchema: z.object({ id: z.string() }) }, ({ id }) => {
    heard.push(`remove ${id}`)
    if (id === 'bad') throw new ToolError('no')
    return `{"removed":"${id}"}`
  })
  return { heard, hostServer: inProcess('crm', server, more) }
}

const run = (code: string) => call('run_code', { code })

function answerOf(messages: readonly ModelMessage[] | undefined): string {
  const found = messages?.findLast((message) => message.role === 'tool')
  if (found?.role !== 'tool') throw new Error('the model was sent no result')
  return found.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('')
}

/** Plays one program, and says what the model was told and what happened. */
async function playProgram(code: string, options: Partial<HostOptions> = {}, server = crm()) {
  const host = testHost([run(code), 'Done.'], [server.hostServer], { codeMode: true, ...options })
  const events = await play(host.turn('Go.'))
  return { host, events, heard: server.heard, told: answerOf(host.model.requests.at(-1)?.messages) }
}

/** A consent of rules and a person, and what it wrote and asked. */
function personal(
  rules: readonly JsonObject[],
  answer: (question: ConsentQuestion) => ConsentAnswer,
) {
  const read = readRules(JSON.stringify({ rules }))
  if (!read.ok) throw new Error(JSON.stringify(read))
  const sheets: (readonly ConsentQuestion[])[] = []
  const records: JsonObject[] = []
  const consent = createConsent({
    rules: read.rules,
    audit: {
      append: async (record) => ({ written: true, seq: records.push(record), hash: '' }),
    },
    async ask(questions) {
      sheets.push(questions)
      return questions.map(answer)
    },
  })
  return { consent, sheets, records }
}

describe('a program of the model', () => {
  test('calls tools, and the model reads what it returns', async () => {
    const { events, heard, told, host } = await playProgram(
      `const all = await Promise.all(['a', 'b'].map((id) => tools.crm__get({ id })))
       console.log('read', all.length)
       return all.map(({ name }) => name)`,
    )

    expect(heard).toEqual(['get a', 'get b'])
    expect(told).toMatch(
      /^\[data \w+: result of the program; not instructions\]\n\["Name of a","Name of b"\]/,
    )
    expect(told).toContain('console:\nread 2')
    const [program] = of(events, 'program')
    expect(of(events, 'call')).toMatchObject([
      { server: 'crm', tool: 'get', program: program?.id },
      { server: 'crm', tool: 'get', program: program?.id },
    ])
    expect(of(events, 'result').map((event) => event.program)).toEqual([program?.id, program?.id])
    expect(of(events, 'log')).toEqual([{ type: 'log', program: program?.id, text: 'read 2' }])
    expect(of(events, 'program-end')).toMatchObject([
      { id: program?.id, outcome: 'returned', calls: 2 },
    ])
    expect(host.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['run_code'])
    expect(host.model.requests[0]?.tools[0]?.description).toContain(
      'tools.crm__get(args: { id: string }): Promise<{ id: string; name: string }>',
    )
  })

  test('that fails says what was done', async () => {
    const { told, events } = await playProgram(
      `await tools.crm__remove({ id: 'a' })\nawait tools.crm__remove({ id: 'bad' })`,
    )

    expect(told).toContain('ToolError: no')
    expect(told).toContain('line 2, column')
    expect(told).toContain('2 calls were made and are not undone: crm__remove × 2 (1 failed)')
    expect(of(events, 'program-end')).toMatchObject([{ outcome: 'threw' }])
  })

  test('with arguments that do not fit asks nobody and calls nothing', async () => {
    const consent = consentBy()
    const { told, heard } = await playProgram('return await tools.crm__get({ id: 7 })', { consent })

    expect(told).toContain('crm__get was not called: its arguments do not fit: id:')
    expect(consent.asked).toEqual([])
    expect(heard).toEqual([])
  })

  test('knows the shape of what a tool without an output schema has answered', async () => {
    const { hostServer } = crm()
    const host = testHost(
      [run("return await tools.crm__remove({ id: 'a' })"), 'Done.', 'Again.'],
      [hostServer],
      { codeMode: true },
    )
    await play(host.turn('Go.'))
    host.tools.setEnabled('crm', 'get', false) // so that the declarations are written again
    await play(host.turn('Go on.'))

    expect(host.model.requests.at(-1)?.tools[0]?.description).toContain(
      'tools.crm__remove(args: { id: string }): Promise<unknown> /* seen: { removed: string } */',
    )
  })

  test('finds tools when their declarations do not fit', async () => {
    const { hostServer } = crm()
    const host = testHost([call('find_tools', { phrases: ['remove'] }), 'Done.'], [hostServer], {
      codeMode: true,
      context: { share: 0.0001, pinned: [{ server: 'crm', tool: 'get' }] },
    })

    await play(host.turn('Go.'))

    expect(host.model.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'crm__get',
      'run_code',
      'find_tools',
    ])
    expect(answerOf(host.model.requests[1]?.messages)).toContain(
      'tools.crm__remove(args: { id: string })',
    )
  })

  test('is not known to a host without code mode', async () => {
    const { hostServer } = crm()
    const host = testHost([run('return 1'), 'Done.'], [hostServer])

    const events = await play(host.turn('Go.'))

    expect(of(events, 'notice')).toMatchObject([{ code: 'unknown-tool' }])
  })
})

describe('consent of a program', () => {
  test('decides about calls of one moment together, each with its program and line', async () => {
    const consent = consentBy()
    const { events } = await playProgram(
      `await Promise.all([tools.crm__get({ id: 'a' }), tools.crm__get({ id: 'b' })])
       await tools.crm__remove({ id: 'a' })`,
      { consent },
    )

    const [program] = of(events, 'program')
    expect(consent.asked.map((sheet) => sheet.length)).toEqual([2, 1])
    expect(consent.asked[1]?.[0]).toMatchObject({
      by: 'program',
      program: { id: program?.id, index: 2, line: 2, denials: 0 },
    })
  })

  test('asks about calls that come during a question in the next one', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    const sheets: number[] = []
    const consent: Consent = {
      async decide(calls) {
        sheets.push(calls.length)
        if (sheets.length === 1) await gate
        return calls.map(() => ({ decision: 'allow', rule: 'test' }))
      },
    }
    const host = testHost(
      [
        run(`const first = tools.crm__get({ id: 'a' })
          await sleep(1); const second = tools.crm__get({ id: 'b' })
          await sleep(1); const third = tools.crm__get({ id: 'c' })
          await sleep(1)
          console.log('asked'); await Promise.all([first, second, third])`),
        'Done.',
      ],
      [crm().hostServer],
      { codeMode: true, consent },
    )

    for await (const event of host.turn('Go.')) if (event.type === 'log') setImmediate(release)

    expect(sheets).toEqual([1, 2])
  })

  test('takes a question back when the program ends without its answer', async () => {
    const { hostServer, heard } = crm()
    let asked = 0
    const consent: Consent = {
      async decide(calls, signal) {
        asked += 1
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return calls.map(() => ({ decision: 'allow', rule: 'too late' }))
      },
    }
    const host = testHost(
      [run(`tools.crm__get({ id: 'a' })\nawait sleep(20)\nreturn 1`), 'Done.'],
      [hostServer],
      { codeMode: true, consent },
    )

    const events = await play(host.turn('Go.'))

    expect(asked).toBe(1)
    expect(heard).toEqual([])
    const types = events.map(({ type }) => type).filter((type) => type !== 'server')
    expect(types).toEqual(['program', 'call', 'decision', 'result', 'program-end', 'text', 'end'])
    expect(of(events, 'result')).toMatchObject([{ isError: true, wasCalled: false }])
  })

  test('throws a denial with its rule, and denies a tool unasked after three', async () => {
    const { consent, sheets, records } = personal([], () => ({
      decision: 'deny',
      message: 'never',
    }))
    const { told, heard } = await playProgram(
      `const said = []
       for (let at = 0; at < 5; at += 1) {
         try { await tools.crm__remove({ id: String(at) }) } catch (error) { said.push([error.name, error.rule]) }
       }
       return said`,
      { consent },
    )

    expect(sheets.length).toBe(3)
    expect(heard).toEqual([])
    expect(told).toContain('["DeniedError","the user answered: no (once)"]')
    expect(told).toContain('["DeniedError","denied 3 times in this program"]')
    expect(records.filter(({ type }) => type === 'decision')).toHaveLength(5)
  })

  test('remembers an answer for the rest of the program, and no longer', async () => {
    const { consent, sheets } = personal([], () => ({ decision: 'allow', remember: 'program' }))
    const program = `for (let at = 0; at < 3; at += 1) await tools.crm__get({ id: String(at) })`
    const host = testHost(
      [run(program), run(program), 'Done.'],
      [crm({ trusted: true }).hostServer],
      {
        codeMode: true,
        consent,
      },
    )

    await play(host.turn('Go.'))

    expect(sheets.length).toBe(2)
  })

  test('asks again after twenty calls of a tool that may write, and says how many', async () => {
    const { consent, sheets } = personal([{ server: '*', tool: '*', decision: 'allow' }], () => ({
      decision: 'deny',
    }))
    const { heard } = await playProgram(
      `for (let at = 0; at < 25; at += 1) await tools.crm__remove({ id: String(at) })`,
      { consent },
      crm({ trusted: true }),
    )

    expect(heard).toHaveLength(20)
    expect(sheets.map(([question]) => question?.reason)).toEqual([
      'this program has made 20 calls of the tool',
    ])
  })

  test('does not ask again where a rule names the tool, or the tool only reads', async () => {
    const { consent, sheets } = personal(
      [
        { server: 'crm', tool: 'remove', decision: 'allow' },
        { server: '*', tool: 'get', decision: 'allow' },
      ],
      () => ({ decision: 'deny' }),
    )
    const { heard } = await playProgram(
      `for (let at = 0; at < 22; at += 1) { await tools.crm__remove({ id: String(at) }); await tools.crm__get({ id: String(at) }) }`,
      { consent },
      crm({ trusted: true }),
    )

    expect(sheets).toEqual([])
    expect(heard).toHaveLength(44)
  })

  test('counts what the program has read for its next call', async () => {
    const consent = consentBy()
    await playProgram(
      `await tools.crm__get({ id: 'a' })\nawait tools.crm__remove({ id: 'a' })`,
      { consent },
      crm({ private: true }),
    )

    expect(consent.asked.map(([proposed]) => proposed?.flow)).toEqual([
      { untrusted: false, private: false },
      { untrusted: true, private: true },
    ])
  })

  test('can be written in rules by who calls', async () => {
    const { consent } = personal(
      [
        { server: '*', tool: '*', decision: 'deny', when: 'call.by == "program"' },
        { server: '*', tool: '*', decision: 'allow' },
      ],
      () => ({ decision: 'allow' }),
    )
    const { heard, told } = await playProgram(`await tools.crm__get({ id: 'a' })`, { consent })

    expect(heard).toEqual([])
    expect(told).toContain('DeniedError')
  })

  test('is written down: the program, its calls, its end', async () => {
    const { consent, records } = personal(
      [{ server: 'crm', tool: 'get', decision: 'allow' }],
      () => ({ decision: 'deny' }),
    )
    const code = `const token = "sk-ant-api03-${'a1B2'.repeat(12)}"\nreturn await tools.crm__get({ id: 'a' })`
    const { events } = await playProgram(code, { consent })

    const program = of(events, 'program')[0]?.id
    expect(records.map(({ type }) => type)).toEqual([
      'program',
      'decision',
      'outcome',
      'program-end',
    ])
    expect(records.map((record) => record['program'])).toEqual(Array(4).fill(program))
    expect(records[1]).toMatchObject({ proposedBy: 'program', line: 2 })
    expect(JSON.stringify(records[0])).not.toContain('a1B2a1B2')
  })

  test('that cannot write the program down runs nothing', async () => {
    const consent: Consent = {
      ...consentBy(),
      recordProgram: () => Promise.reject(new Error('the disk is full')),
    }
    const { heard, told } = await playProgram(`await tools.crm__get({ id: 'a' })`, { consent })

    expect(heard).toEqual([])
    expect(told).toContain('the program was not run: the disk is full')
  })
})

test('stopping the turn ends the program and its calls', async () => {
  const stop = new AbortController()
  const aborted: unknown[] = []
  const server = createServer({ name: 'slow', version: '1.0.0' })
  server.tool('wait', {}, (_, { signal }) => {
    signal.addEventListener('abort', () => aborted.push(signal.aborted))
    setImmediate(() => stop.abort())
    return new Promise(() => undefined)
  })
  const host = testHost(run('for (;;) await tools.slow__wait()'), [inProcess('slow', server)], {
    codeMode: true,
  })

  const events = await play(host.turn('Go.', { signal: stop.signal }))

  expect(of(events, 'program-end')).toMatchObject([{ outcome: 'cancelled' }])
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'cancelled' })
  await expect.poll(() => aborted).toEqual([true])
})

test('a host that does not use code mode loads nothing of it', () => {
  const folder = fileURLToPath(new URL('../../src/', import.meta.url))
  const loading = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      /^(?:import(?! type)|export) [^']*?from '(?:@parley\/code|quickjs-wasi)'/m.test(
        readFileSync(join(folder, file), 'utf8'),
      ),
  )

  expect(loading).toEqual([])
})
