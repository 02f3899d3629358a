import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** How a program of this repository, or of a package it installs for tests, is started. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

const root = new URL('../../../../', import.meta.url)

function program(path: string, ...args: readonly string[]): Program {
  return { command: execPath, args: [fileURLToPath(new URL(path, root)), ...args] }
}

/** Our everything server, as it is built. */
export const ourEverything = program('servers/everything/dist/main.js', 'stdio')

export const officialEverything = program(
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  'stdio',
)

export function officialFilesystem(...folders: readonly string[]): Program {
  return program('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', ...folders)
}
