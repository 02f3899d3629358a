/** The SDK from its sources, with a mark at the start of every function that says in which file it is. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { parseSync } from 'oxc-parser'
import { rolldown } from 'rolldown'

import { isRecord, visitNodes } from '../imports.mjs'
import { root, shortPath } from '../source-files.mjs'

const sources = join(root, 'packages/mcp/src')

/** Where marked code reports to, while something is recorded. */
const sink = '__parleyWalk'

/** @typedef {{ file: string, calls: Entered[] }} Entered a function that was entered, and what it called */

/**
 * @typedef {object} MarkedSdk
 * @property {typeof import('@parley/mcp/server')} server
 * @property {typeof import('@parley/mcp/stdio')} stdio
 * @property {typeof import('@parley/mcp/node')} node
 * @property {typeof import('@parley/mcp/client')} client
 * @property {(work: () => Promise<void>) => Promise<Entered[]>} record the calls made meanwhile
 */

/**
 * Bundles the SDK into a folder, and loads it.
 *
 * @param {string} folder
 * @returns {Promise<MarkedSdk>}
 */
export async function bundleMarked(folder) {
  const bundle = await rolldown({
    input: Object.fromEntries(
      ['server', 'stdio', 'node', 'client'].map((name) => [
        name,
        join(sources, `entry/${name}.ts`),
      ]),
    ),
    platform: 'node',
    tsconfig: false,
    external: /^node:|^ws$/,
    resolve: { conditionNames: ['@parley/source', 'node', 'import', 'default'] },
    // What an entry imports and another loads later is in one file here.
    onLog() {},
    plugins: [
      {
        name: 'mark',
        transform: (code, id) =>
          id.startsWith(sources) ? mark(code, shortPath(id, sources)) : undefined,
      },
    ],
  })
  await bundle.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  const load = (/** @type {string} */ name) =>
    import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  return {
    server: await load('server'),
    stdio: await load('stdio'),
    node: await load('node'),
    client: await load('client'),
    record,
  }
}

/**
 * The tree of calls, each with the file of the function that was entered.
 *
 * @param {() => Promise<void>} work
 * @returns {Promise<Entered[]>}
 */
async function record(work) {
  /** @type {Entered[]} */
  const roots = []
  /** @type {Entered[]} */
  const open = []
  const place = /** @type {Record<string, unknown>} */ (globalThis)
  place[sink] = (/** @type {string} */ file, /** @type {boolean} */ stays) => {
    const entered = { file, calls: [] }
    ;(open.at(-1)?.calls ?? roots).push(entered)
    if (stays) open.push(entered)
    return entered
  }
  place[`${sink}End`] = (/** @type {Entered | undefined} */ entered) => {
    if (entered && open.includes(entered)) open.splice(open.indexOf(entered))
  }
  try {
    await work()
  } finally {
    delete place[sink]
    delete place[`${sink}End`]
  }
  return roots
}

/**
 * A mark at the start of each function, and one at its end; not at the end of those that go on later.
 *
 * @param {string} code
 * @param {string} file
 */
function mark(code, file) {
  const begin = (/** @type {boolean} */ stays) =>
    `globalThis.${sink}?.(${JSON.stringify(file)}, ${stays})`
  const end = (/** @type {string} */ what) => `globalThis.${sink}End?.(${what})`
  /** @type {{ at: number, text: string }[]} */
  const insertions = []
  visitNodes(parseSync(file, code).program, (node) => {
    if (!functions.has(String(node['type'])) || !isRecord(node['body'])) return true
    const { type, start, end: stop } = node['body']
    const isBlock = type === 'BlockStatement' || type === 'FunctionBody'
    const goesOn = node['async'] === true || node['generator'] === true
    const [from, to] = [Number(start), Number(stop)]
    if (isBlock && goesOn) insertions.push({ at: from + 1, text: `${begin(false)};` })
    else if (isBlock) {
      insertions.push({ at: from + 1, text: `const walked$ = ${begin(true)}; try {` })
      insertions.push({ at: to - 1, text: `} finally { ${end('walked$')} }` })
    } else insertions.push({ at: from, text: `(${begin(false)},(` }, { at: to, text: '))' })
    return true
  })
  // Backwards, so that places stay where they are; of two at one place the first is written last and stands first.
  let marked = code
  for (const { at, text } of insertions.toReversed().toSorted((a, b) => b.at - a.at)) {
    marked = marked.slice(0, at) + text + marked.slice(at)
  }
  return marked
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
