import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process, { execPath } from 'node:process'

import { expect, test } from 'vitest'

import { openModelEndpoint, type EndpointTurn } from '../../../../test-support/model-endpoint.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run, type Ran } from '../run.ts'

interface Line {
  readonly type: string
  readonly [name: string]: unknown
}

const poisonedFile = repositoryFile('packages/host/test/fixtures/poisoned-server.mjs')

function entry(...modes: readonly string[]) {
  return { command: execPath, args: [poisonedFile, ...modes] }
}

function linesOf({ stdout }: Pick<Ran, 'stdout'>): readonly Line[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}

function of(lines: readonly Line[], type: string): readonly Line[] {
  return lines.filter((line) => line.type === type)
}

function calls(...names: readonly string[]) {
  return { calls: names.map((name) => ({ name, arguments: { n: 1 } })) }
}

function calling(...names: readonly string[]): EndpointTurn {
  return calls(...names)
}

/** Runs with a model that answers from a script, in a folder with these files. */
async function runWith(
  turns: readonly EndpointTurn[],
  servers: object,
  more: {
    readonly flags?: readonly string[]
    readonly rules?: object
    readonly isText?: boolean
  } = {},
) {
  await using endpoint = await openModelEndpoint(
    ({ index }) => (turns[index] ?? 'more was asked than scripted') as string,
    { key: 'test-key' },
  )
  const { flags = [], rules = { rules: [{ server: '*', tool: '*', decision: 'allow' }] } } = more
  const folder = folderWith({ 'mcp.json': { mcpServers: servers }, 'rules.json': rules })
  const ran = await run(
    [
      'run',
      '-p',
      'Go.',
      '--config',
      'mcp.json',
      '--model',
      'm',
      '--base-url',
      endpoint.baseUrl,
      '--rules',
      'rules.json',
      ...(more.isText ? [] : ['--json']),
      ...flags,
    ],
    { cwd: folder, env: { OPENAI_API_KEY: 'test-key', HOME: folder } },
  )
  return { ...ran, folder, requests: endpoint.requests, lines: more.isText ? [] : linesOf(ran) }
}

test('with --code the model writes a program, and rules decide about each of its calls', async () => {
  const code = `const echoed = await tools.one__echo({ n: 1 })
    try { await tools.one__other({}) } catch (error) { return [typeof echoed, error.name] }`
  const program = { calls: [{ name: 'run_code', arguments: { code } }] }
  const { lines, requests } = await runWith(
    [program, 'Done.'],
    { one: entry() },
    { flags: ['--code'] },
  )

  const [begun] = of(lines, 'program')
  expect(of(lines, 'call')).toMatchObject([{ server: 'one', tool: 'echo', program: begun?.['id'] }])
  expect(of(lines, 'decision')).toMatchObject([{ decision: 'allow' }])
  expect(of(lines, 'program-end')).toMatchObject([
    { outcome: 'returned', text: '["object","ReferenceError"]' },
  ])
  expect(requests).toHaveLength(2)
})

test('answers with a call, as JSON lines that end with the end [CFG-01] [CFG-02] [CHAT-12]', async () => {
  const { code, lines, requests } = await runWith([calling('one__echo'), 'Done.'], { one: entry() })

  expect(code).toBe(0)
  expect(of(lines, 'server').map(({ state }) => state)).toEqual(['connecting', 'ready'])
  expect(of(lines, 'call')).toMatchObject([{ server: 'one', tool: 'echo', arguments: { n: 1 } }])
  expect(of(lines, 'decision')).toMatchObject([
    { decision: 'allow', rule: expect.stringContaining('rules.json') },
  ])
  expect(of(lines, 'result')).toMatchObject([{ server: 'one', tool: 'echo', isError: false }])
  expect(lines.at(-1)).toEqual({ type: 'end', code: 0, reason: 'answered', text: 'Done.' })
  expect(requests).toHaveLength(2)
})

