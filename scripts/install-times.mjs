#!/usr/bin/env node
/**
 * `node scripts/install-times.mjs [--rounds N] [--alone] [NAME=FOLDER …]`: what our command line costs beside those of others: packages,
 * megabytes on disk, `npx --version` with an empty and a full cache, and one call of a tool of a server that is started for it.
 * Candidates take turns. A folder holds tarballs of `npm run pack`; without one, those of the working tree are packed. `--alone`
 * leaves the others out. The least of N rounds counts (3); on a busy machine even that is too much.
 */

import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { promisify } from 'node:util'

import { packAll } from './packages/stage.mjs'
import { serveTarballs } from './packages/tarball-registry.mjs'
import { programLine } from './program-line.mjs'

/** How the command lines call a tool. @type {Record<string, (server: readonly string[]) => readonly string[]>} */
const calls = {
  '@parley/cli': (server) => ['call', 'echo', 'text=hi', '--', ...server],
  mcporter: (server) => ['call', '--stdio', server.join(' '), 'echo', 'text=hi'],
  '@modelcontextprotocol/inspector': (server) =>
    ['--cli', ...server].concat(
      '--method tools/call --tool-name echo --tool-arg text=hi'.split(' '),
    ),
}

const given = argv.slice(2)
if (given.includes('--help')) {
  console.log('node scripts/install-times.mjs [--rounds N] [--alone] [NAME=FOLDER …]')
  exit(0)
}
const isAlone = given.includes('--alone')
const at = given.indexOf('--rounds')
const rounds = at === -1 ? 3 : Number(given.splice(at, 2)[1])
const work = mkdtempSync(join(tmpdir(), 'parley-times-'))
const upstream = (await step('npm', ['config', 'get', 'registry'])).trim()

const folders = given.filter((word) => word.includes('=')).map((word) => word.split('='))
if (folders.length === 0) {
  await packAll(join(work, 'packed'))
  folders.push(['here', join(work, 'packed')])
}
/** @type {{ name: string, registry: string, wanted: string, close(): void }[]} */
const candidates = []
for (const [name = '', folder = ''] of folders) {
  candidates.push({
    name,
    wanted: '@parley/cli',
    ...(await serveTarballs(resolve(folder), upstream)),
  })
}
for (const wanted of isAlone ? [] : Object.keys(calls).slice(1)) {
  candidates.push({ name: wanted, wanted, registry: upstream, close() {} })
}
const server = join(work, 'server.mjs')
writeFileSync(server, serverText())

/** @type {Map<string, number[]>} */
const times = new Map()
for (let round = 0; round < rounds; round += 1) {
  const bare = performance.now()
  await step(execPath, ['-e', '0'])
  note('node, nothing else', 'call, ms', performance.now() - bare)
  for (const { name, wanted, registry } of candidates) {
    const cache = mkdtempSync(join(work, 'cache-'))
    for (const kind of ['cold', 'warm']) {
      const from = performance.now()
      await step(
        'npx',
        ['--yes', wanted, ...(wanted.includes('inspector') ? ['--cli', '--help'] : ['--version'])],
        {
          npm_config_registry: registry,
          npm_config_cache: cache,
        },
      )
      note(name, `${kind} npx, s`, (performance.now() - from) / 1_000)
    }
    const installed = join(cache, '_npx', readdirSync(join(cache, '_npx'))[0] ?? '')
    if (round === 0) {
      const lock = JSON.parse(readFileSync(join(installed, 'package-lock.json'), 'utf8'))
      note(name, 'packages', Object.keys(lock.packages).filter((path) => path !== '').length)
      note(name, 'MB', sizeOf(installed) / 1e6)
    }
    const folder = join(installed, 'node_modules', wanted)
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const program = join(folder, typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? ''))
    const from = performance.now()
    const output = await step(execPath, [program, ...(calls[wanted]?.([execPath, server]) ?? [])])
    if (!output.includes('said hi')) throw new Error(`${name} did not call the tool: ${output}`)
    note(name, 'call, ms', performance.now() - from)
    rmSync(cache, { recursive: true })
  }
}
for (const { close } of candidates) close()
rmSync(work, { recursive: true, force: true })
const columns = ['packages', 'MB', 'cold npx, s', 'warm npx, s', 'call, ms']
console.log(
  `| |${columns.map((column) => ` ${column} |`).join('')}\n|---|${'---:|'.repeat(columns.length)}`,
)
for (const name of ['node, nothing else', ...candidates.map((candidate) => candidate.name)]) {
  const cells = columns.map((column) => {
    const values = times.get(`${name} ${column}`)
    return values === undefined ? '' : Math.min(...values).toFixed(/MB|, s/.test(column) ? 1 : 0)
  })
  console.log(`| ${name} |${cells.map((cell) => ` ${cell} |`).join('')}`)
}

/** @param {string} name @param {string} column @param {number} value */
function note(name, column, value) {
  const key = `${name} ${column}`
  times.set(key, [...(times.get(key) ?? []), value])
}

/** A server of one tool, on nothing but Node: it is not what is measured. */
function serverText() {
  return `
import { createInterface } from 'node:readline'
const tool = { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text: 'said ' + text }] }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const error = { code: -32601, message: 'method not found' }
  const body = answer ? { result: answer(params) } : { error }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
})
`
}

/** @param {string} path @returns {number} */
function sizeOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) return stats?.size ?? 0
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** @param {string} command @param {readonly string[]} args @param {Readonly<Record<string, string>>} [more] */
async function step(command, args, more = {}) {
  const folder = join(work, 'empty')
  mkdirSync(folder, { recursive: true })
  const { file, args: words } = programLine(command, args, folder)
  const options = { cwd: folder, env: { ...env, ...more }, timeout: 180_000 }
  const running = promisify(execFile)(file, [...words], options)
  running.child.stdin?.end()
  return (await running).stdout
}
