#!/usr/bin/env node
/**
 * `npm start`: opens the Inspector on the everything server, with the other reference servers beside it. Also walks
 * through the protocol in the terminal, or only serves.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process, { argv, env, execPath, exit } from 'node:process'
import { parseArgs } from 'node:util'

import { root } from './source-files.mjs'

const usage = `npm start -- [options]

Opens the Inspector in the browser, connected to the everything server. The other reference servers are beside it.

  --port N     of the page (default: 6274, or the next that is free)
  --no-open    print the address and open no browser
  --cluster N  serve the everything server from N processes behind a balancer, to kill one and see that nothing happens
  --help       this text

instead of the Inspector:
  --tour       walk through the protocol in the terminal, then end
    --fast       do not wait between the parts
    --frames     show messages in full
    --revision R in this revision of the protocol (default: the newest)
  --serve      serve the everything server over HTTP (--port; default: PORT, or 3001)
`

const values = readOptions()

const program = (/** @type {string} */ server, /** @type {string} */ name) =>
  join(root, `servers/${server}/dist/${name}.js`)

if (values.help) console.log(usage)
else if (!existsSync(program('everything', 'main'))) {
  fail('the everything server is not built: run npm run build')
} else if (values.tour) exit(await run(program('everything', 'demo'), tourOptions()))
else if (values.serve) {
  await portOf()
  exit(await run(program('everything', 'main'), ['streamableHttp']))
} else await inspect()

function readOptions() {
  try {
    const { values: found } = parseArgs({
      args: argv.slice(2),
      options: {
        port: { type: 'string' },
        cluster: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        tour: { type: 'boolean', default: false },
        fast: { type: 'boolean', default: false },
        frames: { type: 'boolean', default: false },
        revision: { type: 'string' },
        serve: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return found
  } catch (error) {
    // What follows the first sentence is about programs that take words.
    const [said = ''] = String(error instanceof Error ? error.message : error).split('. ')
    return fail(said, 'npm start -- --help lists the options.')
  }
}

/**
 * Ends with what is wrong and what to do, and no stack.
 *
 * @param {string} message
 * @param {string} [hint]
 * @returns {never}
 */
function fail(message, hint) {
  console.error(`error: ${message}`)
  if (hint !== undefined) console.error(hint)
  return exit(1)
}

/** The port that was named, checked as `parley` checks its own. */
async function portOf() {
  if (values.port === undefined) return undefined
  const { readPort } = await import('@parley/foundation/command-line')
  try {
    return readPort(values.port)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

/** How many processes were asked for. */
function processesOf() {
  if (values.cluster === undefined) return undefined
  const count = Number(values.cluster)
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count
  return fail(`--cluster ${values.cluster} is out of range: use 1 to 64 processes`)
}

async function inspect() {
  const port = await portOf()
  const processes = processesOf()
  const cluster = processes === undefined ? undefined : await openCluster(processes)
  const { startInspector } = await import('@parley/inspector')
  const { diagnose, followKeys, keysHint, openCatalogueBy } = await import('@parley/cli')
  const { portInUse } = await import('@parley/foundation/command-line')
  const starting = startInspector({
    servers: servers(cluster?.url),
    noOpen: values['no-open'],
    diagnose,
    openCatalogue: openCatalogueBy(process.env),
    ...(port !== undefined && { port }),
  })
  const inspector = await starting.catch((/** @type {unknown} */ error) => {
    const taken = portInUse(error)
    if (taken === undefined) throw error
    return fail(taken.message, taken.hint)
  })
  const keysLine = process.stdin.isTTY ? `\n  ${keysHint}` : ''
  console.log(`
  Parley Inspector   ${inspector.url}

  The everything server is connected. The link works once, in one browser; Ctrl-C stops everything.${keysLine}
`)
  if (cluster) console.log(`${aboutCluster(cluster)}\n`)
  const keys = followKeys({
    inspector,
    stdin: process.stdin,
    print: (line) => console.log(`  ${line}`),
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      keys?.[Symbol.dispose]()
      void Promise.all([inspector.close(), cluster?.close()]).then(() => exit(0))
    })
  }
}

/** @param {number} processes */
async function openCluster(processes) {
  const { startCluster } = await import('./start-cluster.mjs')
  return startCluster(processes, (line) => console.log(`  ${line}`))
}

/** What runs, and what to try. @param {import('./start-cluster.mjs').StartedCluster} cluster */
function aboutCluster({ url, about, pids }) {
  const all = pids()
  return `  ${all.length} processes behind ${url}: ${all.join(', ')}
  They share ${about}.
  Every answer says which process it came from. Kill one and go on: kill -9 ${all[0]}`
}

/**
 * The reference servers on things of their own, below the ignored folder of this clone.
 *
 * @param {string} [everythingUrl] where the everything server is reached, if it is not to be started
 */
function servers(everythingUrl) {
  const place = join(root, '.parley/start')
  const folder = join(place, 'files')
  mkdirSync(folder, { recursive: true })
  /** @type {readonly (readonly [string, ...string[]])[]} */
  const others = [
    ['filesystem', folder],
    ['fetch'],
    ['git', '--repository', root],
    ['memory'],
    ['sequential-thinking'],
    ['time'],
  ]
  return [
    { name: 'everything', entry: everythingEntry(), connect: true },
    ...others.map(([name, ...args]) => ({ name, entry: entryOf(name, args) })),
  ]

  function everythingEntry() {
    if (everythingUrl === undefined) return entryOf('everything', ['stdio', '--extras'])
    return /** @type {const} */ ({ type: 'http', url: everythingUrl })
  }

  /** @param {string} name @param {readonly string[]} args */
  function entryOf(name, args) {
    const ours = { MEMORY_FILE_PATH: join(place, 'memory.jsonl') }
    return {
      command: execPath,
      args: [program(name, 'main'), ...args],
      env: name === 'memory' ? ours : {},
    }
  }
}

function tourOptions() {
  return [
    ...(values.fast ? ['--fast'] : []),
    ...(values.frames ? ['--frames'] : []),
    ...(values.revision === undefined ? [] : ['--revision', values.revision]),
  ]
}

/**
 * Resolves with its exit code.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function run(file, args) {
  const child = spawn(execPath, [file, ...args], {
    stdio: 'inherit',
    env: { ...env, ...(values.port !== undefined && { PORT: values.port }) },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => child.kill(signal))
  }
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}
