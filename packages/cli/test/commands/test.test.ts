import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { brokenServer } from '../check/broken-server.ts'
import { run } from '../run.ts'

const behind = ['--', execPath, brokenServer]

function collection(name: string, ...requests: readonly object[]): object {
  const whole = requests.map((request, at) => ({
    id: String(at),
    title: `request ${at}`,
    server: 'near',
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: '{{word}}' } },
    assertions: [],
    ...request,
  }))
  const about = { format: 'parley-collection', version: 1 }
  return { ...about, name, variables: { word: 'hi' }, requests: whole }
}

const isHi = { kind: 'equals', pointer: '/content/0/text', value: 'hi' }
const good = collection('good', { title: 'says hi', assertions: [isHi] })
const mixed = collection(
  'mixed <&>',
  { title: 'says hi', assertions: [isHi, { kind: 'succeeds' }] },
  { title: 'says ho', assertions: [{ ...isHi, value: 'ho' }] },
  { title: 'is refused', params: { name: 'none' }, assertions: [{ kind: 'fails' }] },
  { title: 'is not there', method: 'no/method', params: {} },
)

describe('a collection', () => {
  test('whose answers are what they must be ends with 0', async () => {
    const cwd = folderWith({ 'a.collection.json': good })

    const { code, stdout, stderr } = await run(['test', 'a.collection.json', ...behind], { cwd })

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^good\n {2}✓ says hi \d+ ms\n1 request passed, 0 failed\n$/)
  })

  test('that fails ends with 7, and says what was there instead', async () => {
    const cwd = folderWith({ 'a.collection.json': mixed })

    const { code, stdout, stderr } = await run(['test', 'a.collection.json', ...behind], { cwd })

    expect(code).toBe(7)
    expect(stderr).toBe('error: 2 requests failed\n')
    expect(stdout.replaceAll(/\d+ ms/g, 'N ms').split('\n')).toEqual([
      'mixed <&>',
      '  ✓ says hi N ms',
      '  ✗ says ho N ms',
      '      /content/0/text must be "ho": it is "hi"',
      '  ✓ is refused N ms',
      '  ✗ is not there N ms',
      expect.stringMatching(/^ {6}method_not_found: /),
      '2 requests passed, 2 failed',
      '',
    ])
  })

  test('goes to the servers it names, and each is started once', async () => {
    const entry = { command: execPath, args: [brokenServer] }
    const cwd = folderWith({
      'mcp.json': { mcpServers: { near: entry } },
      'a.collection.json': good,
      'deep/b.collection.json': good,
    })

    const { code, stdout } = await run(['test', '.', '--trust', '--trace', 't.jsonl'], {
      cwd,
      env: { PARLEY_STATE: folderWith({}) },
    })

    expect(code).toBe(0)
    expect(stdout).toContain('2 requests passed, 0 failed\n')
    const trace = readFileSync(join(cwd, 't.jsonl'), 'utf8')
    expect(trace.match(/"text":"hi"/g)?.length).toBeGreaterThanOrEqual(2)
    expect(trace.match(/"method":"(?:initialize|server\/discover)"/g)).toHaveLength(1)
  })

  test('whose server does not start fails in every request, and says why', async () => {
    const cwd = folderWith({ 'a.collection.json': good })

    const { code, stdout } = await run(['test', '.', '--', 'parley-no-such-program'], { cwd })

    expect(code).toBe(7)
    expect(stdout).toMatch(/✗ says hi .*\n {6}spawn_failed: /)
  })

  test('takes variables from the command line', async () => {
    const cwd = folderWith({ 'a.collection.json': good })

    const changed = await run(['test', '.', '--var', 'word=ho', ...behind], { cwd })
    const unknown = await run(['test', '.', '--var', 'wrod=ho', ...behind], { cwd })

    expect(changed.stdout).toContain('/content/0/text must be "hi": it is "ho"')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stderr).toBe('error: no collection has the variable "wrod"\nKnown: word.\n')
  })
})

describe('reports', () => {
  const report = async (...flags: readonly string[]) => {
    const cwd = folderWith({ 'a.collection.json': mixed })
    const { stdout } = await run(['test', '.', ...flags, ...behind], { cwd })
    return stdout.replaceAll(/time="[\d.]+"/g, 'time="T"').replaceAll(/time=\d+ms/g, 'time=T')
  }

  test('TAP', async () => {
    const lines = (await report('--reporter', 'tap')).split('\n')

    expect(lines.slice(0, 7)).toEqual([
      'TAP version 14',
      '1..4',
      'ok 1 - mixed <&>: says hi # time=T',
      'not ok 2 - mixed <&>: says ho # time=T',
      '  ---',
      String.raw`  - "/content/0/text must be \"ho\": it is \"hi\""`,
      '  ...',
    ])
  })

  test('JUnit', async () => {
    const text = await report('--reporter', 'junit')

    expect(text).toContain(
      '<testsuite name="mixed &#60;&#38;&#62;" file="a.collection.json" tests="4" failures="2" time="T">',
    )
    expect(text).toContain(
      '<testcase name="says hi" classname="mixed &#60;&#38;&#62; tools/call" time="T"/>',
    )
    expect(text).toContain(
      '<failure message="/content/0/text must be &#34;ho&#34;: it is &#34;hi&#34;">',
    )
  })

  test('GitHub', async () => {
    expect(await report('--reporter', 'github')).toContain(
      '::error file=a.collection.json,title=mixed <&>%3A says ho::/content/0/text must be "ho": it is "hi"\n',
    )
  })

  test('JSON', async () => {
    expect(JSON.parse(await report('--json'))).toMatchObject({
      failed: 2,
      collections: [
        {
          file: 'a.collection.json',
          name: 'mixed <&>',
          requests: [{ title: 'says hi', problems: [] }, { title: 'says ho' }, {}, {}],
        },
      ],
    })
  })

  test('into a file', async () => {
    const cwd = folderWith({ 'a.collection.json': good })

    const { code, stdout } = await run(
      ['test', '.', '--reporter', 'tap', '-o', 'report.tap', ...behind],
      { cwd },
    )

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(readFileSync(join(cwd, 'report.tap'), 'utf8')).toContain('ok 1 - good: says hi')
  })
})

test.each([
  [['nowhere'], 1, '"nowhere" is not a URL, a file or a configured server'],
  [['nowhere.json'], 1, 'file or folder not found: nowhere.json'],
  [['empty'], 1, 'empty holds no .collection.json file'],
  [['other.json'], 6, 'other.json: it lacks "format": "parley-collection"'],
  [['text.json'], 6, 'text.json: it is not a JSON object'],
  [['a.collection.json', '--reporter', 'loud'], 1, 'Use text, tap, junit, json, github.'],
  [['a.collection.json', 'http://a/mcp', 'http://b/mcp'], 1, 'only one server is allowed'],
  [['two.collection.json', '--trace', 't'], 1, '--trace needs a single server, not near, far'],
  [[], 1, "missing required argument 'words'"],
])('test %j says what is wrong', async (words, code, said) => {
  const cwd = folderWith({
    'a.collection.json': good,
    'two.collection.json': collection('two', {}, { server: 'far' }),
    'empty/readme': '',
    'other.json': {},
    'text.json': 'hello',
  })

  const ran = await run(['test', ...words], { cwd })

  expect(ran).toMatchObject({ code, stderr: expect.stringContaining(said) as unknown })
})
