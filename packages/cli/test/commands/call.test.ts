import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { startEverything, type HttpServer } from '../http-server.ts'
import { run, servers, type RunOptions } from '../run.ts'

let http: HttpServer
beforeAll(async () => {
  http = await startEverything('streamableHttp', '--extras')
})
afterAll(() => http[Symbol.asyncDispose]())

/** Calls a tool of a server that runs already. */
function call(words: readonly string[], options: RunOptions = {}) {
  return run(['call', http.url, ...words], options)
}

test('text becomes what the schema wants', async () => {
  const { code, stdout } = await call(['get-sum', 'a=1', 'b=2.5'])

  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The sum of 1 and 2.5 is 3.5.\n' })
})

test('arguments come as JSON, from a file, and from standard input', async () => {
  const cwd = folderWith({ 'message.txt': 'from a file' })

  const json = await call(['get-sum', 'a:=1', 'b:=2'])
  const file = await call(['echo', 'message@message.txt'], { cwd })
  const input = await call(['echo', '-'], { input: '{"message":"piped"}' })
  const whole = await call(['echo', '{"message":"inline"}'])

  expect(json.stdout).toBe('The sum of 1 and 2 is 3.\n')
  expect(file.stdout).toBe('Echo: from a file\n')
  expect(input.stdout).toBe('Echo: piped\n')
  expect(whole.stdout).toBe('Echo: inline\n')
})

test.each([
  ['of a running server', () => ['call', http.url]],
  ['of a command', () => ['call', '--', ...servers.everything]],
])('without a tool, those %s are listed', async (_, words) => {
  const { code, stdout, stderr } = await run(words())

  expect(code).toBe(0)
  expect(stdout).toMatch(/^tools \(\d+\)\n/)
  expect(stdout).toMatch(/^ {2}get-sum /m)
  expect(stderr).toContain('name one: parley call TARGET TOOL')
})

test('a text that looks like a number stays one where a text is wanted', async () => {
  const { stdout } = await call(['echo', 'message=007'])

  expect(stdout).toBe('Echo: 007\n')
})

test('over a pipe it is the same', async () => {
  const { code, stdout } = await run([
    'call',
    'echo',
    'message=hi',
    '--json',
    '--',
    ...servers.everything,
  ])

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] })
})

test('a tool that fails ends with 5, and its words are the output', async () => {
  const { code, stdout, stderr } = await call(['trigger-error', 'kind=tool_error'])

  expect(code).toBe(5)
  expect(stdout).not.toBe('')
  expect(stderr).toBe('error: trigger-error failed\n')
})

test.each([
  [['echo'], 'Usage: echo message=TEXT\n'],
  [['get-sum', 'a=x'], 'Usage: get-sum a=NUMBER b=NUMBER\n'],
])('arguments that do not fit come with how it is called: %j', async (words, said) => {
  const { code, stderr } = await call(words)

  expect(code).toBe(5)
  expect(stderr).toContain(said)
})

test('with --expect-success an error is no output', async () => {
  const { code, stdout, stderr } = await call([
    'trigger-error',
    'kind=tool_error',
    '--expect-success',
  ])

  expect(code).toBe(5)
  expect(stdout).toBe('')
  expect(stderr).toContain('error: trigger-error failed')
})

test('a tool that is not there ends with 5, and the one that was meant is named', async () => {
  const { code, stderr } = await call(['ecko', 'message=hi'])

  expect(code).toBe(5)
  expect(stderr).toBe('error: unknown tool "ecko"\nDid you mean echo?\n')
})

test('so it does without arguments, where the server calls it a bad one', async () => {
  expect(await call(['ecko'])).toMatchObject({ code: 5 })
  expect(await call(['echo'])).not.toMatchObject({ code: 0 })
})

describe('--validate', () => {
  test('refuses arguments that do not fit, before anything is sent', async () => {
    const { code, stderr } = await call(['get-sum', 'a=x', 'b=1', '--validate', '--json'])

    expect(code).toBe(6)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'invalid', exit: 6 } })
  })

  test('lets through what fits', async () => {
    const { code } = await call(['get-structured-content', 'location=Chicago', '--validate'])

    expect(code).toBe(0)
  })
})

