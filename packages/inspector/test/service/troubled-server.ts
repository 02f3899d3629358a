import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** A server in trouble, as a command. */
export const troubledEntry = {
  command: execPath,
  args: [fileURLToPath(new URL('troubled-server.mjs', import.meta.url))],
}
