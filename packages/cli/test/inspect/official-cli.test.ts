import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { readOfficialArguments } from '../../src/inspect/official-arguments.ts'
import { startEverything, type HttpServer } from '../http-server.ts'
import { run, servers } from '../run.ts'

let http: HttpServer
beforeAll(async () => {
  http = await startEverything('streamableHttp', '--extras')
})
afterAll(() => http[Symbol.asyncDispose]())

function inspect(...words: readonly string[]) {
  return run(['inspect', '--cli', ...words])
}

/** The examples of the official documentation, with a server that exists in place of theirs. */
const examples: readonly (readonly [
  line: string,
  words: () => readonly string[],
  result: object,
])[] = [
  [
    'tools/list',
    () => ['--method', 'tools/list'],
    { tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]) as unknown },
  ],
  [
    'tools/call with two arguments',
    () => [
      '--method',
      'tools/call',
      '--tool-name',
      'get-sum',
      '--tool-arg',
      'a=1',
      '--tool-arg',
      'b=2',
    ],
    { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] },
  ],
  [
    'tools/call with both behind one flag',
    () => ['--method', 'tools/call', '--tool-name', 'get-sum', '--tool-arg', 'a=1', 'b=2'],
    { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] },
  ],
  [
    'tools/call with all arguments as JSON',
    () => [
      '--method',
      'tools/call',
      '--tool-name',
      'echo',
      '--tool-args-json',
      '{"message":"hi"}',
      '--format',
      'json',
    ],
    { content: [{ type: 'text', text: 'Echo: hi' }] },
  ],
  [
    'tools/call with an argument as JSON',
    () => [
      '--method',
      'tools/call',
      '--tool-name',
      'schema-ref',
      '--tool-arg',
      'from={"street":"a","city":"b"}',
      '--tool-arg',
      'to={"city":"d"}',
    ],
    { content: expect.anything() as unknown },
  ],
  [
    'resources/list',
    () => ['--method', 'resources/list'],
    { resources: expect.any(Array) as unknown },
  ],
  [
    'resources/templates/list',
    () => ['--method', 'resources/templates/list'],
    { resourceTemplates: expect.any(Array) as unknown },
  ],
  [
    'resources/read',
    () => ['--method', 'resources/read', '--uri', 'demo://resource/dynamic/text/1'],
    { contents: [{ uri: 'demo://resource/dynamic/text/1' }] },
  ],
  ['prompts/list', () => ['--method', 'prompts/list'], { prompts: expect.any(Array) as unknown }],
  [
    'prompts/get',
    () => [
      '--method',
      'prompts/get',
      '--prompt-name',
      'args-prompt',
      '--prompt-args',
      'city=Rome',
      'state=RM',
    ],
    { messages: [{ role: 'user' }] },
  ],
  ['logging/setLevel', () => ['--method', 'logging/setLevel', '--log-level', 'debug'], {}],
  ['ping', () => ['--method', 'ping'], {}],
  [
    'metadata',
    () => ['--method', 'tools/list', '--metadata', 'client=test'],
    { tools: expect.any(Array) as unknown },
  ],
]

describe('what the official CLI documents works with parley inspect --cli [INSP-12]', () => {
  test.each(examples)('%s', async (_, words, result) => {
    const { code, stdout, stderr } = await inspect(http.url, '--transport', 'http', ...words())

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject(result)
  })

  test('a command, its arguments and environment', async () => {
    const [node, ...args] = servers.everything
    const call = ['--method', 'tools/call', '--tool-name', 'get-env']

    const { code, stdout } = await inspect(
      '-e',
      'KEY=value',
      node,
      ...args,
      ...call,
      '--',
      '--extras',
    )

    expect(code).toBe(0)
    expect(stdout).toContain('KEY')
  })

  test('a configuration file and a server of it [INSP-13]', async () => {
    const [command, ...args] = servers.everything
    const cwd = folderWith({ 'config.json': { mcpServers: { myserver: { command, args } } } })
    const words = [
      'inspect',
      '--cli',
      '--config',
      'config.json',
      '--server',
      'myserver',
      '--method',
      'tools/list',
    ]

    expect(await run(words, { cwd })).toMatchObject({ code: 0 })
  })

  test('--server-url and --header', async () => {
    const words = [
      '--server-url',
      http.url,
      '--transport',
      'http',
      '--header',
      'X-API-Key: secret',
      '--method',
      'tools/list',
    ]

    expect(await inspect(...words)).toMatchObject({ code: 0 })
  })
})

describe('its exit codes, with one line of JSON on standard error', () => {
  test.each([
    ['1: no method', () => [http.url], 1, 'error'],
    ['1: a flag without its value', () => [http.url, '--method'], 1, 'error'],
    [
      '2: no app',
      () => [http.url, '--method', 'tools/call', '--tool-name', 'echo', '--app-info'],
      2,
      'no_app',
    ],
    [
      '4: unreachable',
      () => ['http://127.0.0.1:9/mcp', '--method', 'tools/list'],
      4,
      'unreachable',
    ],
    [
      '5: the tool failed',
      () => [
        http.url,
        '--method',
        'tools/call',
        '--tool-name',
        'trigger-error',
        '--tool-arg',
        'kind=tool',
      ],
      5,
      'tool_error',
    ],
    [
      '5: no such tool',
      () => [http.url, '--method', 'tools/call', '--tool-name', 'nothing'],
      5,
      'tool_error',
    ],
  ])('%s', async (_, words, code, name) => {
    const ran = await inspect(...words())

    expect(ran.code).toBe(code)
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: name } })
  })
})

describe('its arguments', () => {
  test('what follows -- is for the server alone', () => {
    const { target, values } = readOfficialArguments([
      '--cli',
      'node',
      'index.js',
      '--method',
      'tools/list',
      '--',
      '--config',
      '/etc/x',
      '--verbose',
    ])

    expect(target).toEqual(['node', 'index.js', '--config', '/etc/x', '--verbose'])
    expect(values).toEqual({ '--method': 'tools/list' })
  })

  test('with nothing before it, -- only begins the line', () => {
    const { target, values } = readOfficialArguments([
      '--cli',
      '--',
      'node',
      'index.js',
      '--workspace',
      '.',
      '--method',
      'tools/list',
    ])

    expect(target).toEqual(['node', 'index.js', '--workspace', '.'])
    expect(values).toEqual({ '--method': 'tools/list' })
  })
})
