/** What an entry of a package exports, read from its declarations. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { parseSync } from 'oxc-parser'

/**
 * @typedef {object} Declaration
 * @property {string} name as the entry exports it
 * @property {string} file that declares it
 * @property {'function' | 'class' | 'interface' | 'type' | 'const'} kind
 * @property {string} comment without its stars, empty if there is none
 * @property {string} text the declaration, without comments; a type that is made of objects keeps theirs
 * @property {Member[]} members of an interface or a class
 * @property {Shape[]} shapes the objects that a type is made of, if it is an alias
 *
 * @typedef {object} Shape
 * @property {string} comment before the object, empty if there is none
 * @property {ShapeMember[]} members
 *
 * @typedef {Member & { isTag: boolean }} ShapeMember a tag has one value, which tells the objects of a union apart
 *
 * @typedef {Map<string, Map<string, Declaration | undefined>>} Modules exports by file
 * @typedef {readonly import('oxc-parser').Comment[]} Comments
 * @typedef {import('oxc-parser').Statement | import('oxc-parser').Directive} Statement
 *
 * @typedef {object} Member
 * @property {string} name
 * @property {string} text
 * @property {string} comment
 */

/**
 * @param {string} file the entry's `.d.ts`
 * @returns {Declaration[]} in the order of their names
 */
export function readEntry(file) {
  /** @type {Modules} */
  const modules = new Map()
  const found = [...exportsOf(file, modules).values()].filter((one) => one !== undefined)
  return found.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

/**
 * @param {string} file
 * @param {Modules} modules
 * @returns {Map<string, Declaration | undefined>}
 */
function exportsOf(file, modules) {
  const known = modules.get(file)
  if (known) return known
  /** @type {Map<string, Declaration | undefined>} */
  const result = new Map()
  modules.set(file, result) // a ring of modules ends here
  const source = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, source)
  /** @type {Map<string, Declaration>} */
  const own = new Map()
  /** @type {Map<string, { readonly name: string, readonly from: string }>} */
  const imported = new Map()
  for (const statement of program.body) {
    for (const [name, one] of declared(statement, { file, source, comments })) {
      own.set(name, merge(own.get(name), one))
    }
    if (statement.type !== 'ImportDeclaration') continue
    for (const specifier of statement.specifiers) {
      const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
      imported.set(specifier.local.name, { name, from: statement.source.value })
    }
  }

  /**
   * @param {string} name
   * @param {string} from
   */
  const lookUp = (name, from) =>
    isOurs(from) ? exportsOf(resolve(file, from), modules).get(name) : undefined
  for (const statement of program.body) {
    if (statement.type === 'ExportAllDeclaration' && isOurs(statement.source.value)) {
      for (const [name, one] of exportsOf(resolve(file, statement.source.value), modules)) {
        result.set(name, one)
      }
    }
    if (statement.type !== 'ExportNamedDeclaration') continue
    for (const [name] of declared(statement, { file, source, comments })) {
      result.set(name, own.get(name))
    }
    for (const specifier of statement.specifiers) {
      const local = nameOf(specifier.local)
      const name = nameOf(specifier.exported)
      const origin = statement.source
        ? { name: local, from: statement.source.value }
        : imported.get(local)
      const one = origin === undefined ? own.get(local) : lookUp(origin.name, origin.from)
      result.set(name, one && { ...one, name })
    }
  }
  return result
}

/** @param {import('oxc-parser').ModuleExportName} name */
function nameOf(name) {
  return name.type === 'Literal' ? name.value : name.name
}

/**
 * Overloads of a function follow each other.
 *
 * @param {Declaration | undefined} before
 * @param {Declaration} one
 */
function merge(before, one) {
  if (before === undefined || before.kind !== one.kind) return one
  return { ...one, comment: before.comment || one.comment, text: `${before.text}\n${one.text}` }
}

/** @param {string} from */
const isOurs = (from) => from.startsWith('.')

/**
 * @param {string} file
 * @param {string} from
 */
function resolve(file, from) {
  return join(dirname(file), from.replace(/\.ts$/, '.d.ts'))
}

/** @type {Record<string, Declaration['kind'] | undefined>} */
const kinds = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
}

/**
 * The declarations of one statement, exported or not.
 *
 * @param {Statement} statement
 * @param {{ file: string, source: string, comments: Comments }} module
 * @returns {[name: string, one: Declaration][]}
 */
