/**
 * What is checked on Node for Windows, below Wine or on Windows itself: `node checks.mjs [TEXT]` in a folder where the packages
 * are installed. Prints one line of JSON for each check. `../windows.mjs` sets everything up and counts.
 */

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, win32 } from 'node:path'
import { argv, env, execPath, exit, kill, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { connect } from '@parley/mcp/client'
import { findProgram, replaceFile, systemProgram } from '@parley/mcp/system'

const require = createRequire(import.meta.url)
const only = argv[2] ?? ''

/** @param {string} name of a package @param {string} [path] in it */
const fileOf = (name, path = 'dist/main.js') =>
  join(import.meta.dirname, 'node_modules', name, path)
const cli = fileOf('@parley/cli')

/** @param {string} name */
const serverEntry = (name, /** @type {string[]} */ ...args) => ({
  command: execPath,
  args: [fileOf(`@parley/server-${name}`), ...args],
})

/** @param {string} [name] */
function newFolder(name = 'check') {
  return fs.realpathSync.native(fs.mkdtempSync(join(tmpdir(), `${name} ü-`)))
}

/** The text of a tool's result. @param {any} result */
const textOf = (result) => result.content.map((/** @type {any} */ one) => one.text ?? '').join('')

/** Runs `parley`. @param {readonly string[]} args @param {{ cwd?: string, env?: Record<string, string> }} [options] */
function parley(args, { cwd = newFolder(), env: more = {} } = {}) {
  const state = join(cwd, 'state')
  const ended = spawnSync(execPath, [cli, ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...env, PARLEY_STATE: state, NO_COLOR: '1', ...more },
  })
  return { code: ended.status, text: `${ended.stdout}${ended.stderr}` }
}

