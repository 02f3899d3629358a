import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** How a program of this repository, or of a package it installs for tests, is started. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

const require = createRequire(import.meta.url)

/** Our everything server, as it is built. */
export const ourEverything: Program = {
  command: execPath,
  args: [
    fileURLToPath(new URL('../../../../servers/everything/dist/main.js', import.meta.url)),
    'stdio',
  ],
}

export const officialEverything: Program = {
  command: execPath,
  args: [mainOf(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'stdio'],
}

export function officialFilesystem(...folders: readonly string[]): Program {
  const main = mainOf(require.resolve('@modelcontextprotocol/server-filesystem/package.json'))
  return { command: execPath, args: [main, ...folders] }
}

function mainOf(manifest: string): string {
  return join(dirname(manifest), 'dist/index.js')
}
