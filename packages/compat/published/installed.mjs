#!/usr/bin/env node
/**
 * Installs this package with npm as its users do, from a registry on this machine, and runs and compiles programs on it.
 *
 * `node packages/compat/published/installed.mjs`. Build first; needs the npm registry for all other packages. With `PARLEY_OFFICIAL_SDK`,
 * a checkout as in `official/run.mjs`, the examples of the official SDK are compiled too. Prints `N passed, N failed`.
 */

import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { env, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

import { packAll } from '../../../scripts/packages/stage.mjs'
import { serveTarballs } from '../../../scripts/packages/tarball-registry.mjs'
import { recordTranscript } from './transcript.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'parley-installed-'))
const alias = 'npm:@parley/compat@1'
const sdk = '@modelcontextprotocol/sdk'
/** Published programs whose TypeScript sources are in the package. */
const typed = [
  '@launchdarkly/mcp-server@0.6.2',
  '@microsoft/clarity-mcp-server@2.0.1',
  '@notionhq/notion-mcp-server@2.5.2',
]
/** A published server for the official SDK 1.25. */
const server = 'time-mcp@1.0.6'

/** @type {import('./transcript.mjs').PublishedServer['calls']} */
const calls = [
  ['days_in_month', { date: '2024-02-10' }],
  ['get_week_year', { date: '2025-03-23' }],
]

/** @type {unknown} */
let official

const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
await packAll(join(folder, 'packed'), root, ['@parley/mcp', '@parley/compat'])
const registry = await serveTarballs(join(folder, 'packed'), upstream)
const npm = {
  npm_config_registry: registry.registry,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}

let passed = 0
let failed = 0
try {
  await check('a program that is installed under the alias runs, by import and require', ownProgram)
  await check('its declarations compile without skipLibCheck', declarations)
  await check('a dependency gets this package by an override', dependency)
  await check('npx runs a published server on this package', npxRun)
  await check('NODE_OPTIONS puts this package into any program', nodeOptions)
  for (const name of typed)
    await check(`${name} compiles with the same errors`, () => compileProgram(name))
  if (env['PARLEY_OFFICIAL_SDK'])
    await check('the official examples compile with the same errors', examples)
} finally {
  registry.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
exit(failed === 0 ? 0 : 1)

/** @param {string} name @param {() => Promise<string | void>} body */
async function check(name, body) {
  try {
    const note = await body()
    passed++
    console.log(`✓ ${name}${note ? `: ${note}` : ''}`)
  } catch (error) {
    failed++
    console.log(
      `✗ ${name}: ${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`,
    )
  }
}

/** A project with what it depends on, installed. @param {string} name @param {object} manifest */
async function project(name, manifest) {
  const directory = join(folder, name)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, ...manifest }))
  await run('npm', ['install', '--ignore-scripts', '--no-package-lock'], {
    cwd: directory,
    env: npm,
  })
  return directory
}

async function aliased() {
  const directory = join(folder, 'own')
  if (existsSync(directory)) return directory
  return project('own', { dependencies: { [sdk]: alias, zod: '4', '@types/node': '20' } })
}

async function ownProgram() {
  const directory = await aliased()
  const { name } = JSON.parse(
    readFileSync(join(directory, 'node_modules', sdk, 'package.json'), 'utf8'),
  )
  expectEqual(name, '@parley/compat')
  writeFileSync(
    join(directory, 'program.mjs'),
    `import { createRequire } from 'node:module'
    import { Client } from '${sdk}/client/index.js'
    import { InMemoryTransport } from '${sdk}/inMemory.js'
    import { McpServer } from '${sdk}/server/mcp.js'
    import { z } from 'zod'
    const require = createRequire(import.meta.url)
    for (const [C, S, M] of [
      [Client, McpServer, InMemoryTransport],
      [require('${sdk}/client/index.js').Client, require('${sdk}/server/mcp.js').McpServer, require('${sdk}/inMemory.js').InMemoryTransport],
    ]) {
      const server = new S({ name: 's', version: '1' })
      server.registerTool('add', { inputSchema: { a: z.number() } }, ({ a }) => ({ content: [{ type: 'text', text: String(a + 1) }] }))
      const [one, other] = M.createLinkedPair()
      const client = new C({ name: 'c', version: '1' })
      await Promise.all([server.connect(one), client.connect(other)])
      console.log((await client.callTool({ name: 'add', arguments: { a: 1 } })).content[0].text)
    }`,
  )
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: directory })
  expectEqual(stdout, '2\n2\n')
}

async function declarations() {
  const directory = await aliased()
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/compat/package.json'), 'utf8'))
  const paths = Object.keys(exports).map((path) => `import '${sdk}${path.slice(1)}'`)
  writeFileSync(join(directory, 'all.mts'), paths.join('\n'))
  writeFileSync(join(directory, 'all.cts'), paths.join('\n'))
  // The official package asks for the same types of others.
  await run(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-package-lock',
      '@types/express@5',
      '@cfworker/json-schema@4',
    ],
    { cwd: directory, env: npm },
  )
  const errors = await typeErrors(directory, ['all.mts', 'all.cts'], [])
  expectEqual(errors, [])
}

async function dependency() {
  const directory = await project('dependency', {
    dependencies: { 'time-mcp': server.split('@')[1], [sdk]: alias },
    overrides: { [sdk]: `$${sdk}` },
  })
  if (existsSync(join(directory, 'node_modules/time-mcp/node_modules', sdk)))
    throw new Error('it has a copy of its own')
  await expectOfficialAnswers(
    await recordTranscript(
      { file: join(directory, 'node_modules/time-mcp/dist/index.js'), calls },
      'official',
    ),
  )
}

