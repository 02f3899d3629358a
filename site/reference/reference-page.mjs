/** One page of the API reference: everything an entry exports. */

import { readEntry } from './declarations.mjs'

/**
 * @param {{ name: string, file: string }} entry as it is imported, and its declarations
 * @returns {string} Markdown
 */
export function referencePage({ name, file }) {
  const declarations = readEntry(file)
  const parts = groups.flatMap(([title, kinds]) => {
    const own = declarations.filter(({ kind }) => kinds.includes(kind))
    return own.length === 0 ? [] : [`## ${title}`, ...own.map(section)]
  })
  return [`# ${name}`, `\`\`\`ts\nimport { … } from '${name}'\n\`\`\``, ...parts].join('\n\n')
}

/** @type {[title: string, kinds: readonly string[]][]} */
const groups = [
  ['Functions', ['function']],
  ['Classes', ['class']],
  ['Values', ['const']],
  ['Types', ['interface', 'type']],
]

/** @param {import('./declarations.mjs').Declaration} one */
function section({ name, comment, text, members }) {
  const parts = [`### ${name}`, prose(comment)]
  if (members.length === 0) parts.push(code(text))
  else parts.push(code(`${headOf(text)} { … }`), memberTable(members))
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Up to its members. */
function headOf(/** @type {string} */ text) {
  return text.slice(0, text.indexOf('{')).trim()
}

/** @param {readonly import('./declarations.mjs').Member[]} members */
function memberTable(members) {
  const rows = members
    .filter(isPublic)
    .map(
      ({ name, text, comment }) =>
        `| \`${name}${isOptional(name, text) ? '?' : ''}\` | ${inlineCode(typeOf(name, text))} | ${cell(prose(comment))} |`,
    )
  return ['| member | type | meaning |', '|---|---|---|', ...rows].join('\n')
}

/**
 * Members that begin with `~` are for our own packages; `~standard` is that of Standard Schema.
 *
 * @param {{ name: string }} member
 */
export function isPublic({ name }) {
  return !/^['"]?~/.test(name) || name.includes('~standard')
}

/**
 * @param {string} name
 * @param {string} text
 */
function isOptional(name, text) {
  return text.replace(/^(?:readonly |static )*/, '').startsWith(`${name}?`)
}

/**
 * What follows the name: a type, or the parameters and result of a method.
 *
 * @param {string} name
 * @param {string} text
 */
function typeOf(name, text) {
  const rest = text.replace(/^(?:readonly |static |abstract |get |set |declare )*/, '')
  const after = rest.startsWith(name) ? rest.slice(name.length) : rest
  return after.replace(/^\?/, '').replace(/^:\s*/, '').replace(/;$/, '').replaceAll(/\s+/g, ' ')
}

/** @param {string} text */
function code(text) {
  return `\`\`\`ts\n${text.replaceAll('\t', '  ')}\n\`\`\``
}

/** Without what ends a cell. */
function inlineCode(/** @type {string} */ text) {
  const ticks = text.includes('`') ? '``' : '`'
  return `${ticks}${text.replaceAll('|', '\\|')}${ticks}`
}

function cell(/** @type {string} */ text) {
  return text.replaceAll('|', '\\|').replaceAll(/\n+/g, ' ')
}

/** A comment as Markdown. */
export function prose(/** @type {string} */ comment) {
  return comment
    .replaceAll(
      /\{@link ([^}|\s]+)(?:[|\s]+([^}]*))?\}/g,
      (_, name, label) => label || `\`${name}\``,
    )
    .replaceAll(/@defaultValue ([^@]*)/g, (_, value) => `Default: ${value.trim()}. `)
    .replaceAll(/@experimental/g, 'Experimental.')
    .replaceAll(/@deprecated/g, '**Deprecated.**')
    .replaceAll(/@(?:param|returns|throws|example|remarks|see)\b/g, '')
    .trim()
}
