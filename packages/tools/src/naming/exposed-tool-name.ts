import { sha256 } from './sha256.ts'

const longest = 64
const digits = 16
/** How a name ends that had to be changed. No other name ends so. */
const hashedEnd = new RegExp(`_[0-9a-f]{${digits}}$`)
const modelSafe = /^[A-Za-z0-9_-]+$/

/**
 * The name under which a model sees a tool of a server: `server__tool`, within `^[A-Za-z0-9_-]{1,64}$`. It depends on the
 * pair alone, never on which other servers are there.
 *
 * Where the plain form is too long, has other characters, or could be read as another pair, it is cut and ends with `_` and
 * the first 64 bits of the pair's SHA-256. Plain names are never shared by two pairs. Among a million changed ones the chance
 * that any two are equal is below 1 in 30 million, and a name for a given other one takes about 2^64 attempts to find.
 */
export function exposedToolName(server: string, tool: string): string {
  const plain = `${server}__${tool}`
  return isUnmistakable(server, tool) && plain.length <= longest && !hashedEnd.test(plain)
    ? plain
    : hashedName(server, tool)
}

/** Whether the first `__` is where the server's name ends, and nothing has to be replaced. */
function isUnmistakable(server: string, tool: string): boolean {
  if (server.includes('__') || server.endsWith('_')) return false
  return modelSafe.test(server) && modelSafe.test(tool)
}

function hashedName(server: string, tool: string): string {
  const drained = longest - digits - '___'.length
  const readableTool = readable(tool)
  const readableServer = readable(server).slice(
    0,
    Math.max(drained - readableTool.length, drained / 2),
  )
  const readablePart = `${readableServer}__${readableTool.slice(0, drained - readableServer.length)}`
  // JSON keeps the border between the two, and lone surrogates apart.
  return `${readablePart}_${sha256(JSON.stringify([server, tool])).slice(0, digits)}`
}

function readable(name: string): string {
  return name.slice(0, longest).replaceAll(/[^A-Za-z0-9_-]/g, '_')
}
