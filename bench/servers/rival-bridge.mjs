// Bridges of others, in this process so that their CPU time can be told: their command lines, run on a free port.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'

import { rivalProgram } from '../rivals.mjs'
import { announce } from './announce.mjs'
import { floorStdio } from './bridged-floor.mjs'

/** Runs it, and tells where when it listens. */
export async function runRival(name, argumentsFor) {
  const program = rivalProgram(name)
  if (program === undefined) throw new Error(`${name} is not installed: see bench/README.md`)
  const port = await findPort()
  process.argv = [execPath, program, ...argumentsFor(String(port), [execPath, floorStdio])]
  await import(pathToFileURL(program).href)
  while (!(await listens(port))) await new Promise((resolve) => setTimeout(resolve, 20))
  announce(port)
}

/** Free a moment ago. */
async function findPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
