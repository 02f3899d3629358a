import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { BridgeCommand } from '@parley/gateway'

/** A file of the repository. */
function file(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** Our everything server, as it is built. */
export const everything: BridgeCommand = {
  command: execPath,
  args: [file('servers/everything/dist/main.js'), 'stdio'],
}

/** The official one, on the first generation of the official SDK. */
export const officialEverything: BridgeCommand = {
  command: execPath,
  args: [file('node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
}

/** Servers on the official SDK; the second generation speaks both eras. */
export const officialV1 = official('server-v1.mjs')
export const officialV2 = official('server-v2.mjs')

function official(name: string): BridgeCommand {
  return {
    command: execPath,
    args: [file(`test-support/peers/fixtures/${name}`), 'stdio'],
  }
}

/** A server that misbehaves in the way that is named. */
export function hostile(mode: string): BridgeCommand {
  return {
    command: execPath,
    args: [file('packages/gateway/test/fixtures/hostile-server.mjs'), mode],
  }
}

/** A server that does not want to end, and writes the numbers of its processes into the folder. */
export function stubborn(folder: string): BridgeCommand {
  return {
    command: execPath,
    args: [file('packages/gateway/test/fixtures/stubborn-server.mjs'), folder],
  }
}

/** The `parley` command, as it is built. */
export const parley = file('packages/cli/dist/main.js')