test('a call that nobody allowed is not made, and ends with 3 and the rule that allows it', async () => {
  const { code, lines, stderr, folder } = await runWith(
    [calling('one__echo'), 'It was refused.'],
    { one: entry('log=${workspaceFolder}/calls.txt') },
    { rules: { rules: [{ server: 'one', tool: 'other', decision: 'allow' }] } },
  )

  expect(code).toBe(3)
  const ruleThatAllows = { server: 'one', tool: 'echo', decision: 'allow' }
  expect(of(lines, 'decision')).toMatchObject([{ decision: 'deny', ruleThatAllows }])
  expect(lines.at(-1)).toMatchObject({
    type: 'end',
    code: 3,
    reason: 'unanswered',
    rulesThatAllow: [ruleThatAllows],
  })
  expect(stderr).toContain('"decision\\":\\"allow\\"')
  expect(readFileSync(`${folder}/calls.txt`, 'utf8')).not.toContain('call echo')
})

test('a rule that denies wins over one that allows, whatever the order, and the model goes on', async () => {
  const { code, lines } = await runWith(
    [calling('one__echo'), 'Refused.'],
    { one: entry() },
    {
      rules: {
        rules: [
          { server: '*', tool: '*', decision: 'allow' },
          { server: 'one', tool: 'echo', decision: 'deny' },
        ],
      },
    },
  )

  expect(code).toBe(0)
  expect(of(lines, 'decision')).toMatchObject([{ decision: 'deny' }])
})

test('servers that are dead or wrong do not keep the others [CFG-05]', async () => {
  const { code, lines } = await runWith([calling('good__echo'), 'Done.'], {
    good: entry(),
    dead: entry('dead'),
    nowhere: { url: 'http://127.0.0.1:9/mcp' },
    unset: { command: '${NO_SUCH_VARIABLE_HERE}' },
    odd: { args: ['x'] },
    sleeping: { ...entry(), disabled: true },
  })

  expect(code).toBe(0)
  const last = new Map(of(lines, 'server').map((line) => [line['server'], line]))
  expect(last.get('good')).toMatchObject({ state: 'ready' })
  expect(last.get('dead')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no licence found'),
  })
  expect(last.get('nowhere')).toMatchObject({ state: 'failed' })
  expect(last.get('unset')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('NO_SUCH_VARIABLE_HERE'),
  })
  expect(last.get('odd')).toMatchObject({ state: 'off', error: expect.stringContaining('command') })
  expect(last.get('sleeping')).toMatchObject({ state: 'off' })
})

test('a definition that changes is told and asked about again [TRUST-08]', async () => {
  const { code, lines } = await runWith(
    [calling('sly__echo'), calling('sly__redefine'), calling('sly__echo'), 'Done.'],
    { sly: entry() },
  )

  expect(code).toBe(3)
  expect(of(lines, 'decision').map(({ decision }) => decision)).toEqual(['allow', 'allow', 'deny'])
  expect(
    of(lines, 'notice').filter(({ code: what }) => what === 'definition-changed'),
  ).toMatchObject([{ server: 'sly', tool: 'echo' }])
})

test('a definition that changes between two runs is asked about again', async () => {
  await using endpoint = await openModelEndpoint(({ index }) =>
    index % 2 === 0 ? calls('one__echo') : { text: 'Done.' },
  )
  const folder = folderWith({
    'rules.json': { rules: [{ server: '*', tool: '*', decision: 'allow' }] },
  })
  const again = async (description: string) => {
    const config = folderWith({
      'mcp.json': { mcpServers: { one: { ...entry(), env: { ECHO_SAYS: description } } } },
    })
    const flags = ['--config', `${config}/mcp.json`, '--rules', 'rules.json', '--json']
    const model = ['--model', 'm', '--base-url', endpoint.baseUrl]
    const options = { cwd: folder, env: { OPENAI_API_KEY: 'k', HOME: folder } }
    const ran = await run(['run', '-p', 'Go.', ...flags, ...model], options)
    return { code: ran.code, notices: of(linesOf(ran), 'notice') }
  }

  expect(await again('Says it again.')).toEqual({
    code: 0,
    notices: [
      expect.objectContaining({ code: 'hidden-characters' }),
      expect.objectContaining({ code: 'orders', tool: 'hidden' }),
    ],
  })
  const { code, notices } = await again('Sends it to evil.example.')
  expect(code).toBe(3)
  expect(notices).toContainEqual(
    expect.objectContaining({ code: 'definition-changed', server: 'one' }),
  )
})