describe('--assert', () => {
  test.each([
    ['structuredContent.temperature > 10'],
    ['/structuredContent/conditions ~ rain'],
    ['content.length == 1'],
    ['latencyMs < 60000'],
    ['structuredContent'],
  ])('holds: %s', async (expression) => {
    const words = ['get-structured-content', 'location=Chicago', '--assert', expression]

    expect(await call([...words])).toMatchObject({ code: 0 })
  })

  test('ends with 7 otherwise, and says what is there', async () => {
    const words = ['echo', 'message=hi', '--assert', 'content.0.text == "Echo: ho"', '--json']

    const { code, stdout, stderr } = await call([...words])

    expect(code).toBe(7)
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: 'Echo: hi' }] })
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'assertion_failed',
        message: 'not true: content.0.text == "Echo: ho" (is "Echo: hi")',
      },
    })
  })

  test('an error that is expected is none', async () => {
    const words = ['trigger-error', 'kind=tool_error', '--assert', 'isError == true']

    expect(await call([...words])).toMatchObject({ code: 0 })
  })
})

test('--timeout ends with 124', async () => {
  const words = [
    'trigger-long-running-operation',
    'duration=60',
    'steps=1',
    '--timeout',
    '1500',
    '--json',
  ]

  const { code, stderr } = await call([...words])

  expect(code).toBe(124)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'timeout' } })
})

test('Ctrl+C ends with 130', async () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error('interrupted')), 1_000)

  const { code, stderr } = await call(
    ['trigger-long-running-operation', 'duration=60', 'steps=1'],
    { signal: controller.signal },
  )

  expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
})

test('--as-task follows a task to its end', async () => {
  const words = ['simulate-research-query', 'topic=bees', '--as-task']

  const { code, stdout, stderr } = await call([...words])

  expect(code).toBe(0)
  expect(stdout).toContain('bees')
  expect(stderr).toMatch(/^task \S+$/m)
})

test('nobody to ask, and nothing to answer with, ends with 3 and the question', async () => {
  const { code, stderr } = await call(['trigger-elicitation-request', '--json'])

  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'input_required', hint: expect.stringContaining('--answer FILE') as unknown },
  })
})

test('--interactive without a terminal is refused', async () => {
  expect(await call(['echo', '--interactive'])).toMatchObject({ code: 3 })
})

test('--answer gives the answers of a file, --decline refuses', async () => {
  const cwd = folderWith({
    'answer.json': { name: 'Ada', check: true },
    'list.json': [{ city: 'Rome' }, { action: 'decline' }],
  })
  const words = ['trigger-elicitation-request']

  const answered = await call([...words, '--answer', 'answer.json'], { cwd })
  const declined = await call([...words, '--decline'])
  const listed = await call(['plan-trip', '--answer', 'list.json'], { cwd })

  expect(answered.stdout).toContain('Ada')
  expect(declined.stdout).toMatch(/declined/i)
  expect(listed.code).not.toBe(3)
})

test('--answer also answers a question that is asked as a task', async () => {
  const cwd = folderWith({ 'answer.json': { name: 'Ada' } })
  const words = ['trigger-elicitation-request-async', '--era', '2025-11-25']

  const { code, stdout } = await call([...words, '--answer', 'answer.json'], { cwd })

  expect(code).toBe(0)
  expect(stdout).toMatch(/\[COMPLETED\][^]*Ada[^]*Task created: \S{36}/)
})

test('--sampling mock:FILE answers for a model, deny refuses, and without it 3', async () => {
  const cwd = folderWith({
    'model.txt': 'I am a model.\n',
    'model.json': { role: 'assistant', model: 'm', content: { type: 'text', text: 'From JSON.' } },
  })
  const words = ['trigger-sampling-request', 'prompt=Hello']

  const mocked = await call([...words, '--sampling', 'mock:model.txt'], { cwd })
  const whole = await call([...words, '--sampling', 'mock:model.json'], { cwd })
  const denied = await call([...words, '--sampling', 'deny'])
  const nothing = await call([...words])

  expect(mocked.stdout).toContain('I am a model.')
  expect(whole.stdout).toContain('From JSON.')
  expect(denied).toMatchObject({ code: 5, stdout: '' })
  expect(denied.stderr).toContain('it needs a model response, which --sampling deny refuses')
  expect(denied.stderr).not.toContain('--answer')
  expect(nothing.code).toBe(3)
})

test('progress is told where it is asked for', async () => {
  const words = ['trigger-long-running-operation', 'duration=0.2', 'steps=2']

  const plain = await call([...words])
  const verbose = await call([...words, '-v'])

  expect(plain.stderr).toBe('')
  expect(verbose.stderr).toMatch(/█+░+ 50%/)
})
