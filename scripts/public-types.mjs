/** The declarations that a package's entries lead to; the others describe its inside and are not published. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Removes the files of declarations that no entry leads to, and of the others the functions and constants that no entry exports
 * and no type mentions. Only what an entry exports by name keeps its comments: people see them in an editor only there.
 *
 * @param {string} directory of the package
 * @returns {string[]} files that an entry leads to and that lack something, for the compiler to write again
 */
export function keepPublicTypes(directory) {
  const dist = join(directory, 'dist')
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  /** @type {Map<string, string>} */
  const kept = new Map()
  const entries = Object.values(exports).map(({ types }) => join(directory, types))
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (kept.has(path)) continue
    kept.set(path, existsSync(path) ? readFileSync(path, 'utf8') : '')
    waiting.push(...importedBy(path, kept.get(path) ?? ''))
  }

  const exported = namesExportedBy(entries.map((path) => [path, kept.get(path) ?? '']))
  const missing = [...kept].filter(
    ([path, text]) =>
      text === '' || [...(exported.get(path) ?? [])].some((name) => !mentions(text, name)),
  )
  if (missing.length > 0) return missing.map(([path]) => path)
  const mentioned = countWords(kept.values())
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file)
    if (!path.endsWith('.d.ts')) continue
    const text = kept.get(path)
    if (text === undefined) rmSync(path)
    else if (entries.includes(path)) replace(path, text, text)
    else replace(path, text, publicPart(text, exported.get(path) ?? new Set(), mentioned))
  }
  return []
}

/** @param {string} path @param {string} text */
function importedBy(path, text) {
  const names = text.matchAll(/(?:from|import\(|import) ?['"](\.[^'"]+)['"]/g)
  return [...names].map(([, name = '']) => join(dirname(path), name.replace(/\.(ts|js)$/, '.d.ts')))
}

/**
 * The names that entries export of other files, by file.
 *
 * @param {readonly (readonly [path: string, text: string])[]} entries
 * @returns {ReadonlyMap<string, ReadonlySet<string>>}
 */
function namesExportedBy(entries) {
  /** @type {Map<string, Set<string>>} */
  const exported = new Map()
  for (const [entry, text] of entries) {
    for (const [, list = '', from = ''] of text.matchAll(
      /export (?:type )?\{([^}]*)\} from ['"](\.[^'"]+)['"]/g,
    )) {
      const path = join(dirname(entry), from.replace(/\.(ts|js)$/, '.d.ts'))
      const names = [...list.matchAll(/(?:^|,)\s*(?:type )?([\w$]+)/g)].map(([, name = '']) => name)
      exported.set(path, new Set([...(exported.get(path) ?? []), ...names]))
    }
  }
  return exported
}

/**
 * @param {string} text of a file of declarations
 * @param {ReadonlySet<string>} named what entries export of it
 * @param {ReadonlyMap<string, number>} mentioned how often each word stands in all files
 */
function publicPart(text, named, mentioned) {
  const shown = text
    .split(statementStart)
    .map((statement) => {
      const [, kind = '', name = ''] = declaration.exec(statement) ?? []
      if (named.has(name)) return statement
      const isValue = kind === 'const' || kind === 'function'
      return isValue && mentioned.get(name) === 1 ? '' : withoutComments(statement)
    })
    .join('')
  return shown === '' ? 'export {};\n' : shown
}

/** At its comment, if it has one. */
const statementStart =
  /^(?=\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:export|declare|interface|type) )|(?<!\*\/\n)^(?=(?:export|declare|interface|type) )/m

const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(interface|type|const|let|function|class) ([\w$]+)/m

/** @param {Iterable<string>} texts @returns {ReadonlyMap<string, number>} */
function countWords(texts) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const text of texts) {
    for (const [word] of withoutComments(text).matchAll(/[\w$]+/g)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

/** @param {string} text @param {string} name */
function mentions(text, name) {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text)
}

/** @param {string} text */
function withoutComments(text) {
  return text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '')
}

/** Indents by tabs. @param {string} path @param {string} before @param {string} after */
function replace(path, before, after) {
  const text = after.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  if (text !== before) writeFileSync(path, text)
}