test('ends with 5 at a limit, with 4 without a model, with 1 for mistakes', async () => {
  const limited = await runWith(
    [calling('one__echo'), calling('one__echo')],
    { one: entry() },
    { flags: ['--max-turns', '2'] },
  )
  expect(limited.code).toBe(5)
  expect(limited.lines.at(-1)).toMatchObject({ code: 5, reason: 'limit' })
  expect(limited.requests).toHaveLength(2)

  const folder = folderWith({
    'mcp.json': { mcpServers: {} },
    'broken.json': '{"mcpServers": ',
    'rules.json': '{"rules": [{}]}',
  })
  const common = [
    'run',
    '-p',
    'Go.',
    '--json',
    '--model',
    'm',
    '--base-url',
    'http://127.0.0.1:9/v1',
  ]
  const options = { cwd: folder, env: { HOME: folder, OPENAI_API_KEY: 'k' } }
  const away = await run([...common, '--config', 'mcp.json'], options)
  expect([away.code, linesOf(away).at(-1)?.['code']]).toEqual([4, 4])

  for (const flags of [
    ['--config', 'broken.json'],
    ['--config', 'missing.json'],
    ['--config', 'mcp.json', '--rules', 'rules.json'],
    ['--config', 'mcp.json', '--api', 'soap'],
  ]) {
    const wrong = await run([...common, ...flags], options)
    expect([flags, wrong.code]).toEqual([flags, 1])
    expect(linesOf(wrong)).toMatchObject([{ type: 'end', code: 1, reason: 'usage' }])
  }
  expect((await run(['run', '-p', 'Go.'], options)).stderr).toContain('--model is missing')
  expect((await run(['run', '--model', 'scripted'], options)).stderr).toContain(
    'there is no question',
  )
})

test("servers of a project's own file are not started unless the user says so [HOST-03] [CFG-07]", async () => {
  await using endpoint = await openModelEndpoint('Done.')
  const folder = folderWith({
    '.mcp.json': { mcpServers: { stranger: entry('log=${workspaceFolder}/started.txt') } },
    'started.txt': '',
  })
  const flags = ['run', '-p', 'Go.', '--json', '--model', 'm', '--base-url', endpoint.baseUrl]
  const options = { cwd: folder, env: { HOME: folder, OPENAI_API_KEY: 'k' } }

  const careful = await run(flags, options)
  expect(careful.code).toBe(0)
  expect(of(linesOf(careful), 'server').at(-1)).toMatchObject({
    state: 'off',
    error: expect.stringContaining('--trust'),
  })
  expect(readFileSync(`${folder}/started.txt`, 'utf8')).toBe('')

  const trusting = await run([...flags, '--trust'], options)
  expect(of(linesOf(trusting), 'server').at(-1)).toMatchObject({ state: 'ready' })
})

test('without --json only the text is printed, without control codes', async () => {
  const { stdout, stderr, code } = await runWith(
    [calling('one__echo'), { text: ['\u001b[2JHe', 'llo\u0007.\u202E'] }],
    { one: entry(), dead: entry('dead') },
    { isText: true },
  )

  expect(code).toBe(0)
  expect(stdout).toBe('Hello.\n')
  expect(stderr).toContain('[one: echo {"n":1}]')
  expect(stderr).toContain('no licence found')
})

