/** From the sources of a package to what is published: a file for each entry, and chunks of what several entries use. */

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { fileURLToPath } from 'node:url'

import { rolldown, VERSION } from 'rolldown'

import { listFiles, shortPath } from './source-files.mjs'

/** Says what the files in `dist` were made from, and which sources are in each; not published. */
export const stampName = '.bundleinfo'

/** What every side uses at once: not what checks results, is for questions, or for headers that repeat arguments. */
const coreModule = new RegExp(
  [
    '/src/schema/(?!json-schema|canonical-json|completion|content|prompts|resources|tools|elicit|roots|sampling|skills|subscriptions|tool-use)',
    '/src/rpc/(?!batch-replies|deprecation|ip-address|loopback-host|parse-url|own-requests|pending-requests|sleep)',
    '/src/wire/(?!downgrade-(?!annotations|greeting)|handshake-|legacy-|param-headers|question-|read-envelope|revisions|standalone-codec)',
    '/src/session/(?!answer-version|heartbeat|session-state)',
    '/src/shared/',
    '/json-schema/members\\.ts$',
    '/transport/(http/media-type|message-iterable|page-origin)\\.ts$',
  ].join('|'),
)

/** What a server needs at once, and a client only for parts that it loads later: codecs, and reading schemas. */
const answeringModule = new RegExp(
  [
    '/wire/param-headers',
    '/json-schema/(keyword-faults|read-document|references|regular-expression|schema-error)\\.ts$',
    '/(schema/subscriptions|rpc/(deprecation|sleep)|session/answer-version|client/(schema-issues|changes))\\.ts$',
  ].join('|'),
)

/**
 * What entries share, in chunks after the layers: to find and open a file costs more than to read it, so there are
 * few. An entry loads whole layers, and none that it does not use. With a module goes what it imports, unless a group
 * before it has that.
 */
const sharedChunks = [
  { name: 'address', test: /\/rpc\/(ip-address|loopback-host|parse-url)\.ts$/ }, // for parts that are loaded later, on either side
  { name: 'core', test: coreModule },
  {
    name: 'requests', // and the checks of their results; a server's come with its questions, or when it reads
    test: /\/rpc\/(batch-replies|own-requests|pending-requests)\.ts$|\/src\/schema\/(completion|content|prompts|resources|tools)\.ts$/,
  },
  { name: 'answering', test: answeringModule },
  { name: 'memory', test: /\/transport\/(inbox|memory)\.ts$/ },
  {
    name: 'questions',
    test: /\/(schema\/(elicit[a-z-]*|roots|sampling|tool-use)|wire\/(downgrade-(elicitation|sampling)|question-codec))\.ts$/,
  }, // for who asks, and who answers
  { name: 'json-schema', test: /\/json-schema\// }, // loaded when there is something to check
  {
    name: 'server', // without its parts, see server/parts.ts
    test: /\/wire\/(downgrade-tools|handshake-)|\/src\/server\/(?!asking|exchange|following|handshake|indirect|middleware|once|reading|schema-engine|session|skills|tasks|uri-template-(decode|expand|match|query|scan)|visibility)/,
  },
  { name: 'legacy', test: /\/wire\/(legacy-|downgrade-(content|items))/ }, // see server/eras.ts, as what follows
  { name: 'standalone', test: /\/wire\/(read-envelope|standalone-codec)/ },
  { name: 'session', test: /\/(server\/session|session\/session-state)\.ts$/ },
  { name: 'exchange', test: /\/server\/exchange\.ts$/ },
  {
    name: 'server-reading',
    test: /\/src\/server\/(following|indirect|middleware|reading|uri-template|visibility)/,
  },
  { name: 'server-asking', test: /\/src\/server\/asking\/|\/schema\/canonical-json\.ts$/ },
  {
    name: 'client', // without its parts, see client/parts.ts
    test: /\/src\/(client\/(?!asking|cache|changes|kept-|list-guard|listening|output-|schema-issues|skills|tasks|tool-headers\.)|transport\/connect\.ts)/,
    minShareCount: 1,
  },
  { name: 'process', test: /\/transport\/(line-[a-z]+|own-process)\.ts$/ },
  { name: 'http', test: /\/src\/transport\/http\/(?!node-|serve-http)/ },
  {
    name: 'http-client', // whole, although parts of it are loaded later and share some of the rest
    test: /\/src\/transport\/http-client\/(?!answer-body|answer-failures|challenge|global-|host-reach|node-|proxy|redirect|resume-|silence|system-|sse-channel\.|standalone-stream|tunnel-)/,
    minShareCount: 1,
  },
].map((group, index) => ({ priority: 20 - index, minShareCount: 2, ...group }))

/**
 * Writes `dist/*.js` of a package. Does nothing when they were made from the same sources by the same program.
 *
 * @param {string} directory
 * @returns {Promise<boolean>} whether there was something to do
 */
export async function bundlePackage(directory) {
  const dist = join(directory, 'dist')
  const stamp = hashInputs(directory)
  if (isUpToDate(dist, stamp)) return false

  const chunks = await generate(directory)
  const files = chunks.map(({ fileName }) => fileName)
  for (const { fileName, code } of chunks) replaceFile(join(dist, fileName), code)
  for (const file of filesIn(dist, '.js')) if (!files.includes(file)) rmSync(join(dist, file))
  const contents = chunks.map(({ fileName, moduleIds }) =>
    [fileName, ...moduleIds.map((id) => shortPath(id, directory))].join('\t'),
  )
  replaceFile(join(dist, stampName), [stamp, ...contents, ''].join('\n'))
  return true
}

/**
 * The files that a package's `exports` and `imports` name, below `dist` and without extension. What `imports` chooses
 * by platform is an entry of its own, so that only the chosen one is loaded.
 *
 * @param {string} directory
 * @returns {string[]}
 */
export function findEntries(directory) {
  const { exports, imports = {} } = readManifest(directory)
  const conditions = [...Object.values(exports), ...Object.values(imports)]
  const targets = conditions.flatMap((target) => [target.node, target.default])
  return [...new Set(targets.filter((path) => path !== undefined))].map((path) =>
    path.replace(/^\.\/dist\//, '').replace(/\.js$/, ''),
  )
}

/**
 * What sources load when it is needed. As an entry it has a file of its own even where most of it is in a shared chunk,
 * which then needs no list of its exports.
 *
 * @param {string} directory
 * @returns {string[]}
 */
function findLoadedLater(directory) {
  const sources = join(directory, 'src')
  return listFiles(sources).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bimport\('(\.[^']+)\.ts'\)/g)].map(([, name = '']) =>
      shortPath(join(dirname(path), name), sources),
    ),
  )
}

