import { createHash } from 'node:crypto'

/** A step that the server takes as a whole. */
export interface Script {
  readonly lua: string
  readonly sha: string
}

/** The server's clock, for scripts: `now` in milliseconds and `nowMicros` in microseconds. */
const clock = `
local time = redis.call('TIME')
local nowMicros = time[1] * 1000000 + time[2]
local now = math.floor(nowMicros / 1000)
`

/** A script that may use `now`, `nowMicros` and what `parts` define. */
export function script(...parts: readonly string[]): Script {
  const lua = [clock, ...parts].join('\n')
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}
