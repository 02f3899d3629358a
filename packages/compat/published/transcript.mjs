/**
 * Talks to a server over stdio in one fixed order, and keeps what it answers: to compare the same server on two packages.
 *
 * Lists what there is, calls two tools, makes every mistake once and sends a notification. `run.mjs` compares packages that it installs,
 * the tests those of `servers.mjs`.
 */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Makes a server use `@parley/compat`. */
const register = new URL('../dist/register.js', import.meta.url).href

/**
 * @typedef {object} PublishedServer
 * @property {string} [file] a program that runs with this Node
 * @property {string} [command] another program
 * @property {readonly string[]} [args]
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string>>} [env]
 * @property {readonly (readonly [tool: string, args: object])[]} [calls] Two of the tools that say they change nothing without it.
 */

/**
 * Returns everything a server answered, request by request, with the notifications that came meanwhile.
 *
 * @param {PublishedServer} server
 * @param {'official' | 'parley'} sdk
 * @returns {Promise<any[]>}
 */
export async function recordTranscript({ file, command, args = [], cwd, env = {}, calls }, sdk) {
  const imports = sdk === 'parley' ? ['--import', register] : []
  const node = file === undefined ? [] : [...imports, file]
  const child = spawn(command ?? process.execPath, [...node, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.on('error', () => child.kill())
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  /** @type {unknown[]} */
  const transcript = []

  /** @param {object} message */
  const write = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  async function request(method, params) {
    id++
    write(params === undefined ? { id, method } : { id, method, params })
    /** @type {unknown[]} */
    const others = []
    while (true) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${method}: the server ended`)
      // Some servers greet on standard output. Clients leave out what is no message.
      if (!value.startsWith('{')) continue
      const message = JSON.parse(value)
      if (message.id === id && !('method' in message)) {
        transcript.push({ method, params, message, others })
        return message.result
      }
      others.push(message)
      // A server that asks gets the smallest answer.
      if ('method' in message && message.id !== undefined) {
        write({ id: message.id, error: { code: -32601, message: 'Method not found' } })
      }
    }
  }

  try {
    const { capabilities } = await request('initialize', {
      protocolVersion: '2025-11-25',
      // Without roots: some servers ask for them whenever a timer ends.
      capabilities: { sampling: {}, elicitation: {} },
      clientInfo: { name: 'transcript', version: '1.0.0' },
    })
    write({ method: 'notifications/initialized' })
    if (capabilities.logging) await request('logging/setLevel', { level: 'debug' })
    const { tools = [] } = (await request('tools/list')) ?? {}
    await request('resources/list')
    await request('resources/templates/list')
    await request('prompts/list')
    for (const [name, input] of calls ?? harmlessCalls(tools)) {
      const _meta = { progressToken: `p-${name}` }
      await request('tools/call', { name, arguments: input, _meta })
    }
    const refused = calls?.[1]?.[0] ?? tools[0]?.name ?? 'none'
    await request('tools/call', { name: refused, arguments: { wrong: [] } })
    await request('tools/call', { name: 'no such tool' })
    await request('tools/call', {})
    await request('no/such/method')
    write({ method: 'notifications/cancelled', params: { requestId: 'none', reason: 'none' } })
    await request('ping')
    return transcript
  } finally {
    child.stdin.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), 2_000)
    await closed
    clearTimeout(timer)
  }
}

/** Calls of two tools that change nothing, as far as they say; of those that need the least. @param {readonly any[]} tools */
function harmlessCalls(tools) {
  return tools
    .filter(({ name }) => !/delete|remove|exec|kill|write|push|send/i.test(name))
    .toSorted(
      (a, b) => (a.inputSchema.required ?? []).length - (b.inputSchema.required ?? []).length,
    )
    .slice(0, 2)
    .map(({ name, inputSchema }) => [name, argumentsOf(inputSchema)])
}

/** A value for each required field. @param {any} schema */
function argumentsOf({ properties = {}, required = [] }) {
  return Object.fromEntries(
    required.map((/** @type {string} */ name) => [name, valueOf(properties[name] ?? {})]),
  )
}

/** @param {any} schema @returns {unknown} */
function valueOf(schema) {
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return 'a'
  }
}