/** Starts `parley` and waits until it has printed a text. @param {readonly string[]} args @param {RegExp} wanted */
async function startParley(args, wanted, cwd = newFolder()) {
  const child = spawn(execPath, [cli, ...args], {
    cwd,
    env: { ...env, PARLEY_STATE: join(cwd, 'state'), NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (said += text))
  }
  const until = Date.now() + 90_000
  while (!wanted.test(said)) {
    if (child.exitCode !== null || Date.now() > until) {
      child.kill()
      throw new Error(`parley ${args.join(' ')} did not say ${wanted}: ${said}`)
    }
    await sleep(50)
  }
  const [match = ''] = wanted.exec(said) ?? []
  return {
    child,
    match,
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

/** @param {number} pid */
async function hasGone(pid, ms = 15_000) {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(100)) {
    if (!isAlive(pid)) return true
  }
  return false
}

/** A server that ignores the end of its input, and a child of it that does too; both write their numbers. */
const stubborn = `
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
writeFileSync(process.argv[2], process.pid + ' ' + child.pid)
setInterval(() => {}, 1000)
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } }))
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
})
`

/** @param {string} file @returns {Promise<number[]>} */
async function pidsIn(file) {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
    if (/^\d+ \d+$/.test(text)) return text.split(' ').map(Number)
  }
  throw new Error(`nothing was written to ${file}`)
}

/** A jail for the filesystem server: `jail` may be changed, `jail\kept read only folder` not, `outside` not even read. */
function newJail() {
  const base = newFolder('jail')
  const jail = join(base, 'jail')
  const kept = join(jail, 'kept read only folder')
  const outside = join(base, 'outside')
  for (const folder of [kept, outside, join(jail, 'Docs', 'deep')]) {
    fs.mkdirSync(folder, { recursive: true })
  }
  fs.writeFileSync(join(outside, 'secret.txt'), 'c0ntent')
  fs.writeFileSync(join(jail, 'readme.md'), 'inside')
  fs.writeFileSync(join(kept, 'file.txt'), 'kept')
  return { base, jail, kept, outside, secret: join(outside, 'secret.txt') }
}

/** @param {{ jail: string, kept: string }} place @param {readonly string[]} [more] */
function openFiles({ jail, kept }, more = []) {
  const enable = ['--enable', 'delete_file', '--enable', 'resources']
  return connect(serverEntry('filesystem', jail, `ro:${kept}`, ...enable, ...more))
}

/** The short name of Windows for something, from its own listing. @param {string} path */
function shortNameOf(path) {
  const listed = spawnSync(systemProgram('cmd'), ['/c', `dir /x "${dirname(path)}"`], {
    encoding: 'utf8',
    windowsVerbatimArguments: true,
  }).stdout
  const line = listed.split(/\r?\n/).find((one) => one.trimEnd().endsWith(basename(path)))
  return /\s(\S+~\S+)\s/.exec(line ?? '')?.[1]
}

/** Closed when the check ends: Node 20 has no `await using`. @type {AsyncDisposable[]} */
const inUse = []

/** @template {AsyncDisposable} Thing @param {Thing} thing */
function use(thing) {
  inUse.push(thing)
  return thing
}

/** @type {[name: string, check: () => unknown][]} */
const checks = []
/** @param {string} name @param {() => unknown} work */
const check = (name, work) => checks.push([name, work])

// --- programs -------------------------------------------------------------------------------------------------------------

/** A folder of a stranger, whose programs say that they were started. */
function plantedFolder() {
  const folder = newFolder('planted')
  const said = join(folder, 'started.txt')
  const trace = join(folder, 'trace.cjs')
  fs.writeFileSync(
    trace,
    `const { basename } = require('node:path')
     const name = basename(process.execPath)
     if (name !== 'node.exe') { require('node:fs').appendFileSync(${JSON.stringify(said)}, name + '\\n'); process.exit(0) }`,
  )
  for (const name of ['taskkill', 'git', 'rundll32', 'npx', 'where', 'cmd', 'powershell']) {
    fs.linkSync(execPath, join(folder, `${name}.exe`))
  }
  const traced = { NODE_OPTIONS: `--require "${trace.replaceAll('\\', '/')}"` }
  return {
    folder,
    traced,
    started: () => (fs.existsSync(said) ? fs.readFileSync(said, 'utf8') : ''),
  }
}

check('the planted programs would say so if they were started', () => {
  const { folder, traced, started } = plantedFolder()
  spawnSync('taskkill', ['/?'], { cwd: folder, env: { ...env, ...traced } })
  spawnSync(join(folder, 'git.exe'), ['status'], { cwd: folder, env: { ...env, ...traced } })
  assert.match(started(), /git\.exe/)
})

check('no program of the working directory is started when servers are listed and ended', () => {
  const { folder, traced, started } = plantedFolder()
  fs.writeFileSync(join(folder, 'stubborn.cjs'), stubborn)
  const line = ['list', '--', execPath, join(folder, 'stubborn.cjs'), join(folder, 'pids')]
  parley(line, { cwd: folder, env: traced })
  assert.equal(started(), '')
})

check('no program of the working directory is started by add and inspect', async () => {
  const { folder, traced, started } = plantedFolder()
  parley(['add', 'nothing/there', '--registry', 'http://127.0.0.1:9'], { cwd: folder, env: traced })
  const { openBrowser } = await import('@parley/auth/node')
  const before = import.meta.dirname
  process.chdir(folder)
  try {
    await openBrowser(new URL('http://127.0.0.1:9/')).catch(() => undefined)
  } finally {
    process.chdir(before)
  }
  assert.equal(started(), '')
})

check(
  'a bare name is not taken from the working directory, nor from a relative folder of PATH',
  async () => {
    const { folder } = plantedFolder()
    fs.mkdirSync(join(folder, 'bin'))
    fs.writeFileSync(join(folder, 'bin', 'server.cmd'), '@echo off\r\n')
    fs.writeFileSync(join(folder, 'planted-server.cmd'), '@echo off\r\n')
    const PATH = `.;bin;${env['PATH']}`
    for (const command of ['server', 'planted-server', 'planted-server.cmd']) {
      assert.equal(
        findProgram(command, { cwd: folder, env: { ...env, Path: PATH } }).kind,
        'missing',
      )
      await assert.rejects(connect({ command, cwd: folder, env: { PATH } }), {
        code: 'spawn_failed',
      })
    }
  },
)

check('programs of Windows are found in System32', () => {
  for (const name of ['taskkill', 'rundll32', 'cmd'])
    assert.ok(fs.existsSync(systemProgram(name)), name)
})

check(
  'a .cmd launcher is found by its bare name, in a folder with a space, and gets hostile arguments as text',
  async () => {
    const folder = join(newFolder(), 'Program Files (x86)')
    fs.mkdirSync(folder)
    const said = join(folder, 'said.json')
    const script = join(folder, 'say.cjs')
    fs.writeFileSync(
      script,
      `require('node:fs').writeFileSync(${JSON.stringify(said)}, JSON.stringify(process.argv.slice(2)))`,
    )
    fs.writeFileSync(join(folder, 'say.cmd'), `@"${execPath}" "%~dp0say.cjs" %*\r\n`)
    const args = ['a b', 'say "hi" & echo x', '^|<>!', '"&calc&"', 'ü', '']
    const PATH = `${folder};${env['PATH']}`
    await assert.rejects(connect({ command: 'say', args, env: { PATH } }))
    assert.deepEqual(JSON.parse(fs.readFileSync(said, 'utf8')), args)
  },
)

check('doctor finds the program that connect starts', () => {
  const { code, text } = parley(['doctor', '--', 'node', fileOf('@parley/server-time')], {
    env: { PATH: `${dirname(execPath)};${env['PATH']}` },
  })
  assert.equal(code, 0, text)
  assert.match(text, /node\.exe/)
})

// --- ends -----------------------------------------------------------------------------------------------------------------

check(
  'a stubborn server and its child end when the client closes, without waiting for a step that cannot work',
  async () => {
    const folder = newFolder()
    fs.writeFileSync(join(folder, 'stubborn.cjs'), stubborn)
    const pids = join(folder, 'pids')
    const client = await connect({ command: execPath, args: [join(folder, 'stubborn.cjs'), pids] })
    const [server = 0, child = 0] = await pidsIn(pids)
    await client.close()
    assert.ok(await hasGone(server), 'the server lives')
    assert.ok(await hasGone(child), 'its child lives')
  },
)

check('a stubborn server and its child end when the client exits', async () => {
  const folder = newFolder()
  fs.writeFileSync(join(folder, 'stubborn.cjs'), stubborn)
  const pids = join(folder, 'pids')
  const program = `import { connect } from ${JSON.stringify(pathToFileURL(require.resolve('@parley/mcp/client')).href.replace(/\.cjs$/, '.js'))}
    await connect({ command: process.execPath, args: ${JSON.stringify([join(folder, 'stubborn.cjs'), pids])} })
    process.exit(0)`
  spawnSync(execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname })
  const [server = 0, child = 0] = await pidsIn(pids)
  assert.ok(await hasGone(server), 'the server lives')
  assert.ok(await hasGone(child), 'its child lives')
})

