#!/usr/bin/env node
/**
 * The JSON Schemas of settings files and the tables in the docs, from the declarations that the programs read the files with.
 * `npm run check -- settings` compares them with what was built; `--write` writes them.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv, exit } from 'node:process'

import { toJsonSchema } from '@valibot/to-json-schema'
import { format } from 'oxfmt'
import * as v from 'valibot'

import { changedLines } from './api/changed-lines.mjs'
import { root } from './source-files.mjs'

const home = 'https://raw.githubusercontent.com/parley-mcp/parley/main/packages/cli/schemas'

/**
 * @typedef {object} SettingsFile
 * @property {string} name of the schema
 * @property {string} title
 * @property {string} module what was built of the declaration
 * @property {string} declared the export that declares the whole file
 * @property {string} page with the table, between two comments
 * @property {readonly string[]} [without] keys that the table leaves to another one
 */

/** @type {readonly SettingsFile[]} */
const files = [
  {
    name: 'gateway',
    title: 'Configuration of a Parley gateway',
    module: 'packages/gateway/dist/config/gateway-file.js',
    declared: 'gatewayFile',
    page: 'docs/gateway-configuration.md',
    without: ['$schema', 'mcpServers'],
  },
  {
    name: 'mcp',
    title: 'MCP servers, as Parley reads them',
    module: 'packages/foundation/dist/config/entries/server-settings.js',
    declared: 'serversFile',
    page: 'docs/configuration.md',
    without: ['$schema'],
  },
  {
    name: 'rules',
    title: 'Consent rules of a Parley host',
    module: 'packages/host/dist/consent/rules/rules-file.js',
    declared: 'rulesFile',
    page: 'docs/consent.md',
    without: ['$schema'],
  },
]

/** A text of each file that is made, by its path. */
export async function makeSettings() {
  /** @type {Map<string, string>} */
  const made = new Map()
  for (const { name, title, module, declared, page, without = [] } of files) {
    const declaration = (await import(join(root, module)))[declared]
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `${home}/${name}.json`,
      title,
      ...jsonSchemaOf(declaration),
    }
    const path = `packages/cli/schemas/${name}.json`
    made.set(path, (await format(path, JSON.stringify(schema), options)).code)
    const rows = rowsOf(declaration, '').filter(
      ({ key }) => !without.includes(key.split('.', 1)[0] ?? ''),
    )
    const text = made.get(page) ?? readFileSync(join(root, page), 'utf8')
    made.set(page, withTable(text, name, rows, page))
  }
  return made
}

const options = { printWidth: 100 }

/** @param {v.GenericSchema} declaration */
function jsonSchemaOf(declaration) {
  const schema = toJsonSchema(declaration, {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-07',
  })
  delete schema.$schema
  return plain(schema)
}

/** Without notes for the docs, and with `false` where nothing else may be. @param {any} schema @returns {any} */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map((each) => plain(each))
  if (typeof schema !== 'object' || schema === null) return schema
  const pairs = Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'properties') {
      const members = Object.entries(value).map(([key, member]) => [key, plain(member)])
      return [[name, Object.fromEntries(members)]]
    }
    if (name === 'see' || name === 'reload' || name === 'example') return []
    if (name === 'default' && !fits(value, schema)) return []
    if (name === 'additionalProperties' && isNever(value)) return [[name, false]]
    return [[name, plain(value)]]
  })
  return withKinds(Object.fromEntries(pairs))
}

/** Editors offer the words of `type` only where they stand beside the alternatives. @param {any} schema */
function withKinds(schema) {
  const kinds = schema.anyOf?.map((/** @type {any} */ each) => each.properties?.type?.const) ?? []
  if (kinds.length === 0 || kinds.includes(undefined)) return schema
  return { ...schema, type: 'object', properties: { type: { enum: kinds } }, required: ['type'] }
}

/** A default in words is for the docs alone. @param {any} value @param {any} schema */
function fits(value, schema) {
  const kinds = schema.anyOf ?? [schema]
  return kinds.some(
    (/** @type {any} */ kind) =>
      kind.enum?.includes(value) ?? (typeof value !== 'string' && kind.type === typeof value),
  )
}

