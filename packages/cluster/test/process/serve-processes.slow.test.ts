import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { execPath, kill } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const fixture = fileURLToPath(new URL('../fixtures/serve-processes.mjs', import.meta.url))

/** A program, the lines it has printed, and its exit code. */
function start(args: readonly string[], options: { readonly cwd?: string } = {}) {
  const program = spawn(execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(program.stdout).on('line', (line) => lines.push(line))
  createInterface(program.stderr).on('line', (line) => lines.push(line))
  const ended = once(program, 'exit') as Promise<[number | null]>
  const of = (part: string) => lines.filter((line) => line.startsWith(`${part} `))
  return { program, lines, ended, of }
}

const freshConnections: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' },
  })

async function pidsOf(url: string): Promise<ReadonlySet<string>> {
  const client = await connect(url, { fetch: freshConnections, protocolVersion: 'legacy' })
  const pids = new Set<string>()
  for (let call = 0; call < 12; call += 1) {
    pids.add(JSON.stringify((await client.callTool('pid', {})).content))
  }
  await client.close()
  return pids
}

test('one call serves from several processes, and its service stands for all of them', async () => {
  const { program, lines, ended, of } = start([fixture, '2'])
  await expect.poll(() => of('parent').length).toBe(1)
  const [, , url = ''] = of('parent')[0]?.split(' ') ?? []
  await expect.poll(() => of('child').length).toBe(2)
  expect(of('child').every((line) => line.endsWith(url))).toBe(true)

  expect((await pidsOf(url)).size).toBe(2)
  await expect.poll(() => of('health').at(-1)).toContain('"ready":true')

  const victim = Number(of('child')[0]?.split(' ')[1])
  kill(victim, 'SIGKILL')
  await expect.poll(() => of('child').length).toBe(3)
  expect(lines).toContain(`process ${victim} ended with SIGKILL; starting another`)
  expect((await pidsOf(url)).size).toBe(2)

  const client = await connect(url)
  const slow = client.callTool('sleep', {})
  await expect.poll(() => of('health').at(-1)).toContain('"inFlight":1')
  program.kill('SIGTERM')
  expect(await slow).toMatchObject({ content: [{ text: 'slept' }] })
  await client.close()
  expect(await ended).toEqual([0, null])
  expect(lines).toContain('parent closed')
  expect(of('child').filter((line) => line === 'child closed')).toHaveLength(2)
})

test('an HTTP+SSE client is answered by the process that has its stream, wherever it posts [R1105-05]', async () => {
  const { of } = start([fixture, '2'])
  await expect.poll(() => of('parent').length).toBe(1)
  const [, , url = ''] = of('parent')[0]?.split(' ') ?? []

  for (let turn = 0; turn < 4; turn += 1) {
    const client = await connect({ url: `${url}/sse`, type: 'sse' })
    const pids = new Set<string>()
    for (let call = 0; call < 4; call += 1) {
      pids.add(JSON.stringify((await client.callTool('pid', {})).content))
    }
    await client.close()
    expect(pids.size).toBe(1)
  }
})

test('Ctrl-C, which every process hears, lets calls finish', async () => {
  const { program, ended, of } = start([fixture, '2'])
  await expect.poll(() => of('parent').length).toBe(1)
  const [, , url = ''] = of('parent')[0]?.split(' ') ?? []
  const client = await connect(url)
  const slow = client.callTool('sleep', {})
  await expect.poll(() => of('health').at(-1)).toContain('"inFlight":1')

  for (const line of of('child')) kill(Number(line.split(' ')[1]), 'SIGINT')
  program.kill('SIGINT')

  expect(await slow).toMatchObject({ content: [{ text: 'slept' }] })
  await client.close()
  expect(await ended).toEqual([0, null])
})

test('one process is this one', async () => {
  const { program, ended, of } = start([fixture, '1'])
  await expect.poll(() => of('parent').length).toBe(1)

  expect(of('child')).toEqual([])
  program.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})

test('auto is one for each core', async () => {
  const { program, ended, of } = start([fixture, 'auto'])
  const count = availableParallelism()

  // Each process writes its line by itself: that of the parent may be read before the last one of a child.
  await expect
    .poll(() => [of('parent').length, of('child').length])
    .toEqual([1, count === 1 ? 0 : count])
  program.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})

test('a program that cannot serve ends with what is wrong, instead of being started again', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo // it listens on a port

  const { ended, lines } = start([fixture, '2', String(port)])

  expect((await ended)[0]).toBe(1)
  const printed = lines.join('\n')
  expect(printed).toContain(`cannot listen on 127.0.0.1:${port}`)
  expect(printed).toMatch(
    /process \d+ ended with code 1 before it served; what it printed says why/,
  )
})

test.each(['0', '1025', '1.5', 'many'])('%s processes are refused at once', async (count) => {
  const { ended, lines } = start([fixture, count])

  expect((await ended)[0]).toBe(1)
  expect(lines.join('\n')).toContain("is out of range: use 1 to 1024, or 'auto' for one per core")
})

test('without the package @parley/cluster the error says how to install it', async () => {
  const mcp = fileURLToPath(new URL('../../../mcp', import.meta.url))
  const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
  const cwd = folderWith({ 'package.json': '{"type":"module"}' })
  mkdirSync(join(cwd, 'node_modules', '@parley'), { recursive: true })
  symlinkSync(mcp, join(cwd, 'node_modules', '@parley', 'mcp'), 'junction')
  symlinkSync(
    join(modules, 'eventsource-parser'),
    join(cwd, 'node_modules', 'eventsource-parser'),
    'junction',
  )
  const program = join(cwd, 'program.js')
  writeFileSync(
    program,
    `import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
const server = createServer({ name: 'clock', version: '1.0.0' })
await serveHttp(server, { port: 0, processes: 2 }).catch((error) => console.log(error.code, error.message, '-', error.hint))
`,
  )
  const { ended, lines } = start(['--preserve-symlinks', '--preserve-symlinks-main', program], {
    cwd,
  })
  await ended

  expect(lines).toContain(
    'unsupported_runtime serving from several processes needs the package @parley/cluster - npm install @parley/cluster',
  )
})
