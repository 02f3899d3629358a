/** The programs that a user copies from our pages. */

import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Program
 * @property {string} code
 * @property {readonly string[]} expected what it prints, from its comments `// → …`
 */

/**
 * The TypeScript programs of a page. They run as JavaScript too: none of the first ones has types in it.
 *
 * @param {string} path
 * @returns {Program[]}
 */
export function readPrograms(path) {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^```ts(?: run)?\n(.*?)^```$/gms)].map(([, code = '']) => ({
    code,
    expected: expectedOf(code),
  }))
}

/**
 * The first TypeScript program below a heading, whatever checks it elsewhere.
 *
 * @param {string} path
 * @param {string} heading
 * @returns {Program}
 */
export function readRecipe(path, heading) {
  const [, section = ''] = readFileSync(path, 'utf8').split(`\n## ${heading}\n`)
  const [, code] = /^```ts[^\n]*\n(.*?)^```$/ms.exec(section) ?? []
  if (code === undefined) throw new Error(`${path} has no program below ${heading}`)
  return { code, expected: expectedOf(code) }
}

/** @param {string} code */
function expectedOf(code) {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line.trimEnd())
}

/**
 * The server and the client at the beginning of a page.
 *
 * @param {string} path
 * @param {readonly string[]} runtime the command that runs a file, for the server that the client starts
 */
export function readServerAndClient(path, runtime) {
  const [server, client] = readPrograms(path)
  if (server === undefined || client === undefined) throw new Error(`${path} has no two programs`)
  const [command, ...args] = runtime
  const [written, file] = /\{ command: 'node', args: \['([\w.-]+)'\] \}/.exec(client.code) ?? []
  if (written === undefined || file === undefined)
    throw new Error(`${path}: the client starts no server`)
  const started = `{ command: ${JSON.stringify(command)}, args: ${JSON.stringify([...args, file])} }`
  return { file, server, client: { ...client, code: client.code.replace(written, () => started) } }
}

/** One file that requires what another part of the program imports: there must be one copy of it. */
export const commonJsProgram = `
const { RpcError, isRpcError } = require('@parley/mcp')
const { createServer } = require('@parley/mcp/server')
const { createTestClient } = require('@parley/mcp/testing')

async function main() {
  const imported = await import('@parley/mcp')
  if (imported.RpcError !== RpcError) throw new Error('two copies of one class')
  const server = createServer({ name: 'echo', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  const client = await createTestClient(server)
  const result = await client.callTool('echo')
  console.log(result.content[0].text)
  const error = await client.callTool('absent').catch((reason) => reason)
  console.log(error instanceof imported.RpcError && isRpcError(error))
  await client.close()
}

main()
`