/** @param {any} schema */
function isNever(schema) {
  return typeof schema === 'object' && schema !== null && JSON.stringify(schema) === '{"not":{}}'
}

/** @typedef {{ key: string, default: string, meaning: string, see: string | undefined }} Row */

/**
 * @param {any} schema a Valibot schema
 * @param {string} base the key that it stands under
 * @returns {Row[]}
 */
function rowsOf(schema, base) {
  return Object.entries(membersOf(schema)).flatMap(([name, member]) => {
    const inner = member.wrapped ?? member
    /** @type {import('../packages/foundation/src/settings/index.ts').SettingNotes} */
    const notes = v.getMetadata(inner)
    const key = base === '' ? name : `${base}.${name}`
    const meaning = v.getDescription(inner) ?? ''
    const restart = notes.reload === 'start' ? ' A change needs a restart.' : ''
    const own = { key, default: written(notes.default), meaning: meaning + restart, see: notes.see }
    const below = nested(inner, key)
    return own.meaning === '' ? below : [own, ...below]
  })
}

/** @param {any} schema @param {string} key @returns {Row[]} */
function nested(schema, key) {
  switch (schema.type) {
    case 'variant': {
      const kinds = schema.options.map((/** @type {any} */ each) => {
        const kind = each.entries[schema.key]
        return `\`${kind.literal}\`: ${v.getDescription(kind)?.replace(/\.$/, '')}`
      })
      const own = {
        key: `${key}.${schema.key}`,
        default: '',
        meaning: `${kinds.join('; ')}.`,
        see: undefined,
      }
      const rest = unique(schema.options.flatMap((/** @type {any} */ each) => nested(each, key)))
      return [own, ...rest.filter((row) => row.key !== own.key)]
    }
    case 'union':
      return unique(schema.options.flatMap((/** @type {any} */ each) => nested(each, key)))
    case 'array':
      return nested(schema.item, `${key}[]`)
    case 'record':
      return nested(schema.value, `${key}.*`)
    default:
      return rowsOf(schema, key)
  }
}

/** One row per key: variants share some. @param {readonly Row[]} rows */
function unique(rows) {
  /** @type {Map<string, Row>} */
  const first = new Map()
  for (const row of rows) if (!first.has(row.key)) first.set(row.key, row)
  return [...first.values()]
}

/** @param {any} schema @returns {Record<string, any>} */
function membersOf(schema) {
  return schema.entries ?? {}
}

/** @param {string | number | boolean | undefined} value */
function written(value) {
  if (value === undefined) return ''
  return typeof value === 'string' && /[ ]/.test(value) && !value.startsWith('{')
    ? value
    : `\`${value}\``
}

/**
 * @param {string} text
 * @param {string} name
 * @param {readonly Row[]} rows
 * @param {string} page
 */
function withTable(text, name, rows, page) {
  const own = page.replace(/^docs\//, '')
  const lines = rows.map(({ key, default: usual, meaning, see }) => {
    const target = see?.startsWith(`${own}#`) ? see.slice(own.length) : see
    const cell = target === undefined ? `\`${key}\`` : `[\`${key}\`](${target})`
    return `| ${cell} | ${usual} | ${meaning.replaceAll('|', '\\|')} |`
  })
  const table = ['| key | default | meaning |', '|---|---|---|', ...lines].join('\n')
  const [start, end] = [`<!-- settings:${name} -->`, `<!-- /settings:${name} -->`]
  const at = text.indexOf(start)
  const to = text.indexOf(end)
  if (at === -1 || to === -1) throw new Error(`${page} has no ${start} … ${end}`)
  return `${text.slice(0, at + start.length)}\n\n${table}\n\n${text.slice(to)}`
}

const made = await makeSettings()
const problems = []
for (const [path, text] of made) {
  const file = join(root, path)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before === text) continue
  if (argv.includes('--write')) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } else problems.push(`${path}\n${changedLines(before, text).join('\n')}`)
}
for (const problem of problems) console.error(`${problem}\n`)
if (problems.length > 0) exit(1)
