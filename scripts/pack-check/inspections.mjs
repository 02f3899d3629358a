/** What looks at the packages: the compiler, Jest, publint, and Are the types wrong? */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { readPublished } from '../packages/published.mjs'
import { root } from '../source-files.mjs'
import { run } from './command.mjs'
import { commonJsProgram, readServerAndClient } from './programs.mjs'
import { installTools } from './tools.mjs'

/** @typedef {import('./rows.mjs').Row} Row */

/** What a CommonJS file of a user does with types and values. */
export const commonJsTypes = `
import { RpcError, isRpcError, type Transport } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { connect, type Client } from '@parley/mcp/client'
import { oauthGuard } from '@parley/auth/resource'

export async function open(): Promise<Client> {
  const server: Server = createServer({ name: 'echo', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  return connect(server)
}
export function explain(error: unknown): string {
  if (isRpcError(error, 'invalid_params')) return error.message
  if (error instanceof RpcError) return (error satisfies RpcError).message
  return 'unknown'
}
export type Used = [Transport, typeof oauthGuard]
`

/** What needs nothing of Node, in a program that has another library beside it. */
const besideHono = `
import { createMcpHandler } from '@parley/mcp/http'
import { connect } from '@parley/mcp/client'
import { createServer, ToolError } from '@parley/mcp/server'
import { oauthGuard } from '@parley/auth/resource'
import { Hono } from 'hono'
import { z } from 'zod'

const server = createServer({ name: 'weather', version: '1.0.0' })
server.tool('forecast', { inputSchema: z.object({ city: z.string() }) }, ({ city }) => {
  if (city === '') throw new ToolError('which city?')
  return { celsius: 21 }
})
const handler = createMcpHandler(server)
export const app = new Hono().all('/mcp', (c) => handler.fetch(c.req.raw))
export const client = connect(server)
export { oauthGuard }
`

const onNode = `
import { serve } from '@parley/mcp/node'
import { serveStdio } from '@parley/mcp/stdio'
export { serve, serveStdio }
`

/**
 * The compiler's options that a page recommends.
 *
 * @param {string} path
 * @returns {object}
 */
function settingsOf(path) {
  const [, text] =
    /^```json\n(\{ "compilerOptions".*?)\n```$/ms.exec(readFileSync(path, 'utf8')) ?? []
  if (text === undefined) throw new Error(`${path} has no settings of the compiler`)
  return JSON.parse(text).compilerOptions
}

/** @param {string} version @returns {Row} */
export function typescript(version) {
  return {
    name: `typescript${version}`,
    needsProject: true,
    async start() {
      const tools = await installTools([`typescript@${version}`, '@types/node@20', 'hono@4'])
      const tsc = join(tools, 'node_modules/typescript/bin/tsc')
      const typeRoots = [join(tools, 'node_modules/@types')]
      /** @param {import('./project.mjs').Project} project @param {string} folder @param {object} options */
      const compile = (
        { folder: cwd, write },
        folder,
        options,
        files = /** @type {string[] | undefined} */ (undefined),
      ) => {
        const compilerOptions = {
          strict: true,
          noEmit: true,
          target: 'es2022',
          lib: ['es2023', 'esnext.disposable'],
          types: ['node'],
          typeRoots,
          skipLibCheck: false,
          ...options,
        }
        const config = write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files }))
        return run([execPath, tsc, '-p', config], { cwd })
      }
      /** @param {import('./project.mjs').Project} project */
      const settings = async (project) => {
        project.write('settings/main.ts', besideHono)
        project.write('settings/node.ts', onNode)
        const hono = join(tools, 'node_modules/hono/dist/types/index.d.ts')
        const own = { ...settingsOf(join(root, 'docs/get-started.md')), paths: { hono: [hono] } }
        await compile(project, 'settings', { ...own, types: [] }, ['main.ts'])
        await compile(project, 'settings', { ...own, types: ['node'] }, ['main.ts', 'node.ts'])
      }
      return {
        // Older compilers do not read the declarations of Hono and Zod.
        ...(version !== '5.4' && { settings }),
        README: async (project) => {
          const { server, client } = readServerAndClient(join(root, 'README.md'), ['node'])
          project.write('esm/notes.ts', server.code)
          project.write('esm/client.ts', client.code)
          for (const module of ['node16', 'nodenext']) await compile(project, 'esm', { module })
          await compile(project, 'esm', { module: 'esnext', moduleResolution: 'bundler' })
        },
        require: async (project) => {
          project.write('commonjs/package.json', '{ "type": "commonjs" }')
          project.write('commonjs/main.ts', commonJsTypes)
          for (const module of ['node16', 'nodenext'])
            await compile(project, 'commonjs', { module })
        },
      }
    },
  }
}