check(
  'the watching process outlives a client that is killed, and ends what the servers started',
  async () => {
    const folder = newFolder()
    fs.writeFileSync(join(folder, 'stubborn.cjs'), stubborn)
    const pids = join(folder, 'pids')
    // Wine has no PowerShell: its list has no starts, so they are taken for now.
    const list = join(folder, 'list.cjs')
    const wmic = win32.join(dirname(systemProgram('cmd')), 'wbem', 'wmic.exe')
    fs.writeFileSync(
      list,
      `const { stdout } = require('node:child_process').spawnSync(${JSON.stringify(wmic)}, ['process', 'get', 'ParentProcessId,ProcessId'], { encoding: 'latin1' })
     for (const [, parent, pid] of stdout.replaceAll('\\0', '').matchAll(/(\\d+)\\s+(\\d+)/g)) console.log(pid, parent, Date.now())`,
    )
    const watch = pathToFileURL(join(import.meta.dirname, 'watch.mjs')).href
    const client = join(folder, 'client.mjs')
    fs.writeFileSync(
      client,
      `import { spawn } from 'node:child_process'
     import { startWindowsWatch } from ${JSON.stringify(watch)}
     const watcher = startWindowsWatch({
       lists: [[process.execPath, ${JSON.stringify(list)}]],
       kill: [${JSON.stringify(systemProgram('taskkill'))}, '/F'], killFlag: '/PID' })
     const server = spawn(process.execPath, ${JSON.stringify([join(folder, 'stubborn.cjs'), pids])}, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
     watcher.stdin.write('+ ' + server.pid + '\\n')
     setInterval(() => {}, 1000)`,
    )
    const killed = spawn(execPath, [client], { stdio: ['ignore', 'ignore', 'inherit'] })
    const [, child = 0] = await pidsIn(pids)
    await sleep(500)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    assert.ok(await hasGone(child, 30_000), 'the child of the server lives')
  },
)