/**
 * Names of functions stay, and so do lines: what a stack trace shows can be read, and Node prints one line of the
 * file, not all of it, above an uncaught error. Names of local variables go, with the comments: half of the bytes.
 *
 * @param {string} directory
 */
async function generate(directory) {
  const { dependencies = {}, peerDependencies = {} } = readManifest(directory)
  const packages = Object.keys({ ...dependencies, ...peerDependencies })
  const bundle = await rolldown({
    cwd: directory,
    tsconfig: false,
    input: Object.fromEntries(
      [...findEntries(directory), ...findLoadedLater(directory)].map((entry) => [
        entry,
        join(directory, 'src', `${entry}.ts`),
      ]),
    ),
    platform: 'neutral',
    external: (name) =>
      /^(#|node:)/.test(name) ||
      packages.some((known) => name === known || name.startsWith(`${known}/`)),
    transform: { target: 'es2022' },
    experimental: { attachDebugInfo: 'none' }, // a comment for each module: a fiftieth of the bytes
    onLog(_, { code, message }) {
      // An entry for Node may name what another one loads when it is needed.
      if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(message)
    },
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups: sharedChunks },
    comments: { annotation: true, jsdoc: false, legal: false },
    minify: {
      compress: false,
      mangle: { toplevel: false, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: false },
    },
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** @param {string} directory */
function hashInputs(directory) {
  const hash = createHash('sha256').update(VERSION)
  const inputs = [
    fileURLToPath(import.meta.url),
    join(directory, 'package.json'),
    ...listFiles(join(directory, 'src')),
  ]
  for (const path of inputs) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

/** @param {string} dist @param {string} stamp */
function isUpToDate(dist, stamp) {
  const path = join(dist, stampName)
  if (!existsSync(path)) return false
  const [made, ...contents] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const files = contents.map((line) => line.split('\t', 1)[0] ?? '')
  return made === stamp && files.every((file) => existsSync(join(dist, file)))
}

/**
 * In one step: a program that is starting reads the old file or the new one.
 *
 * @param {string} path
 * @param {string} text
 */
function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${pid}`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

/** @param {string} directory @param {string} extension */
function filesIn(directory, extension) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(extension))
}

/** @param {string} directory */
function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}
