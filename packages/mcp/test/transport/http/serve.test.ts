import { PassThrough } from 'node:stream'

import { serve } from '@parley/mcp/node'
import { expect, test, vi } from 'vitest'

import { readHttpArguments } from '../../../src/transport/serve.ts'
import { createSampleServer } from '../../support/sample-server.ts'

test.each([
  [['--http', '0'], /^http:\/\/127\.0\.0\.1:\d+\/mcp$/],
  [['--http', '0', '--path', '/tools'], /\/tools$/],
  [['--host', '::1', '--http', '0'], /^http:\/\/\[::1\]:\d+\/mcp$/],
  [['other', '--http', '0', '--verbose'], /\/mcp$/],
  [['--http=0'], /^http:\/\/127\.0\.0\.1:\d+\/mcp$/],
  [['--http', '--port', '0'], /^http:\/\/127\.0\.0\.1:\d+\/mcp$/],
  [['--port=0', '--http'], /^http:\/\/127\.0\.0\.1:\d+\/mcp$/],
])('%o serves HTTP and says where', async (args, where) => {
  const log = vi.spyOn(console, 'error').mockReturnValue()

  await using service = await serve(createSampleServer().server, {
    args,
    http: { ownsProcess: false },
  })

  const [line = ''] = log.mock.calls[0] ?? []
  log.mockRestore()
  expect(String(line)).toMatch(/^sample listens on /)
  expect(String(line).split(' ').at(-1)).toMatch(where)
  expect(service.drain).toBeDefined()
})

test('listens where its options say unless the arguments do, which may be the program’s own', () => {
  expect(readHttpArguments(['--http', './folder'])).toEqual({})
  expect(readHttpArguments(['--http', '8080', './folder'])).toEqual({ port: 8080 })
  expect(readHttpArguments(['--port', '8080', './folder'])).toBeUndefined()
  expect(readHttpArguments([])).toBeUndefined()
})

test('serves from as many processes as the arguments say', () => {
  expect(readHttpArguments(['--http', '--processes', '4'])).toEqual({ processes: 4 })
  expect(readHttpArguments(['--http=80', '--processes=auto'])).toEqual({
    port: 80,
    processes: 'auto',
  })
  expect(readHttpArguments(['--processes', '4'])).toBeUndefined()
  for (const said of ['--processes=0', '--processes=1025', '--processes=x', '--processes']) {
    expect(() => readHttpArguments(['--http', said])).toThrow(
      /^--processes (?:\S+ )?needs a number from 1 to 1024, or auto$/,
    )
  }
})

test.each([
  ['--http=abc'],
  ['--http', '3001x'],
  ['--http', '99999'],
  ['--http', '--port', 'x'],
  ['--http='],
])('refuses %s %s %s', async (...args) => {
  await expect(serve(createSampleServer().server, { args })).rejects.toThrow(
    /--http .* is not a port: use 0 to 65535/,
  )
})

test('says in one line what is wrong with a command line, and ends', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  const { argv } = process
  process.argv = ['node', 'sample.js', '--http=abc']

  try {
    await expect(serve(createSampleServer().server)).rejects.toThrow('exit 2')
    expect(log.mock.calls).toEqual([['sample: --http abc is not a port: use 0 to 65535']])
  } finally {
    process.argv = argv
    log.mockRestore()
    exit.mockRestore()
  }
})

test.each([
  [true, 1],
  [false, 0],
])('where stdin is a terminal (%s) it says what it waits for', async (isTTY, lines) => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const input = vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never)

  try {
    await using service = await serve(createSampleServer().server, {
      args: [],
      stdio: { output: new PassThrough(), ownsProcess: false },
    })
    expect(log.mock.calls).toHaveLength(lines)
    expect(service.drain).toBeDefined()
  } finally {
    log.mockRestore()
    input.mockRestore()
  }
})

test('what is public is refused here as well', async () => {
  const args = ['--http', '0', '--host', '0.0.0.0']

  await expect(serve(createSampleServer().server, { args })).rejects.toThrow(/needs url/)
})