/** @type {Row} */
export const jest = {
  name: 'jest',
  needsProject: true,
  async start() {
    const tools = await installTools(['jest@30', 'babel-jest@30', '@babel/preset-env@7'])
    return {
      require: async ({ folder, write }) => {
        write('jest/package.json', '{ "type": "commonjs" }')
        write('jest/jest.config.json', JSON.stringify(jestConfig(tools)))
        write('jest/echo.test.js', jestTest)
        const main = join(tools, 'node_modules/jest/bin/jest.js')
        await run([execPath, main, '--config', 'jest.config.json'], { cwd: join(folder, 'jest') })
      },
    }
  },
}

/** As docs/testing.md has it. @param {string} tools */
function jestConfig(tools) {
  const presets = [
    [join(tools, 'node_modules/@babel/preset-env'), { targets: { node: 'current' } }],
  ]
  return {
    transform: { '\\.[cm]?js$': [join(tools, 'node_modules/babel-jest'), { presets }] },
    transformIgnorePatterns: ['/node_modules/(?!(@parley|eventsource-parser)/)'],
  }
}

const jestTest = `
${commonJsProgram.replace(/\nmain\(\)\n$/, '')}
test('a server in a CommonJS test', async () => {
  const printed = []
  jest.spyOn(console, 'log').mockImplementation((value) => printed.push(value))
  await main()
  expect(printed).toEqual(['hello', true])
})
`

/** As its command does with `--strict`, but for all packages in one process: its start takes longer than its work. */
const publintProgram = `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [sources, ...tarballs] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(join(sources, name)).href)
const [{ publint }, { formatMessage }] = await Promise.all([load('index-node.js'), load('utils.js')])
for (const path of tarballs) {
  const { buffer } = Uint8Array.from(readFileSync(path))
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  for (const message of messages) {
    if (message.type === 'suggestion') continue
    console.error(path + ': ' + formatMessage(message, pkg))
    process.exitCode = 1
  }
}
`

/** @type {Row} */
export const publint = {
  name: 'publint',
  needsProject: false,
  async start() {
    const tools = await installTools(['publint@0.3'])
    return {
      packages: async ({ folder, tarballs, write }) => {
        const program = write('publint.mjs', publintProgram)
        const paths = tarballs.map(({ path }) => path)
        await run([execPath, program, join(tools, 'node_modules/publint/src'), ...paths], {
          cwd: folder,
        })
      },
    }
  },
}

/**
 * Not `node10`: it knows no `exports`, and TypeScript 7 has dropped it.
 *
 * @type {Row}
 */
export const types = {
  name: 'attw',
  needsProject: false,
  async start() {
    const tools = await installTools(['@arethetypeswrong/cli@0.18'])
    const main = join(tools, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const forCommonJs = readPublished().filter(({ manifest }) =>
      JSON.stringify(manifest['exports'] ?? {}).includes('"require"'),
    )
    const offersRequire = new Set(forCommonJs.map(({ name }) => name))
    return {
      packages: async ({ folder, tarballs }) => {
        for (const { name, path } of tarballs) {
          const profile = offersRequire.has(name) ? 'node16' : 'esm-only'
          await run([execPath, main, path, '--profile', profile, '--no-emoji'], { cwd: folder })
        }
      },
    }
  },
}
