// The server behind bridges: the same for all of them, in a process of its own, which is not measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const floorStdio = pathOf('floor-stdio.mjs')

/** Starts it over HTTP; its address. It ends with this process. */
export async function startFloorHttp() {
  const child = fork(pathOf('floor-http.mjs'), { stdio: ['pipe', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = await once(child, 'message')
  return `http://127.0.0.1:${port}/mcp`
}

function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url))
}