// --- files ----------------------------------------------------------------------------------------------------------------

/**
 * Has another program keep a file open without letting it be deleted, as scanners and editors do. Resolves when it has it.
 *
 * @param {string} file
 * @param {number} ms
 */
async function keepOpen(file, ms) {
  const wait = `"${execPath}" -e "setTimeout(() => {}, ${ms})"`
  const holder = spawn(systemProgram('cmd'), ['/d', '/s', '/c', `"${wait} >> "${file}""`], {
    windowsVerbatimArguments: true,
    stdio: 'ignore',
  })
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(10)) {
    fs.copyFileSync(file, `${file}.probe`)
    try {
      fs.renameSync(`${file}.probe`, file)
    } catch {
      return fs.rmSync(`${file}.probe`)
    }
    if (holder.exitCode !== null) break
  }
  throw new Error('the other program did not keep the file')
}

check('a file that another program has open is replaced when it lets go', async () => {
  const file = join(newFolder(), 'file.txt')
  fs.writeFileSync(file, 'old')
  fs.writeFileSync(`${file}.new`, 'new')
  await keepOpen(file, 800)
  await replaceFile(`${file}.new`, file, { patienceMs: 20_000 })
  assert.equal(fs.readFileSync(file, 'utf8'), 'new')
})

check('one that stays open is refused with a sentence about the other program', async () => {
  const file = join(newFolder(), 'file.txt')
  fs.writeFileSync(file, 'old')
  fs.writeFileSync(`${file}.new`, 'new')
  await keepOpen(file, 8000)
  const replacing = replaceFile(`${file}.new`, file, { patienceMs: 300 })
  await assert.rejects(replacing, /another program has .* open/)
})

check('write_file replaces a file that another program has open', async () => {
  const place = newJail()
  const client = use(await openFiles(place))
  const file = join(place.jail, 'readme.md')
  await keepOpen(file, 800)
  const result = await client.callTool('write_file', { path: file, content: 'new' })
  assert.equal(result.isError ?? false, false, textOf(result))
  assert.equal(fs.readFileSync(file, 'utf8'), 'new')
})

check('three processes write one memory, and everything is kept', async () => {
  const memory = join(newFolder(), 'memory.jsonl')
  const open = () => connect({ ...serverEntry('memory'), env: { MEMORY_FILE_PATH: memory } })
  const clients = await Promise.all([open(), open(), open()])
  await Promise.all(
    clients.flatMap((client, at) =>
      [1, 2, 3, 4].map((number) =>
        client.callTool('create_entities', {
          entities: [{ name: `e${at}-${number}`, entityType: 't', observations: [] }],
        }),
      ),
    ),
  )
  const [first] = clients
  const graph = JSON.stringify((await first?.callTool('read_graph', {}))?.structuredContent)
  for (const at of [0, 1, 2]) for (const n of [1, 2, 3, 4]) assert.ok(graph.includes(`e${at}-${n}`))
  await Promise.all(clients.map((client) => client.close()))
})

