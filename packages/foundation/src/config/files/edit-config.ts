import { applyEdits, modify } from 'jsonc-parser'

import { memberOf, readDocument, syntaxOf } from './config-document.ts'
import { formatOfPath, rulesOf, type ConfigFormat } from './config-format.ts'
import { lineDiff } from './line-diff.ts'
import { loadYaml } from './load-yaml.ts'
import { setInJson } from './set-in-json.ts'

/** A change of one file that nobody has written yet. */
export interface ConfigEdit {
  /** The file to write. */
  readonly file: string
  /** What it holds now. */
  readonly before: string
  /** What it will hold. Comments and order stay. */
  readonly after: string
  /** What to show before writing. */
  readonly diff: string
}

/** What is to be changed. */
export interface EditOptions {
  /** The file, whose name tells the format if `format` does not. */
  readonly file: string
  /** What the file holds now; empty for one that is new. */
  readonly text: string
  /** Which product's format it has. @defaultValue told by the name and place of the file */
  readonly format?: ConfigFormat | undefined
  /** Servers by name; `undefined` removes one. */
  readonly servers: { readonly [name: string]: object | undefined }
  /** Questions to add, for formats that have them; of those with the same id, the old one stays. */
  readonly inputs?: readonly { readonly id: string }[] | undefined
}

/** Changes servers in the text of a file and nothing else: comments, order and spaces stay as they are. */
export function editConfig(options: EditOptions): ConfigEdit {
  const { file, text, format = formatOfPath(file), servers, inputs = [] } = options
  const syntax = syntaxOf(file)
  if (syntax === 'toml') {
    throw new Error(`${file} is TOML, which is read but not written. Change it with an editor.`)
  }
  const { root, faults } = readDocument(text, syntax)
  const [fault] = faults
  if (fault !== undefined) {
    throw new Error(`${file} line ${fault.line} is invalid: ${fault.message}. Correct it first.`)
  }
  const { serversKey: usual, hasInputs } = rulesOf(format)
  const serversKey = [usual, 'mcpServers', 'servers'].find((key) => memberOf(root, key)) ?? usual
  const known = memberOf(root, 'inputs')?.node.items.map(({ value }) => value) ?? []
  const ids = new Set(known.map((input) => (input as { readonly id?: unknown } | null)?.id)) // read, not trusted
  const missing = hasInputs ? inputs.filter(({ id }) => !ids.has(id)) : []
  const changes: Change[] = [
    ...Object.entries(servers).map(([name, value]): Change => [[serversKey, name], value]),
    ...(missing.length > 0 ? [[['inputs'], [...known, ...missing]] satisfies Change] : []),
  ]
  const after = syntax === 'yaml' ? editYaml(text, changes) : editJson(text, changes)
  return { file, before: text, after, diff: lineDiff(text, after) }
}

type Change = readonly [path: readonly string[], value: unknown]

function editJson(text: string, changes: readonly Change[]): string {
  const start = text.trim() === '' ? '{}\n' : text
  return changes.reduce(
    (current, [path, value]) =>
      value === undefined
        ? applyEdits(current, modify(current, [...path], undefined, {}))
        : setInJson(current, path, value),
    start,
  )
}

function editYaml(text: string, changes: readonly Change[]): string {
  const document = loadYaml().parseDocument(text.trim() === '' ? '{}' : text)
  for (const [path, value] of changes) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
  }
  return document.toString({ flowCollectionPadding: true })
}
