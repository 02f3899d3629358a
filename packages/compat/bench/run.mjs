#!/usr/bin/env node
/**
 * The same unmodified programs on the official SDK and on this package: CPU time of their process, in turns.
 *
 * `node packages/compat/bench/run.mjs [ROUNDS]` prints the medians and their ratio. Build first.
 */

import { fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { argv, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const rounds = Number(argv[2] ?? 5)
const register = new URL('../dist/register.js', import.meta.url).href
const program = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url))
const imports = (/** @type {string} */ sdk) => (sdk === 'parley' ? ['--import', register] : [])
const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
}
const call = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello' } } }

/** CPU microseconds of a process so far. @param {number} pid */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Resident bytes. @param {number} pid */
function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** @param {string} name @param {string} sdk */
async function startStdio(name, sdk) {
  const child = spawn(execPath, [...imports(sdk), program(name)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pid = child.pid ?? 0
  /** @type {Map<number, () => void>} */
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line)
    waiting.get(id)?.()
    waiting.delete(id)
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
  const { pid, request, end } = await startStdio(name, sdk)
  await inFlight(total / 2, width, () => request(message))
  const before = cpuOf(pid)
  await inFlight(total, width, () => request(message))
  const spent = cpuOf(pid) - before
  end()
  return spent / total
}

/** @param {string} path */
const http = (path) => async (/** @type {string} */ sdk) => {
  const child = fork(program('http'), [], { execArgv: imports(sdk) })
  const port = await new Promise((resolve) => child.once('message', resolve))
  const url = `http://127.0.0.1:${port}${path}`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = (/** @type {object} */ message, more = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
  const opened = await post(initialize)
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const once = async () => (await post(call, session)).text()
  await inFlight(500, 8, once)
  const before = cpuOf(child.pid ?? 0)
  await inFlight(1_500, 8, once)
  const spent = cpuOf(child.pid ?? 0) - before
  child.kill()
  return spent / 1_500
}

/** @param {(pid: number) => number} read */
const started = (read) => async (/** @type {string} */ sdk) => {
  const { pid, end } = await startStdio('low-level', sdk)
  const value = read(pid)
  end()
  return value
}

/** @type {[name: string, unit: string, measure: (sdk: string) => Promise<number>][]} */
const cases = [
  ['stdio, low-level server, 64 in flight', 'µs', stdio('low-level', call, 64, 20_000)],
  ['stdio, low-level server, 1 in flight', 'µs', stdio('low-level', call, 1, 5_000)],
  ['stdio, McpServer with Zod, 64 in flight', 'µs', stdio('tools', call, 64, 20_000)],
  ['stdio, tools/list of 20 with Zod', 'µs', stdio('tools', { method: 'tools/list' }, 8, 3_000)],
  ['HTTP, Express with sessions', 'µs', http('/mcp')],
  ['HTTP, Express that only answers', 'µs', http('/floor')],
  ['start of a low-level server, with the loader', 'µs', started(cpuOf)],
  ['memory of a low-level server after its start', 'bytes', started(memoryOf)],
]

console.log('| | official | parley | ratio |\n|---|---|---|---|')
for (const [name, unit, measure] of cases) {
  /** @type {Record<string, number[]>} */
  const values = { official: [], parley: [] }
  for (let round = 0; round < rounds; round++) {
    for (const sdk of round % 2 === 0 ? ['official', 'parley'] : ['parley', 'official']) {
      values[sdk]?.push(await measure(sdk))
    }
  }
  const [official = 0, parley = 0] = [values['official'], values['parley']].map((all) =>
    median(all ?? []),
  )
  console.log(
    `| ${name}, ${unit} | ${format(official)} | ${format(parley)} | ${(official / parley).toFixed(1)} |`,
  )
}

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** @param {number} value */
function format(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
}
