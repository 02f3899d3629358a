/** The runtimes that run whole programs: versions of Node, Bun and Deno. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { arch, execPath, platform } from 'node:process'

import { root } from '../source-files.mjs'
import { expectLines, run } from './command.mjs'
import { commonJsProgram, readPrograms, readRecipe, readServerAndClient } from './programs.mjs'
import { installTools } from './tools.mjs'

/** @typedef {import('./project.mjs').Project} Project */
/** @typedef {import('./rows.mjs').Row} Row */

/** @type {readonly Row[]} */
export const runtimes = [
  node(20),
  node(22),
  node(24),
  {
    name: 'bun',
    needsProject: true,
    start: async () => withRecipe('Bun', [await binary('bun@1', 'bun')]),
  },
  {
    name: 'deno',
    needsProject: true,
    start: async () =>
      withRecipe('Deno', [await binary('deno@2', 'deno'), 'run', '--allow-all', '--quiet']),
  },
]

/** @param {number} major @returns {Row} */
function node(major) {
  return {
    name: `node${major}`,
    needsProject: true,
    async start() {
      const isThis = process.versions.node.startsWith(`${major}.`)
      const path = isThis ? execPath : await nodeBinary(major)
      await run([path, '--version'], { cwd: root })
      return { ...commandsOf([path]), ...programsOf(path) }
    },
  }
}

/** @param {number} major */
async function nodeBinary(major) {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const folder = await installTools([`${name}@${major}`])
  return join(folder, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')
}

/** @param {string} spec @param {string} name */
async function binary(spec, name) {
  const folder = await installTools([spec])
  const path = join(folder, 'node_modules/.bin', platform === 'win32' ? `${name}.cmd` : name)
  await run([path, '--version'], { cwd: folder })
  return path
}

/**
 * What every runtime can do, and its own recipe of the cookbook.
 *
 * @param {string} heading
 * @param {readonly [string, ...string[]]} runtime
 * @returns {import('./rows.mjs').Steps}
 */
function withRecipe(heading, runtime) {
  const steps = commandsOf(runtime)
  return {
    ...steps,
    HTTP: async (project) => {
      await steps.HTTP?.(project)
      const { code, expected } = readRecipe(join(root, 'docs/deploy.md'), heading)
      const file = project.write(`${heading.toLowerCase()}/main.ts`, code)
      expectLines(await run([...runtime, file], { cwd: project.folder }), expected)
    },
  }
}

/** What every runtime can do. @param {readonly [string, ...string[]]} runtime @returns {import('./rows.mjs').Steps} */
function commandsOf(runtime) {
  return {
    README: async ({ folder, write }) => {
      for (const [index, page] of readmePages(folder).entries()) {
        const { file, server, client } = readServerAndClient(page, runtime)
        write(`readme-${index}/${file}`, server.code)
        write(`readme-${index}/client.js`, client.code)
        const cwd = join(folder, `readme-${index}`)
        expectLines(await run([...runtime, 'client.js'], { cwd }), client.expected)
      }
    },
    HTTP: async ({ folder, write }) => {
      const [program] = readPrograms(join(root, 'docs/http.md'))
      write('http.js', program?.code ?? '')
      expectLines(await run([...runtime, 'http.js'], { cwd: folder }), program?.expected ?? [])
    },
    require: async ({ folder, write }) => {
      write('required.cjs', commonJsProgram)
      expectLines(await run([...runtime, 'required.cjs'], { cwd: folder }), ['hello', 'true'])
    },
  }
}

/** What is for Node: the command and the reference servers. @param {string} path @returns {import('./rows.mjs').Steps} */
function programsOf(path) {
  const cli = 'node_modules/@parley/cli/dist/main.js'
  return {
    CLI: async ({ folder, write }) => {
      const [server] = readPrograms(join(root, 'README.md'))
      write('notes.js', server?.code ?? '')
      const line = /** @type {const} */ ([path, cli, 'list', '--', path, 'notes.js'])
      const output = await run(line, { cwd: folder })
      if (!output.includes('delete_note')) throw new Error(`no tool delete_note in\n${output}`)
    },
    servers: async ({ folder }) => {
      const scope = join(folder, 'node_modules/@parley')
      const servers = readdirSync(scope).filter((name) => name.startsWith('server-'))
      for (const name of servers.filter((one) => one !== 'server-kit')) {
        const main = join(scope, name, 'dist/main.js')
        const options = name === 'server-filesystem' ? [folder] : []
        const line = /** @type {const} */ ([path, cli, 'list', '--', path, main, ...options])
        await run(line, { cwd: folder })
      }
    },
  }
}

/** As a user sees them: the repository's, and the one in the tarball. @param {string} folder */
function readmePages(folder) {
  return [join(root, 'README.md'), join(folder, 'node_modules/@parley/mcp/README.md')]
}