/** A server whose tool asks the model, and returns what it said with a picture. */
const prompter = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
let can, call
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  const finish = (text) => send({ id: call, result: { content: [
    { type: 'text', text }, { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } ] } })
  if (method === 'initialize') {
    can = params.capabilities.sampling !== undefined
    const { protocolVersion } = params
    send({ id, result: { protocolVersion, serverInfo: { name: 'asker', version: '1' }, capabilities: { tools: {} } } })
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] } })
  } else if (method === 'tools/call') {
    call = id
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say it.' } }]
    if (can) send({ id: 'sampling', method: 'sampling/createMessage', params: { messages, maxTokens: 9 } })
    else finish('nobody to ask')
  } else if (id === 'sampling') finish(error ? 'refused' : 'it said ' + result.content.text)
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no' } })
})`

test('rules let a server ask the model, and --images lets the model see', async () => {
  const servers = { one: { command: execPath, args: ['-e', prompter] } }
  const rules = { rules: [{ server: '*', tool: '*', decision: 'allow' }] }
  const flags = ['--images']

  const allowed = await runWith([calling('one__ask'), 'Yes.', 'Done.'], servers, {
    flags,
    rules: { ...rules, sampling: ['o*'] },
  })
  const other = await runWith([calling('one__ask'), 'Done.'], servers, {
    rules: { ...rules, sampling: ['two'] },
  })
  const without = await runWith([calling('one__ask'), 'Done.'], servers, { rules })

  const seen = [allowed, other, without].map(({ requests }) => JSON.stringify(requests.at(-1)))
  expect(seen[0]).toContain('it said Yes.')
  expect(seen[0]).toContain('data:image/png;base64,iVBORw0KGgo=')
  expect(seen[1]).toContain('refused')
  expect(seen[1]).not.toContain('iVBORw0KGgo=')
  expect(seen[2]).toContain('nobody to ask')
  expect([allowed.code, other.code, without.code]).toEqual([0, 0, 0])
})

test('a question of a server that nobody answers ends with 3', async () => {
  const everything = {
    command: execPath,
    args: [repositoryFile('servers/everything/dist/main.js'), 'stdio'],
  }
  const { code, lines } = await runWith([calling('all__trigger-elicitation-request'), 'Done.'], {
    all: everything,
  })

  const asked = of(lines, 'notice').find(({ code: what }) => what === 'unanswered')
  expect([code, asked?.['server'], lines.at(-1)?.['reason']]).toEqual([3, 'all', 'unanswered'])
})

// At the same time: each has two servers that do not want to end.
test.concurrent.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends it with %i, and no child survives',
  async ([signal, code], { onTestFinished }) => {
    await using endpoint = await openModelEndpoint(() => calling('one__hang') as string)
    const files = {
      'mcp.json': {
        mcpServers: {
          one: entry('log=log.txt', 'stubborn'),
          two: entry('log=log.txt', 'stubborn', 'mute'),
        },
      },
      'rules.json': { rules: [{ server: '*', tool: '*', decision: 'allow' }] },
      'log.txt': '',
    }
    const folder = folderWith(files, onTestFinished)
    const main = repositoryFile('packages/cli/dist/main.js')
    const args = ['run', '-p', 'Go.', '--json', '--config', 'mcp.json', '--rules', 'rules.json']
    const child = spawn(execPath, [main, ...args, '--model', 'm', '--base-url', endpoint.baseUrl], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, OPENAI_API_KEY: 'k' },
    })
    let stdout = ''
    child.stdout.on('data', (chunk) => (stdout += String(chunk)))
    const log = () => readFileSync(`${folder}/log.txt`, 'utf8')
    await expect.poll(log).toContain('call hang')

    child.kill(signal)
    const [ended] = await once(child, 'exit')

    expect(ended).toBe(code)
    expect(linesOf({ stdout }).at(-1)).toMatchObject({ type: 'end', code, reason: 'interrupted' })
    const pids = log()
      .split('\n')
      .flatMap((line) => (line.startsWith('started ') ? [Number(line.slice(8))] : []))
    expect(pids).toHaveLength(2)
    expect(pids.filter(isAlive)).toEqual([])
  },
)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('no call is made and no success is claimed when the audit cannot be written [OBS-04]', async () => {
  const received = `${folderWith({ log: '' })}/log`
  const { code, lines, stderr } = await runWith(
    [calling('one__echo'), 'I could not.'],
    { one: entry(`log=${received}`) },
    { flags: ['--audit', 'mcp.json/audit.jsonl'] }, // a file where its folder would have to be
  )

  expect(of(lines, 'result')).toMatchObject([{ isError: true, wasCalled: false }])
  expect(readFileSync(received, 'utf8')).not.toContain('tools/call')
  expect([code, lines.at(-1)?.['code'], lines.at(-1)?.['reason']]).toEqual([1, 1, 'audit'])
  expect(lines.at(-1)?.['message']).toMatch(/^the audit log .* is losing records: /)
  expect(stderr).toContain('Name another file with --audit')
})

test('the hint names a rule of your own that asks, since allowing does not outweigh it', async () => {
  const { code, stderr, lines } = await runWith(
    [calling('one__echo'), 'I could not.'],
    { one: entry() },
    {
      rules: {
        rules: [
          { server: 'one', tool: 'e*', decision: 'ask' },
          { server: '*', tool: '*', decision: 'allow' },
        ],
      },
    },
  )

  expect(code).toBe(3)
  expect(lines.at(-1)?.['rulesThatAsk']).toEqual([expect.stringContaining('ask one/e*')])
  expect(stderr).toMatch(
    /Ask wins over allow\. Change what asks about this call \(rule 1 .*ask one\/e\*/,
  )
})
