import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import {
  memberOf,
  readDocument,
  syntaxOf,
  type ConfigNode,
  type ConfigProblem,
} from '@parley/foundation/config'
import { isJsonObject, errorMessage } from '@parley/mcp/json'
import type { OpenApiCredential, HttpMethod, OperationFilter } from '@parley/tools/openapi'

import { readBytes } from '../bridge/byte-size.ts'
import { maxDocumentBytes } from '../openapi/document-size.ts'
import type { OpenApiEntry, OpenApiOperations } from '../openapi/openapi-entry.ts'
import { toolsOf } from '../openapi/openapi-tools.ts'
import type { ConfigReader } from './config-reader.ts'
import { readOutgoingAuth } from './outgoing-auth-settings.ts'

/** What an entry with `openapi` says, and the file it depends on. */
export interface ReadOpenApi {
  readonly entry: OpenApiEntry
  readonly file: string | undefined
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Reads a server of `openapi: FILE|URL`; its variables have values already. */
export async function readOpenApi(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  { folder, problems }: { readonly folder: string; readonly problems: ConfigProblem[] },
): Promise<ReadOpenApi | undefined> {
  const where = reader.text(node, 'openapi', `${key}.openapi`)
  for (const other of ['command', 'url']) {
    const both = memberOf(node, other)?.node
    if (both) reader.fault(both, `${key}.${other}`, 'stands beside openapi', 'Keep only one.')
  }
  if (where === undefined) return undefined
  const limits = memberOf(node, 'limits')?.node
  const settings = {
    baseUrl: reader.text(node, 'baseUrl', `${key}.baseUrl`),
    hosts: reader.texts(node, 'hosts', `${key}.hosts`),
    allowPrivate: reader.boolean(node, 'allowPrivate', `${key}.allowPrivate`),
    operations: readOperations(reader, memberOf(node, 'operations')?.node, `${key}.operations`),
    credentials: readCredentials(reader, memberOf(node, 'credentials')?.node, `${key}.credentials`),
    headers: { ...readHeaders(reader, node, key), ...readStatic(reader, node, key) },
    answerBytes: reader.parsed(limits, 'answer', `${key}.limits.answer`, readBytes),
    pages: reader.parsed(limits, 'pages', `${key}.limits.pages`, readPages),
  }
  if (/^https?:\/\//i.test(where)) {
    return { entry: { openapi: { url: where }, ...settings }, file: undefined }
  }
  const file = resolve(folder, where.replace(/^file:/, ''))
  const at = memberOf(node, 'openapi')?.node ?? node
  const document = await readText(reader, at, `${key}.openapi`, file)
  if (document === undefined) return undefined
  const entry: OpenApiEntry = { openapi: { document }, ...settings }
  checkDocument(reader, at, key, { entry, document, file, problems })
  return { entry, file }
}

async function readText(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  file: string,
): Promise<string | undefined> {
  try {
    const bytes = await readFile(file)
    if (bytes.length <= maxDocumentBytes) return bytes.toString('utf8')
    reader.fault(
      node,
      key,
      `is larger than ${maxDocumentBytes} bytes: ${file}`,
      'Name a part of it.',
    )
  } catch (error) {
    reader.fault(node, key, `cannot be read: ${errorMessage(error)}`, 'Correct the path.')
  }
  return undefined
}

/** Where the document itself is no JSON or YAML, its own line is told; what it lacks is told at the entry. */
function checkDocument(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  context: {
    readonly entry: OpenApiEntry
    readonly document: string
    readonly file: string
    readonly problems: ConfigProblem[]
  },
): void {
  const { entry, document, file, problems } = context
  const isJson = /^\s*\{/.test(document)
  const [problem] = isJson ? readDocument(document, syntaxOf('document.json')).faults : []
  try {
    const { tools, skipped } = toolsOf(entry, document, undefined)
    for (const { operation, reason } of skipped.slice(0, 20)) {
      const what = `${operation.method.toUpperCase()} ${operation.path} is left out: ${reason}`
      reader.warn(node, `${key}.openapi`, what, 'Exclude it under operations, or correct it.')
    }
    if (tools.length > 0) return
    const fix = 'Widen operations.include, or narrow operations.exclude.'
    reader.fault(node, `${key}.operations`, 'leaves no operation', fix)
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
      reader.fault(node, `${key}.openapi`, `cannot be used: ${what}`, cure)
    }
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function readPages(text: string, key: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new Error(`${key} ${JSON.stringify(text)} is no number of pages: write 1 to 999`)
}

function readOperations(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  key: string,
): OpenApiOperations | undefined {
  if (node === undefined) return undefined
  const fields = reader.object(node, key, ['include', 'exclude', 'rename'])
  if (fields === undefined) return undefined
  const rename = memberOf(fields, 'rename')?.node
  const include = readFilters(reader, memberOf(fields, 'include')?.node, `${key}.include`)
  const exclude = readFilters(reader, memberOf(fields, 'exclude')?.node, `${key}.exclude`)
  return {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(rename && { rename: readTexts(reader, rename, `${key}.rename`, 'OPERATION: name') }),
  }
}

const filterNames = ['tags', 'paths', 'methods', 'operationIds', 'deprecated']

/** One filter, or several. */
function readFilters(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  key: string,
): readonly OperationFilter[] | undefined {
  if (node === undefined) return undefined
  const nodes = Array.isArray(node.value) ? node.items : [node]
  return nodes.flatMap((each, at): OperationFilter[] => {
    const name = Array.isArray(node.value) ? `${key}.${at}` : key
    const fields = reader.object(each, name, filterNames)
    if (fields === undefined) return []
    const wanted = reader
      .texts(fields, 'methods', `${name}.methods`)
      ?.map((text) => text.toLowerCase())
    const wrong = wanted?.find((candidate) => !methods.some((method) => method === candidate))
    if (wrong !== undefined) {
      const methodsNode = memberOf(fields, 'methods')?.node ?? each
      reader.fault(
        methodsNode,
        `${name}.methods`,
        `is unknown: ${wrong}`,
        `Use ${methods.join(', ')}.`,
      )
    }
    return [
      {
        tags: reader.texts(fields, 'tags', `${name}.tags`),
        paths: reader.texts(fields, 'paths', `${name}.paths`),
        operationIds: reader.texts(fields, 'operationIds', `${name}.operationIds`),
        deprecated: reader.boolean(fields, 'deprecated', `${name}.deprecated`),
        methods: wanted as readonly HttpMethod[] | undefined, // each was just looked up
      },
    ]
  })
}

function readCredentials(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  key: string,
): { readonly [scheme: string]: OpenApiCredential } | undefined {
  if (node === undefined) return undefined
  if (!isJsonObject(node.value)) {
    const fix = `Write ${key}: { SCHEME: "\${secret:NAME}" }.`
    reader.fault(node, key, 'must be an object', fix)
    return undefined
  }
  const pairs = node.members.flatMap(({ name, node: value }): [string, OpenApiCredential][] => {
    if (typeof value.value === 'string') return [[name, value.value]]
    const object = reader.object(value, `${key}.${name}`, ['username', 'password'])
    const username = reader.text(object, 'username', `${key}.${name}.username`)
    const password = reader.text(object, 'password', `${key}.${name}.password`)
    if (username !== undefined && password !== undefined) return [[name, { username, password }]]
    if (object) {
      const fix = 'Write a text, or { username, password }.'
      reader.fault(value, `${key}.${name}`, 'is no credential', fix)
    }
    return []
  })
  return Object.fromEntries(pairs)
}

function readHeaders(reader: ConfigReader, parent: ConfigNode, key: string) {
  const node = memberOf(parent, 'headers')?.node
  return node && readTexts(reader, node, `${key}.headers`, 'NAME: "value"')
}

/** An API is called with what is always the same; for who calls, there are servers of MCP. */
function readStatic(reader: ConfigReader, parent: ConfigNode, key: string) {
  const node = memberOf(parent, 'auth')?.node
  if (node === undefined) return undefined
  const incoming = { kind: 'jwt', audiences: [], isStdio: false } as const
  const url = 'https://api.invalid'
  const { auth, headers } = readOutgoingAuth(reader, node, `${key}.auth`, { url, incoming })
  if (auth !== undefined) {
    const fix = 'Use type: static, or credentials by the names of its security schemes.'
    reader.fault(node, `${key}.auth`, `with type ${auth.type} is for servers of MCP`, fix)
  }
  return headers
}

function readTexts(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  example: string,
): { readonly [name: string]: string } {
  const isFine =
    isJsonObject(node.value) && Object.values(node.value).every((each) => typeof each === 'string')
  if (isFine) return node.value as { readonly [name: string]: string } // just checked
  reader.fault(node, key, 'must be an object of texts', `Write ${key}: { ${example} }.`)
  return {}
}
