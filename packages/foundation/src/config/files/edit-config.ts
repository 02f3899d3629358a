import { isJsonObject } from '@parley/mcp/json'
import { applyEdits, modify } from 'jsonc-parser'

import { lineDiff } from '../../diff.ts'
import { memberOf, readDocument, syntaxOf } from './config-document.ts'
import { formatOfPath, isConfigFormat, rulesOf, type WritableFormat } from './config-format.ts'
import { loadYaml } from './load-yaml.ts'
import { setInJson } from './set-in-json.ts'
import { setInToml, UnwritableToml } from './toml-edit.ts'

/** A change of one file that nobody has written yet. */
export interface ConfigEdit {
  /** The file to write. */
  readonly file: string
  /** The current content. */
  readonly before: string
  /** The new content. Comments and order stay. */
  readonly after: string
  /** The difference to show before writing. */
  readonly diff: string
}

/** The change. */
export interface EditOptions {
  /** The file, whose name tells the format if `format` does not. */
  readonly file: string
  /** The current content of the file; empty for a new one. */
  readonly text: string
  /** Which product's format it has. @defaultValue told by the name and place of the file */
  readonly format?: WritableFormat | undefined
  /** Servers by name; `undefined` removes one. */
  readonly servers: { readonly [name: string]: object | undefined }
  /** Questions to add, for formats that have them; of those with the same id, the old one stays. */
  readonly inputs?: readonly { readonly id: string }[] | undefined
}

/** Changes servers in the text of a file and nothing else: comments, order and spaces stay as they are. */
export function editConfig(options: EditOptions): ConfigEdit {
  const { file, text, format = formatOfPath(file), servers, inputs = [] } = options
  const syntax = syntaxOf(file)
  const rules = rulesOf(format)
  const isToml = rules.syntax === 'toml'
  if ((syntax === 'toml') !== isToml) {
    throw new Error(
      isToml
        ? `${file} is not a file of ${rules.title}, which uses TOML: name a file that ends in .toml.`
        : `${file} is TOML, which only Codex uses: name a file that ends in .json or .yaml.`,
    )
  }
  const { root, problems } = readDocument(text, syntax)
  const [problem] = problems
  if (problem !== undefined) {
    throw new Error(
      `${file} line ${problem.line} is invalid: ${problem.message}. Correct it first.`,
    )
  }
  const { serversKey: usual, hasInputs, hasList = false, blank = '' } = rules
  // Settings of other products may have keys of these names for something else.
  const keys = isConfigFormat(format) && !isToml ? [usual, 'mcpServers', 'servers'] : [usual]
  const serversKey = keys.find((key) => memberOf(root, key)) ?? usual
  if (isToml) {
    const after = editToml(file, text, serversKey, servers)
    return { file, before: text, after, diff: lineDiff(text, after) }
  }
  const existing = memberOf(root, 'inputs')?.node.items.map(({ value }) => value) ?? []
  const ids = new Set(existing.map((input) => (input as { readonly id?: unknown } | null)?.id)) // read, not trusted
  const missing = hasInputs ? inputs.filter(({ id }) => !ids.has(id)) : []
  const changes: Change[] = [
    ...Object.entries(servers).map(([name, value]): Change => [[serversKey, name], value]),
    ...(missing.length > 0 ? [[['inputs'], [...existing, ...missing]] satisfies Change] : []),
  ]
  const after =
    syntax === 'yaml'
      ? editYaml(text.trim() === '' ? blank : text, changes, hasList)
      : editJson(text, changes)
  return { file, before: text, after, diff: lineDiff(text, after) }
}

/** Whether a file has a server of that name, where its product looks for servers. */
export function hasServer(
  { file, text, format = formatOfPath(file) }: Pick<EditOptions, 'file' | 'text' | 'format'>,
  name: string,
): boolean {
  const { serversKey, hasList = false } = rulesOf(format)
  const servers = memberOf(readDocument(text, syntaxOf(file)).root, serversKey)?.node
  if (!hasList) return memberOf(servers, name) !== undefined
  return (servers?.items ?? []).some(({ value }) => isJsonObject(value) && value['name'] === name)
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

function editYaml(text: string, changes: readonly Change[], hasList: boolean): string {
  const { isMap, parseDocument } = loadYaml()
  const document = parseDocument(text.trim() === '' ? '{}' : text)
  if (text.trim() === '' && isMap(document.contents)) document.contents.flow = false
  for (const [path, value] of changes) {
    const editPath = hasList && path.length > 1 ? placeInList(document.toJS(), path) : path
    if (value === undefined) document.deleteIn(editPath)
    else if (hasList && document.getIn(editPath.slice(0, -1)) === undefined && path.length > 1) {
      document.setIn(editPath.slice(0, -1), document.createNode([value]))
    } else document.setIn(editPath, document.createNode(value))
  }
  return document.toString({ flowCollectionPadding: true, lineWidth: 0, ...styleOfYaml(text) })
}

/** The index of the item with that name, or that of a new one. */
function placeInList(
  value: unknown,
  [key = '', name = '']: readonly string[],
): readonly (string | number)[] {
  const list: unknown = isJsonObject(value) ? value[key] : undefined
  if (!Array.isArray(list)) return [key, 0]
  const at = list.findIndex((item: unknown) => isJsonObject(item) && item['name'] === name)
  return [key, at === -1 ? list.length : at]
}

/** How the file is indented already. */
function styleOfYaml(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  const [, spaces = '  '] = /^[^\s#-][^\n]*:[ \t]*\r?\n( +)[^\s#-]/m.exec(text) ?? []
  return { indent: spaces.length, indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text) }
}

function editToml(
  file: string,
  text: string,
  key: string,
  servers: EditOptions['servers'],
): string {
  try {
    return Object.entries(servers).reduce(
      (current, [name, entry]) => setInToml(current, [key, name], entry),
      text,
    )
  } catch (error) {
    if (!(error instanceof UnwritableToml)) throw error
    throw new Error(
      `${file} has ${key} in a form that cannot be changed without losing something: write it as tables, [${key}.name], or change it with an editor.`,
      { cause: error },
    )
  }
}
