/** Editors complete settings files by the published schemas: asked of the language servers that editors use. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { getLanguageService as getJsonService, TextDocument } from 'vscode-json-languageservice'

const schemaText = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../packages/cli/schemas/${name}.json`), 'utf8')
const home = 'https://raw.githubusercontent.com/parley-mcp/parley/main/packages/cli/schemas'

interface YamlService {
  configure(settings: object): void
  doComplete(document: TextDocument, position: object, isKubernetes: boolean): Promise<Completed>
  doValidation(document: TextDocument, isKubernetes: boolean): Promise<readonly Fault[]>
  doHover(document: TextDocument, position: object): Promise<{ readonly contents: unknown } | null>
}
interface Completed {
  readonly items: readonly { readonly label: string }[]
}
interface Fault {
  readonly message: string
  readonly range: { readonly start: { readonly line: number } }
}

function yamlService(): YamlService {
  // The package has types for other compiler options only.
  const { getLanguageService } = createRequire(import.meta.url)('yaml-language-server') as {
    getLanguageService(context: object): YamlService
  }
  const service = getLanguageService({
    schemaRequestService: async (uri: string) => schemaText(/([a-z]+)\.json$/.exec(uri)?.[1] ?? ''),
    workspaceContext: { resolveRelativePath: (path: string) => path },
    telemetry: { send() {}, sendError() {}, sendTrack() {} },
  })
  service.configure({ validate: true, completion: true, hover: true, schemas: [] })
  return service
}

let documents = 0

/** The text with the cursor at `|`. */
function openDocument(marked: string, language: 'yaml' | 'json', name: string) {
  documents += 1 // the server keeps documents by name and version
  const document = TextDocument.create(
    `file:///${name}`,
    language,
    documents,
    marked.replace('|', ''),
  )
  return { document, position: document.positionAt(marked.indexOf('|')) }
}

const line = `# yaml-language-server: $schema=${home}/gateway.json\n`

test.each([
  ['|', ['servers', 'listen', 'policy', 'audit', '$schema']],
  ['servers:\n  git:\n    |', ['command', 'mode', 'startTimeout', 'auth']],
  ['listen:\n  |', ['http', 'trustedProxies', 'tls']],
  ['naming: |', ['prefix', 'priority', 'manual']],
  ['servers:\n  docs:\n    auth:\n      type: |', ['static', 'user']],
])('gateway.yaml is completed: %j', async (text, expected) => {
  const { document, position } = openDocument(line + text, 'yaml', 'gateway.yaml')

  const { items } = await yamlService().doComplete(document, position, false)

  expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(expected))
})

test('gateway.yaml is checked: an unknown key and a wrong word are underlined', async () => {
  const text = `${line}servers: {}\nnameing: prefix\npage: { prot: 1 }\nsearch: maybe\n`
  const { document } = openDocument(text, 'yaml', 'gateway.yaml')

  const faults = await yamlService().doValidation(document, false)

  expect(faults.map(({ range }) => range.start.line)).toEqual(expect.arrayContaining([2, 3, 4]))
})

test.each([
  ['gateway', '"page": { | }', ['port', 'host', 'record', 'keep']],
  ['mcp', '"mcpServers": { "git": { | } }', ['command', 'url', 'envFile', 'timeout']],
  ['mcp', '"mcpServers": { "git": { "era": | } }', ['"auto"', '"modern"']],
  ['rules', '"rules": [ { | } ]', ['server', 'tool', 'decision', 'when']],
  ['rules', '"rules": [ { "decision": | } ]', ['"allow"', '"ask"', '"deny"']],
])('%s.json is completed by its $schema: %s', async (name, text, expected) => {
  const service = getJsonService({ schemaRequestService: async () => schemaText(name) })
  const whole = `{ "$schema": "${home}/${name}.json", ${text} }`
  const { document, position } = openDocument(whole, 'json', `${name}.json`)

  const completed = await service.doComplete(
    document,
    position,
    service.parseJSONDocument(document),
  )

  const labels = completed?.items.map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(expected))
})