function declared(statement, { file, source, comments }) {
  const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (!node) return []
  const comment = commentBefore(statement.start, source, comments)
  const text = withoutComments(node.start, statement.end, source, comments)
  if (node.type === 'VariableDeclaration') {
    return node.declarations.flatMap(({ id }) =>
      id.type === 'Identifier'
        ? [
            [
              id.name,
              { name: id.name, file, kind: 'const', comment, text, members: [], shapes: [] },
            ],
          ]
        : [],
    )
  }
  const kind = kinds[node.type]
  if (kind === undefined || !('id' in node) || node.id?.type !== 'Identifier') return []
  const { name } = node.id
  if (node.type === 'TSTypeAliasDeclaration') {
    const shapes = objectsIn(node.typeAnnotation).map((one) => shapeOf(one, source, comments))
    const own =
      shapes.length === 0 ? text : source.slice(node.start, statement.end).replaceAll('\n |', '\n|')
    return [[name, { name, file, kind, comment, text: own, members: [], shapes }]]
  }
  const body = 'body' in node && node.body && 'body' in node.body ? node.body.body : []
  const members = Array.isArray(body)
    ? body.flatMap((member) => memberOf(member, source, comments))
    : []
  return [[name, { name, file, kind, comment, text, members, shapes: [] }]]
}

/**
 * The objects that a type is put together from; those inside of members and of functions are part of them.
 *
 * @param {import('oxc-parser').TSType | null} type
 * @returns {import('oxc-parser').TSTypeLiteral[]}
 */
function objectsIn(type) {
  if (!type) return []
  return type.type === 'TSTypeLiteral' ? [type] : partsOf(type).flatMap(objectsIn)
}

/**
 * @param {import('oxc-parser').TSType} type
 * @returns {readonly (import('oxc-parser').TSType | null)[]}
 */
function partsOf(type) {
  if (type.type === 'TSUnionType' || type.type === 'TSIntersectionType') return type.types
  if (type.type === 'TSConditionalType') return [type.trueType, type.falseType]
  if (type.type === 'TSTypeReference') return type.typeArguments?.params ?? []
  if (type.type === 'TSArrayType') return [type.elementType]
  if (type.type === 'TSIndexedAccessType') return [type.objectType]
  if (type.type === 'TSMappedType' || type.type === 'TSTypeOperator') return [type.typeAnnotation]
  return type.type === 'TSParenthesizedType' ? [type.typeAnnotation] : []
}

/**
 * @param {import('oxc-parser').TSTypeLiteral} object
 * @param {string} source
 * @param {Comments} comments
 * @returns {Shape}
 */
function shapeOf({ start, members }, source, comments) {
  const before = source.slice(0, start).replace(/[|&(\s]+$/, '')
  const isMap = members.length === 1 && members[0]?.type === 'TSIndexSignature'
  return {
    comment: commentBefore(before.length, source, comments),
    members: members
      .filter(() => !isMap) // what a map holds is said by the sentence of the type
      .flatMap((member) =>
        memberOf(member, source, comments).map((one) => ({
          ...one,
          isTag: /^(?:readonly )?\w+\??: (?:'|true\b|false\b)/.test(one.text),
        })),
      ),
  }
}

/** An identifier, a name in quotes, or an index signature. */
const memberName = /^(?:(?:readonly|static|abstract|get|set) )*(\[[^\]]*\]|'[^']*'|"[^"]*"|[\w$]+)/

/**
 * @param {{ start: number, end: number }} member of an interface or a class
 * @param {string} source
 * @param {Comments} comments
 * @returns {Member[]} none for what is private
 */
function memberOf(member, source, comments) {
  const text = withoutComments(member.start, member.end, source, comments)
  if (/^(?:private|protected|#)/.test(text)) return []
  const name = memberName.exec(text)?.[1]
  return [{ name: name ?? '(call)', text, comment: commentBefore(member.start, source, comments) }]
}

/**
 * The comment that ends where something begins, as plain text.
 *
 * @param {number} start
 * @param {string} source
 * @param {Comments} comments
 */
function commentBefore(start, source, comments) {
  const before = comments.findLast(({ end }) => end <= start)
  const isDirectly = before && source.slice(before.end, start).trim() === ''
  if (!isDirectly || before.type !== 'Block' || !before.value.startsWith('*')) return ''
  return before.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
}

/**
 * @param {number} start
 * @param {number} end
 * @param {string} source
 * @param {Comments} comments
 */
function withoutComments(start, end, source, comments) {
  let text = ''
  let from = start
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue
    text += source.slice(from, comment.start).replace(/[ \t]+$/, '')
    from = comment.end
  }
  return (text + source.slice(from, end)).replaceAll(/\n\s*\n/g, '\n').trim()
}