check('tokens in a store are written by four processes at once', async () => {
  const directory = newFolder('tokens')
  const program = `import { createFileTokenStore } from '@parley/auth/node'
    const store = createFileTokenStore({ directory: process.argv[1], passphrase: 'p' })
    for (let n = 0; n < 5; n++) await store.set({ issuer: 'https://as.example', resource: 'https://rs.example/' + process.argv[2] }, { version: String(n), value: 'v' })`
  const children = ['a', 'a', 'b', 'b'].map((name) =>
    spawn(execPath, ['--input-type=module', '-e', program, directory, name], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
  assert.deepEqual(codes, [0, 0, 0, 0])
})

// --- the jail -------------------------------------------------------------------------------------------------------------

/** Ways to write a path outside. @param {ReturnType<typeof newJail>} place */
function spellings({ jail, outside, secret }) {
  const [drive = '', ...rest] = secret.split('\\')
  const way = rest.join('\\')
  return [
    secret,
    secret.replaceAll('\\', '/'),
    secret.toUpperCase(),
    '..\\outside\\secret.txt',
    '../outside/secret.txt',
    'Docs\\..\\..\\outside\\secret.txt',
    'Docs/../../outside/secret.txt',
    `${jail}\\..\\outside\\secret.txt`,
    `${jail}/../outside/secret.txt`,
    `${jail}\\.\\..\\outside\\secret.txt`,
    `${jail.toUpperCase()}\\..\\OUTSIDE\\SECRET.TXT`,
    `\\\\?\\${secret}`,
    `\\\\.\\${secret}`,
    `\\??\\${secret}`,
    `//?/${secret}`,
    `//./${secret}`,
    `\\\\localhost\\${drive.replace(':', '$')}\\${way}`,
    `\\\\127.0.0.1\\${drive.replace(':', '$')}\\${way}`,
    `\\\\?\\UNC\\localhost\\${drive.replace(':', '$')}\\${way}`,
    `\\${way}`,
    `/${way.replaceAll('\\', '/')}`,
    `${drive}..\\outside\\secret.txt`,
    `${drive}${way}`,
    '.. \\outside\\secret.txt',
    '...\\outside\\secret.txt',
    `${jail}::$INDEX_ALLOCATION\\..\\outside\\secret.txt`,
    `Docs:$I30:$INDEX_ALLOCATION\\..\\..\\outside\\secret.txt`,
    `${outside}\\secret.txt::$DATA`,
    `${outside}\\secret.txt.`,
    `${outside}\\secret.txt `,
    '%USERPROFILE%\\..\\..\\secret.txt',
    `file:///${secret.replaceAll('\\', '/')}`,
  ]
}

check(
  'no spelling of a path outside is read, written, made, moved, edited, listed or deleted',
  async () => {
    const place = newJail()
    // One directory: relative paths are tried in each, and one that leads out of an inner one may be inside.
    const client = use(
      await connect(serverEntry('filesystem', place.jail, '--enable', 'delete_file')),
    )
    for (const path of spellings(place)) {
      for (const [tool, args] of /** @type {[string, object][]} */ ([
        ['read_text_file', { path }],
        ['write_file', { path, content: 'X' }],
        ['edit_file', { path, edits: [{ oldText: 'c0', newText: 'X' }] }],
        ['create_directory', { path: `${path}.d` }],
        ['list_directory', { path: win32.dirname(path) }],
        ['move_file', { source: path, destination: 'taken.txt' }],
        ['move_file', { source: 'readme.md', destination: path }],
        ['delete_file', { path, permanent: true }],
      ])) {
        const result = await client
          .callTool(tool, args)
          .catch((error) => ({ content: [{ text: String(error) }] }))
        assert.doesNotMatch(textOf(result), /c0ntent|\[FILE\]/, `${tool} ${path}`)
      }
      if (!fs.existsSync(join(place.jail, 'readme.md'))) {
        fs.writeFileSync(join(place.jail, 'readme.md'), 'inside') // it went to a name inside
      }
    }
    assert.equal(fs.readFileSync(place.secret, 'utf8'), 'c0ntent')
    assert.deepEqual(fs.readdirSync(place.base).toSorted(), ['jail', 'outside'])
    assert.deepEqual(fs.readdirSync(place.outside), ['secret.txt'])
  },
)

check('streams, devices and names with a dot or a space at the end are refused', async () => {
  const place = newJail()
  const client = use(await openFiles(place))
  for (const path of [
    'a.txt:stream',
    'NUL',
    'nul.txt',
    'NUL .txt',
    'con .a.b',
    'CLOCK$',
    'com1',
    'lpt¹.txt',
    'a.',
    'a ',
    'conin$',
  ]) {
    const result = await client.callTool('write_file', { path, content: 'x' })
    assert.match(textOf(result), /Access denied/, path)
  }
  assert.deepEqual(fs.readdirSync(place.jail).toSorted(), [
    'Docs',
    'kept read only folder',
    'readme.md',
  ])
})

check('a read-only folder is not taken away by its short name or another case', async () => {
  const place = newJail()
  const short = shortNameOf(place.kept)
  assert.ok(short, 'it has no short name')
  const client = use(await openFiles(place, ['--trash', join(place.base, 'trash')]))
  for (const name of [short, 'KEPT READ ONLY FOLDER', 'Kept Read Only Folder']) {
    for (const path of [name, join(place.jail, name)]) {
      for (const [tool, args] of /** @type {[string, object][]} */ ([
        ['delete_file', { path, recursive: true }],
        ['delete_file', { path, recursive: true, permanent: true }],
        ['delete_file', { path, permanent: true }],
        ['move_file', { source: path, destination: 'elsewhere' }],
        ['write_file', { path: join(path, 'new.txt'), content: 'x' }],
        ['delete_file', { path: join(path, 'file.txt'), permanent: true }],
      ])) {
        assert.match(textOf(await client.callTool(tool, args)), /read-only/, `${tool} ${path}`)
      }
    }
  }
  assert.deepEqual(fs.readdirSync(place.kept), ['file.txt'])
})

check('a folder is deleted, and a file renamed, by another case of its name', async () => {
  const place = newJail()
  const client = use(await openFiles(place))
  const deleted = await client.callTool('delete_file', {
    path: 'docs',
    recursive: true,
    permanent: true,
  })
  const moved = await client.callTool('move_file', {
    source: 'readme.md',
    destination: 'README.md',
  })
  assert.equal(deleted.isError ?? false, false, textOf(deleted))
  assert.equal(moved.isError ?? false, false, textOf(moved))
  // Wine takes a rename to another case for one that has happened already.
  fs.writeFileSync(join(place.outside, 'a.txt'), '')
  fs.renameSync(join(place.outside, 'a.txt'), join(place.outside, 'A.txt'))
  const name = fs.readdirSync(place.outside).includes('A.txt') ? 'README.md' : 'readme.md'
  assert.deepEqual(
    fs.readdirSync(place.jail).toSorted(),
    [name, 'kept read only folder'].toSorted(),
  )
  const again = await client.callTool('move_file', {
    source: name,
    destination: name,
  })
  assert.match(textOf(again), /already exists/)
})

check('a jail is found in another case of its folder, also for a new file', async () => {
  const place = newJail()
  const client = use(await openFiles(place))
  const other = place.jail.toUpperCase()
  const read = await client.callTool('read_text_file', { path: `${other}\\README.MD` })
  const written = await client.callTool('write_file', { path: `${other}\\new.txt`, content: 'x' })
  assert.equal(textOf(read), 'inside')
  assert.equal(written.isError ?? false, false, textOf(written))
  assert.ok(fs.existsSync(join(place.jail, 'new.txt')))
})

check('a directory takes no name that leads elsewhere', async () => {
  const { createPathJail } = await import('@parley/server-kit/paths')
  const place = newJail()
  const jail = await createPathJail({ directories: [place.jail] })
  const directory = use(await jail.openDirectory('.'))
  for (const name of ['..\\outside', 'a\\b', 'a:b', '..', 'C:', ''])
    assert.throws(() => directory.at(name), name)
})

check('resources are read, completed as they stand in a URI, and followed', async () => {
  const place = newJail()
  const file = join(place.jail, 'ä b.txt')
  fs.writeFileSync(file, 'one')
  const client = use(await openFiles(place))
  const uri = pathToFileURL(file).href
  const [content] = (await client.readResource(uri)).contents
  assert.equal(/** @type {any} */ (content)?.text, 'one')
  const complete = async (/** @type {string} */ value) =>
    (
      await client.complete(
        { type: 'ref/resource', uri: 'file://{+path}' },
        { name: 'path', value },
      )
    ).values
  const folder = pathToFileURL(place.jail).href.replace('file://', '')
  const listed = await complete(`${decodeURI(folder)}/`)
  assert.ok(listed.includes(uri.replace('file://', '')), listed.join(' '))
  const changes = use(await client.listen({ resourceSubscriptions: [uri] }))
  const writing = setInterval(() => fs.writeFileSync(file, 'two'), 100)
  try {
    for await (const change of changes) {
      assert.equal(/** @type {any} */ (change).uri, uri)
      break
    }
  } finally {
    clearInterval(writing)
  }
})

check('roots count in both ways clients write them', async () => {
  const place = newJail()
  const [drive = '', ...rest] = place.jail.split('\\')
  const path = rest.map(encodeURIComponent).join('/')
  for (const uri of [
    `file:///${drive}/${path}`,
    `file:///${drive.toLowerCase().replace(':', '%3A')}/${path}`,
  ]) {
    const client = use(await connect(serverEntry('filesystem'), { roots: [{ uri }] }))
    const read = await client.callTool('read_text_file', { path: join(place.jail, 'readme.md') })
    assert.equal(textOf(read), 'inside')
    const other = await client.callTool('read_text_file', { path: place.secret })
    assert.match(textOf(other), /Access denied/)
  }
})

// --- programs of ours -----------------------------------------------------------------------------------------------------

for (const name of ['everything', 'memory', 'sequential-thinking', 'time', 'fetch', 'filesystem']) {
  check(`the ${name} server starts and lists its tools`, async () => {
    const client = use(
      await connect(serverEntry(name, ...(name === 'filesystem' ? [newFolder()] : []))),
    )
    assert.ok((await client.listTools().toArray()).length > 0)
  })
}

check('parley --help, list, call, read, types and check', () => {
  const time = ['--', execPath, fileOf('@parley/server-time')]
  const everything = ['--', execPath, fileOf('@parley/server-everything')]
  /** @type {[readonly string[], RegExp][]} */
  const lines = [
    [['--help'], /parley/],
    [['list', ...time], /convert_time/],
    [
      [
        'call',
        'echo',
        'message=Grüße "%PATH%" & x',
        '--',
        execPath,
        fileOf('@parley/server-everything'),
      ],
      /Grüße "%PATH%" & x/,
    ],
    [['list', 'resources', ...everything], /demo|resource/i],
    [['types', ...time], /mcp\.types\.ts: 2 tools/],
    [['check', ...time], /passed/],
  ]
  for (const [args, wanted] of lines) {
    const { code, text } = parley(args)
    assert.match(text, wanted, args[0])
    assert.equal(code, 0, `${args[0]}: ${text}`)
  }
})

check('a configuration of Claude Desktop is found in %APPDATA%, with a byte order mark', () => {
  const folder = newFolder()
  fs.mkdirSync(join(folder, 'Claude'))
  const entry = {
    mcpServers: { clock: { command: execPath, args: [fileOf('@parley/server-time')] } },
  }
  const text = `\uFEFF${JSON.stringify(entry, undefined, 2).replaceAll('\n', '\r\n')}`
  fs.writeFileSync(join(folder, 'Claude', 'claude_desktop_config.json'), text)
  const { text: said } = parley(['config', 'list'], { cwd: folder, env: { APPDATA: folder } })
  assert.match(said, /clock/)
})

check('a server over HTTP, behind the bridge', async () => {
  const port = 18_000 + Math.floor(Math.random() * 1000)
  const line = [
    'bridge',
    '--to',
    'http',
    '--port',
    String(port),
    '--',
    execPath,
    fileOf('@parley/server-time'),
  ]
  const bridge = use(await startParley(line, /http:\/\/127\.0\.0\.1:\d+\/mcp/))
  const client = use(await connect(bridge.match))
  assert.ok((await client.listTools().toArray()).length > 0)
})

check('a gateway of two servers', async () => {
  const folder = newFolder()
  const entry = (/** @type {string} */ name) => ({
    command: execPath,
    args: [fileOf(`@parley/server-${name}`)],
  })
  const config = join(folder, 'mcp.json')
  fs.writeFileSync(
    config,
    JSON.stringify({ mcpServers: { clock: entry('time'), all: entry('everything') } }),
  )
  const port = 19_000 + Math.floor(Math.random() * 1000)
  const gateway = use(
    await startParley(
      ['gateway', 'run', '--config', config, '--port', String(port)],
      /http:\/\/127\.0\.0\.1:\d+\/mcp/,
      folder,
    ),
  )
  const client = use(await connect(gateway.match))
  let names = '' // its servers come one by one
  for (
    const until = Date.now() + 60_000;
    !/clock.*all|all.*clock/.test(names) && Date.now() < until;
  ) {
    names = (await client.listTools().toArray()).map(({ name }) => name).join(' ')
    await sleep(200)
  }
  assert.match(names, /clock/)
  assert.match(names, /all/)
})

check('the Inspector starts and serves its page', async () => {
  const inspector = use(await startParley(['inspect', '--no-open'], /http:\/\/127\.0\.0\.1:\d+\S*/))
  const page = await fetch(inspector.match)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<script/)
})

check('a registry on SQLite, below a folder with an umlaut', async () => {
  const folder = join(newFolder(), 'Müller und Söhne')
  fs.mkdirSync(folder)
  const line = ['registry', 'serve', '--sign-in', 'anonymous', '--port', '0']
  const registry = use(await startParley(line, /http:\/\/127\.0\.0\.1:\d+/, folder))
  const answer = await fetch(`${registry.match}/v0/servers`)
  assert.equal(answer.status, 200)
})

check(
  'dev starts a server again when its file changes, and goes on when a folder is deleted',
  async () => {
    const folder = fs.mkdtempSync(join(import.meta.dirname, 'dev ü-'))
    const file = join(folder, 'server.cjs')
    const program = (/** @type {string} */ name) =>
      `require('node:fs').writeFileSync(${JSON.stringify(join(folder, name))}, '');${stubborn}`
    fs.mkdirSync(join(folder, 'sub'))
    fs.writeFileSync(file, program('one.log'))
    const line = ['dev', '--no-open', '--', execPath, file, join(folder, 'pids.log')]
    const dev = use(await startParley(line, /http:/, folder))
    const started = async (/** @type {string} */ name) => {
      for (const until = Date.now() + 60_000; Date.now() < until; await sleep(100)) {
        if (fs.existsSync(join(folder, name))) return
      }
      throw new Error(`${name} was not started: ${dev.said()}`)
    }
    await started('one.log')
    fs.rmSync(join(folder, 'sub'), { recursive: true })
    fs.writeFileSync(file, program('two.log'))
    await started('two.log')
    assert.equal(dev.child.exitCode, null, dev.said())
  },
)

for (const [name, work] of checks) {
  if (!name.includes(only)) continue
  const started = Date.now()
  let error
  try {
    await Promise.race([
      work(),
      sleep(240_000, undefined, { ref: false }).then(() => assert.fail('it hangs')),
    ])
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause)
  }
  for (const one of inUse.splice(0).toReversed()) {
    try {
      await one[Symbol.asyncDispose]()
    } catch (cause) {
      error ??= String(cause)
    }
  }
  stdout.write(
    `${JSON.stringify({ check: name, error: error?.slice(0, 3_000), ms: Date.now() - started })}\n`,
  )
}
stdout.write('{"end":true}\n', () => exit(0))