async function npxRun() {
  const directory = join(folder, 'npx')
  mkdirSync(directory, { recursive: true })
  const transcript = await recordTranscript(
    {
      command: 'npx',
      args: ['-y', '@parley/compat', 'run', server],
      env: { ...npm, npm_config_cache: join(directory, 'cache') },
      cwd: directory,
      calls,
    },
    'official',
  )
  await expectOfficialAnswers(transcript)
}

async function nodeOptions() {
  const directory = await project('options', {
    dependencies: { 'time-mcp': server.split('@')[1], '@parley/compat': '1', zod: '4' },
  })
  const transcript = await recordTranscript(
    {
      file: join(directory, 'node_modules/time-mcp/dist/index.js'),
      env: { NODE_OPTIONS: '--import=@parley/compat/register' },
      cwd: directory,
      calls,
    },
    'official',
  )
  await expectOfficialAnswers(transcript)
}

/** @param {unknown} transcript */
async function expectOfficialAnswers(transcript) {
  official ??= await recordTranscript(
    {
      file: join(
        await project('official-server', {
          dependencies: { 'time-mcp': server.split('@')[1], [sdk]: '1.32.2' },
          overrides: { [sdk]: `$${sdk}` },
        }),
        'node_modules/time-mcp/dist/index.js',
      ),
      calls,
    },
    'official',
  )
  if (!isDeepStrictEqual(transcript, official)) throw new Error('it answered differently')
}

/** @param {string} name */
async function compileProgram(name) {
  const bare = name.replace(/(.)@[^/]*$/, '$1')
  /** @type {string[][]} */
  const found = []
  for (const version of ['1.32.2', alias]) {
    const directory = await project(`${bare.replaceAll('/', '-')}-${found.length}`, {
      dependencies: { [bare]: name.slice(bare.length + 1), [sdk]: version, '@types/node': '20' },
      overrides: { [sdk]: `$${sdk}` },
    })
    cpSync(join(directory, 'node_modules', bare), join(directory, 'program'), {
      recursive: true,
      filter: (path) =>
        !path.endsWith('node_modules', path.length) ||
        path === join(directory, 'node_modules', bare),
    })
    const { stdout } = await run(
      'sh',
      [
        '-c',
        "find program -name '*.ts' ! -name '*.d.ts' ! -path '*/node_modules/*' ! -path '*test*'",
      ],
      { cwd: directory },
    )
    const sources = stdout.trim().split('\n')
    found.push(await typeErrors(directory, sources, ['--skipLibCheck']))
  }
  const [before = [], after = []] = found
  if (after.length !== before.length)
    throw new Error(
      `${after.length} errors instead of ${before.length}: ${after.find((line) => !before.includes(line))}`,
    )
  return `${after.length} errors`
}

async function examples() {
  const checkout = env['PARLEY_OFFICIAL_SDK'] ?? ''
  /** @type {string[][]} */
  const found = []
  for (const version of ['1.32.2', alias]) {
    const directory = await project(`examples-${found.length}`, {
      dependencies: {
        [sdk]: version,
        '@types/node': '20',
        '@types/express': '5',
        '@types/cors': '2',
        '@types/supertest': '7',
        express: '5',
        cors: '2',
        zod: '4',
        vitest: '4.1',
        ajv: '8',
        supertest: '7',
        '@cfworker/json-schema': '4',
        // The official package brings these, and its examples and tests use them.
        hono: '4',
        '@hono/node-server': '1',
        jose: '6',
        'cross-spawn': '7',
        'pkce-challenge': '5',
      },
    })
    for (const entry of ['src', 'test'])
      cpSync(join(checkout, entry), join(directory, entry), { recursive: true })
    const { stdout } = await run(
      'sh',
      ['-c', "find src -name '*.ts' ! -path 'src/examples/*' ! -path 'src/__*'"],
      { cwd: directory },
    )
    for (const file of stdout.trim().split('\n')) {
      writeFileSync(
        join(directory, file),
        `export * from '${sdk}/${file.slice(4).replace(/\.ts$/, '.js')}'\n`,
      )
    }
    const files = await run('sh', ['-c', "find src/examples test -name '*.ts'"], { cwd: directory })
    found.push(
      await typeErrors(directory, files.stdout.trim().split('\n'), [
        '--skipLibCheck',
        '--types',
        'node,vitest/globals',
      ]),
    )
  }
  const [before = [], after = []] = found
  const added = after.filter((line) => !before.includes(line))
  if (added.length > 0)
    throw new Error(`${after.length} errors instead of ${before.length}:\n${added.join('\n')}`)
  return `${after.length} errors, ${before.length} with the official package`
}

/** The errors of a compilation. @param {string} cwd @param {readonly string[]} files @param {readonly string[]} options */
async function typeErrors(cwd, files, options) {
  const args = [
    tsc,
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
    ...options,
    ...files,
  ]
  const { stdout } = await run(process.execPath, args, { cwd, mayFail: true })
  return stdout
    .replaceAll(cwd, '')
    .split('\n')
    .filter((line) => line.includes('error TS'))
}

/** @param {unknown} value @param {unknown} expected */
function expectEqual(value, expected) {
  if (!isDeepStrictEqual(value, expected))
    throw new Error(`${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`)
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: object, mayFail?: boolean }} [options]
 * @returns {Promise<{ stdout: string }>}
 */
function run(command, args, { cwd = dirname(tsc), env: more = {}, mayFail = false } = {}) {
  const options = { cwd, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error && !mayFail)
        reject(new Error(`${command} ${args.join(' ')}: ${stderr || stdout || error.message}`))
      else resolve({ stdout })
    })
  })
}
