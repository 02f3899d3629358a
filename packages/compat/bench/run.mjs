#!/usr/bin/env node
/**
 * The same unmodified programs on the official SDK and on this package: CPU time of their process, in turns.
 *
 * `node packages/compat/bench/run.mjs [ROUNDS [WORD]]` prints the medians, their ratio, and beside it the ratio of what is left without what any
 * program costs that reads, parses, answers and writes. Build first. Each package is installed in a folder of its own under the name of
 * the official one, as users have it.
 */

import { execFile, fork, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { argv, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const rounds = Number(argv[2] ?? 5)
/** Only rows with this word. */
const word = argv[3] ?? ''
const here = dirname(fileURLToPath(import.meta.url))
const modules = join(here, '../../../node_modules')
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const sources = {
  official: join(modules, '@modelcontextprotocol/sdk'),
  parley: dirname(here),
}
for (const [sdk, source] of Object.entries(sources)) {
  mkdirSync(join(folder, sdk, 'node_modules/@modelcontextprotocol'), { recursive: true })
  symlinkSync(source, join(folder, sdk, 'node_modules/@modelcontextprotocol/sdk'))
  for (const name of ['zod', 'express']) {
    symlinkSync(join(modules, name), join(folder, sdk, 'node_modules', name))
  }
  cpSync(join(here, 'programs'), join(folder, sdk), { recursive: true })
}
const program = (/** @type {string} */ sdk, /** @type {string} */ name) =>
  join(folder, sdk, `${name}.mjs`)

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
}
const call = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello' } } }

/** CPU microseconds of a process so far, of all its threads. @param {number} pid */
function cpuOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => {
    const [spent] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(spent) / 1_000
  }, 0)
}

/** Resident megabytes. @param {number} pid */
function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000
}

/** @param {string} sdk @param {string} name */
async function startStdio(sdk, name) {
  const child = spawn(execPath, [program(sdk, name)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const pid = child.pid ?? 0
  /** @type {Map<number, () => void>} */
  const waiting = new Map()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id } = JSON.parse(line)
      waiting.get(id)?.()
      waiting.delete(id)
    }
  })
  let id = 0
  /** @param {object} message @returns {Promise<void>} */
  const request = (message) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    })
  await request(initialize)
  return { pid, request, end: () => child.kill() }
}

/** @param {number} total @param {number} width @param {() => Promise<unknown>} work */
async function inFlight(total, width, work) {
  let left = total
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await work()
    }),
  )
}

/** @param {string} name @param {object} message @param {number} width @param {number} total */
const stdio = (name, message, width, total) => async (/** @type {string} */ sdk) => {
  const { pid, request, end } = await startStdio(sdk, name)
  await inFlight(total / 2, width, () => request(message))
  const before = cpuOf(pid)
  await inFlight(total, width, () => request(message))
  const spent = cpuOf(pid) - before
  end()
  return spent / total
}

/** Whole calls, or what they cost more than the same Express costs that only answers, in one process. @param {boolean} isLessFloor */
const http = (isLessFloor) => async (/** @type {string} */ sdk) => {
  const child = fork(program(sdk, 'http'))
  const port = await new Promise((resolve) => child.once('message', resolve))
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  /** @param {string} path @param {object} message @param {object} [more] @returns {Promise<any>} */
  const post = (path, message, more = {}) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json, text/event-stream',
        ...more,
      }
      const outgoing = httpRequest({ agent, port, path, method: 'POST', headers }, (response) => {
        response.resume().once('end', () => resolve(response.headers))
      })
      outgoing.once('error', reject).end(body)
    })
  const opened = await post('/mcp', initialize)
  const session = { 'mcp-session-id': opened['mcp-session-id'] }
  const measure = async (/** @type {string} */ path) => {
    const before = cpuOf(child.pid ?? 0)
    await inFlight(300, 8, () => post(path, call, session))
    return (cpuOf(child.pid ?? 0) - before) / 300
  }
  /** @type {number[]} */
  const costs = []
  for (let round = 0; round < 8; round++) {
    const whole = await measure('/mcp')
    const floor = isLessFloor ? await measure('/floor') : 0
    // The first two warm up.
    if (round > 1) costs.push(whole - floor)
  }
  child.kill()
  agent.destroy()
  return median(costs)
}

/** The client measures itself. @param {string} sdk */
async function client(sdk) {
  const { stdout } = await promisify(execFile)(execPath, [program(sdk, 'client')])
  return Number(stdout)
}

/** @param {string} name @param {(pid: number) => number} read */
const started = (name, read) => async (/** @type {string} */ sdk) => {
  const { pid, request, end } = await startStdio(sdk, name)
  await request(call)
  const value = read(pid)
  end()
  return value
}

/** @param {number} pid */
const milliseconds = (pid) => cpuOf(pid) / 1_000

/** @type {[name: string, unit: string, measure: (sdk: string) => Promise<number>, floor?: string][]} */
const cases = [
  ['bare program, 64 in flight', 'µs', stdio('echo', call, 64, 20_000)],
  ['bare program, 1 in flight', 'µs', stdio('echo', call, 1, 5_000)],
  [
    'stdio, low-level server, 64 in flight',
    'µs',
    stdio('low-level', call, 64, 20_000),
    'bare program, 64 in flight',
  ],
  [
    'stdio, low-level server, 1 in flight',
    'µs',
    stdio('low-level', call, 1, 5_000),
    'bare program, 1 in flight',
  ],
  [
    'stdio, McpServer with Zod, 64 in flight',
    'µs',
    stdio('tools', call, 64, 20_000),
    'bare program, 64 in flight',
  ],
  ['stdio, tools/list of 20 with Zod', 'µs', stdio('tools', { method: 'tools/list' }, 8, 3_000)],
  ['stdio, client, 32 in flight', 'µs', client],
  ['HTTP, Express with sessions', 'µs', http(false)],
  ['HTTP, less an Express that only answers', 'µs', http(true)],
  ['empty program, start to first answer', 'ms', started('echo', milliseconds)],
  [
    'start to first answer of a low-level server',
    'ms',
    started('low-level', milliseconds),
    'empty program, start to first answer',
  ],
  [
    'start to first answer of an McpServer with Zod',
    'ms',
    started('tools', milliseconds),
    'empty program, start to first answer',
  ],
  ['memory of an empty program', 'MB', started('echo', memoryOf)],
  [
    'memory of a low-level server',
    'MB',
    started('low-level', memoryOf),
    'memory of an empty program',
  ],
]

console.log('| | official | parley | ratio | without the floor |\n|---|---|---|---|---|')
/** @type {Map<string, { official: number, parley: number }>} */
const medians = new Map()
for (const [name, unit, measure, floorName] of cases) {
  if (!name.includes(word)) continue
  /** @type {Record<string, number[]>} */
  const values = { official: [], parley: [] }
  for (let round = 0; round < rounds; round++) {
    for (const sdk of round % 2 === 0 ? ['official', 'parley'] : ['parley', 'official']) {
      values[sdk]?.push(await measure(sdk))
    }
  }
  const official = median(values['official'] ?? [])
  const parley = median(values['parley'] ?? [])
  medians.set(name, { official, parley })
  const floor = floorName === undefined ? undefined : medians.get(floorName)
  const without = floor ? (official - floor.official) / (parley - floor.parley) : undefined
  console.log(
    `| ${name}, ${unit} | ${format(official)} | ${format(parley)} | ${(official / parley).toFixed(1)} | ${without?.toFixed(1) ?? ''} |`,
  )
}
rmSync(folder, { recursive: true, force: true })

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** @param {number} value */
function format(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
}
