// Bridges of others, in this process so that their CPU time can be told: their command lines, run on a free port.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'

import { rivalProgram } from '../rivals.mjs'
import { announce } from './announce.mjs'
import { floorStdio } from './bridged-floor.mjs'

/** Runs it, and tells where when it listens. */
export async function runRival(name, argumentsFor, isReady = listens) {
  const program = rivalProgram(name)
  if (program === undefined) throw new Error(`${name} is not installed: see bench/README.md`)
  await runProgram(program, argumentsFor, isReady)
}

/** The same for any program. */
export async function runProgram(program, argumentsFor, isReady = listens) {
  const port = await findPort()
  process.argv = [execPath, program, ...argumentsFor(String(port), [execPath, floorStdio])]
  import(pathToFileURL(program).href).catch((error) => {
    console.error(error)
    process.exit(1)
  }) // some end with what they do
  while (!(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 20))
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
