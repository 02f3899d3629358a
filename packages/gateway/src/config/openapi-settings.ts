import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { readDocument, syntaxOf, type ConfigProblem } from '@parley/foundation/config'
import { section, type SettingsPath } from '@parley/foundation/settings'
import { errorMessage, isJsonObject } from '@parley/mcp/json'

import { maxDocumentBytes } from '../openapi/document-size.ts'
import type { OpenApiEntry } from '../openapi/openapi-entry.ts'
import { toolsOf } from '../openapi/openapi-tools.ts'
import type { ConfigFaults } from './config-faults.ts'
import { readOutgoingAuth } from './outgoing-auth-settings.ts'
import { openApiFields } from './server-declaration.ts'

/** An entry with `openapi`, and the file it depends on. */
export interface ReadOpenApi {
  readonly entry: OpenApiEntry
  readonly file: string | undefined
}

const fields = section(openApiFields)

/** Reads a server of `openapi: FILE|URL`; its variables have values already. */
export async function readOpenApi(
  value: unknown,
  path: SettingsPath,
  given: {
    readonly folder: string
    readonly problems: ConfigProblem[]
    readonly faults: ConfigFaults
  },
): Promise<ReadOpenApi | undefined> {
  const { folder, problems, faults } = given
  const members = Object.entries(isJsonObject(value) ? value : {})
  for (const [name] of members) {
    if (name !== 'command' && name !== 'url') continue
    faults.fault([...path, name], 'cannot be combined with openapi', 'Keep only one.')
  }
  const known = members.filter(([name]) => Object.hasOwn(openApiFields, name))
  const read = faults.read(fields, Object.fromEntries(known), path)
  if (read?.openapi === undefined) return undefined
  const { openapi: where, auth, headers, limits, ...others } = read
  const settings = {
    ...others,
    headers: { ...headers, ...staticHeaders(auth, [...path, 'auth'], faults) },
    answerBytes: limits?.answer,
    pages: limits?.pages,
  }
  if (/^https?:\/\//i.test(where)) {
    return { entry: { openapi: { url: where }, ...settings }, file: undefined }
  }
  const file = resolve(folder, where.replace(/^file:/, ''))
  const document = await readText([...path, 'openapi'], file, faults)
  if (document === undefined) return undefined
  const entry: OpenApiEntry = { openapi: { document }, ...settings }
  checkDocument(path, { entry, document, file, problems, faults })
  return { entry, file }
}

/** Every caller has the same credentials for an API; credentials of a caller are for MCP servers. */
function staticHeaders(auth: unknown, path: SettingsPath, faults: ConfigFaults) {
  if (auth === undefined) return undefined
  const incoming = { kind: 'jwt', audiences: [], isStdio: false } as const
  const url = 'https://api.invalid'
  const read = readOutgoingAuth(auth, path, { url, incoming }, faults)
  if (read.auth !== undefined) {
    const fix = 'Use type: static, or credentials by the names of its security schemes.'
    faults.fault(path, `with type ${read.auth.type} is for MCP servers`, fix)
  }
  return read.headers
}

async function readText(
  path: SettingsPath,
  file: string,
  faults: ConfigFaults,
): Promise<string | undefined> {
  try {
    const bytes = await readFile(file)
    if (bytes.length <= maxDocumentBytes) return bytes.toString('utf8')
    const what = `is larger than ${maxDocumentBytes} bytes: ${file}`
    faults.fault(path, what, 'Name a part of it.')
  } catch (error) {
    faults.fault(path, `cannot be read: ${errorMessage(error)}`, 'Correct the path.')
  }
  return undefined
}

/** A document that is not JSON or YAML is reported with its own line; anything else it lacks, at the entry. */
function checkDocument(
  path: SettingsPath,
  given: {
    readonly entry: OpenApiEntry
    readonly document: string
    readonly file: string
    readonly problems: ConfigProblem[]
    readonly faults: ConfigFaults
  },
): void {
  const { entry, document, file, problems, faults } = given
  const isJson = /^\s*\{/.test(document)
  const [problem] = isJson ? readDocument(document, syntaxOf('document.json')).problems : []
  try {
    const { tools, skipped } = toolsOf(entry, document, undefined)
    for (const { operation, reason } of skipped.slice(0, 20)) {
      const what = `${operation.method.toUpperCase()} ${operation.path} is left out: ${reason}`
      faults.warn([...path, 'openapi'], what, 'Exclude it under operations, or correct it.')
    }
    if (tools.length > 0) return
    const fix = 'Widen operations.include, or narrow operations.exclude.'
    faults.fault([...path, 'operations'], 'leaves no operation', fix)
  } catch (error) {
    const why = errorMessage(error)
    const line = problem?.line ?? Number(/\bline (\d+)/.exec(why)?.[1])
    const [what = why, ...fix] = why.split(/: (?=[a-z])/)
    if (/^the document is not (?:JSON|YAML)/.test(why) && line > 0) {
      const message = `is not ${isJson ? 'JSON' : 'YAML'}: ${problem?.message ?? fix.join(': ').split('\n')[0]}`
      problems.push({ level: 'error', file, line, key: '', message, fix: 'Correct the document.' })
    } else {
      const cure =
        fix.length === 0 ? 'Correct the document, or name another.' : sentence(fix.join(': '))
      faults.fault([...path, 'openapi'], `cannot be used: ${what}`, cure)
    }
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
